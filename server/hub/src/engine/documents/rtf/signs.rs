//! What stands in an RTF, sign by sign.

pub(super) enum Sign<'t> {
    Begin,
    End,
    /// With the number behind it.
    Word(&'t str, Option<i32>),
    /// A byte of text.
    Letter(u8),
}

pub(super) struct Signs<'t> {
    rest: &'t [u8],
}

impl<'t> Signs<'t> {
    pub(super) fn of(bytes: &'t [u8]) -> Self {
        Self { rest: bytes }
    }

    /// What begins with a backslash, which is gone already.
    fn word(&mut self) -> Option<Sign<'t>> {
        let (&first, after) = self.rest.split_first()?;
        if first == b'\'' {
            let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
            let byte = digits.and_then(|digits| i32::from_str_radix(digits, 16).ok());
            self.rest = if byte.is_some() { &after[2..] } else { after };
            return Some(Sign::Word("'", byte.or(Some(i32::from(b'?')))));
        }
        if !first.is_ascii_alphabetic() {
            self.rest = after;
            return Some(match first {
                b'\\' | b'{' | b'}' => Sign::Letter(first),
                b'~' => Sign::Letter(b' '),
                b'_' => Sign::Letter(b'-'),
                b'*' => Sign::Word("*", None),
                b'\n' | b'\r' => Sign::Word("par", None),
                b'\t' => Sign::Word("tab", None),
                _ => Sign::Word("", None),
            });
        }
        let end = self.rest.iter().position(|byte| !byte.is_ascii_alphabetic()).unwrap_or(self.rest.len());
        let (name, after) = self.rest.split_at(end);
        let sign = usize::from(after.first() == Some(&b'-'));
        let digits = after[sign..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let length = if digits == 0 { 0 } else { sign + digits };
        let number = std::str::from_utf8(&after[..length]).ok().and_then(|number| number.parse().ok());
        let after = &after[length..];
        self.rest = after.strip_prefix(b" ").unwrap_or(after);
        let name = std::str::from_utf8(name).unwrap_or_default();
        if name == "bin" {
            let bytes = number.and_then(|count: i32| usize::try_from(count).ok()).unwrap_or_default();
            self.rest = self.rest.get(bytes..).unwrap_or_default();
        }
        Some(Sign::Word(name, number))
    }
}

impl<'t> Iterator for Signs<'t> {
    type Item = Sign<'t>;

    fn next(&mut self) -> Option<Sign<'t>> {
        loop {
            let (&first, after) = self.rest.split_first()?;
            self.rest = after;
            match first {
                b'{' => return Some(Sign::Begin),
                b'}' => return Some(Sign::End),
                b'\\' => return self.word(),
                b'\r' | b'\n' | 0 => {}
                letter => return Some(Sign::Letter(letter)),
            }
        }
    }
}
