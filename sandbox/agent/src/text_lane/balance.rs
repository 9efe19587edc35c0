//! Where a JSON object or array ends.

use super::effort;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Balance {
    /// It ends before this byte.
    Whole(usize),
    /// More has to come.
    Open,
    /// A bracket closes what was not opened, or nothing was.
    Broken,
}

/// Brackets in brackets at most. No JSON is read that has more.
const MAX_DEPTH: usize = 128;

/// Reads a text that grows, each byte once.
#[derive(Debug, Default)]
pub(super) struct Brackets {
    open: Vec<u8>,
    in_string: bool,
    is_escaped: bool,
    at: usize,
    end: Option<Balance>,
}

impl Brackets {
    /// Of `text`, which should begin with a brace or a bracket. It has all of the text before it.
    pub(super) fn read(&mut self, text: &str) -> Balance {
        let known = self.at;
        while let (None, Some(byte)) = (self.end, text.as_bytes().get(self.at)) {
            self.at += 1;
            self.end = self.take(*byte);
        }
        effort::spend(self.at - known);
        match self.end {
            Some(end) => end,
            None if text.is_empty() => Balance::Broken,
            None => Balance::Open,
        }
    }

    fn take(&mut self, byte: u8) -> Option<Balance> {
        match byte {
            _ if self.is_escaped => self.is_escaped = false,
            b'\\' if self.in_string => self.is_escaped = true,
            b'"' => self.in_string = !self.in_string,
            _ if self.in_string => {}
            b'{' => self.open.push(b'}'),
            b'[' => self.open.push(b']'),
            b'}' | b']' if self.open.pop() != Some(byte) => return Some(Balance::Broken),
            b'}' | b']' if self.open.is_empty() => return Some(Balance::Whole(self.at)),
            _ => {}
        }
        (self.open.is_empty() || self.open.len() > MAX_DEPTH).then_some(Balance::Broken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Balance::*;

    #[test]
    fn depth_has_an_end() {
        let read = |depth: usize| Brackets::default().read(&"[".repeat(depth));
        assert_eq!((read(MAX_DEPTH), read(MAX_DEPTH + 1)), (Open, Broken));
    }

    #[test]
    fn brackets_in_strings_do_not_count() {
        let table = [
            ("{}", Whole(2)),
            (r#"{"a":"}\"]"} rest"#, Whole(12)),
            ("[{}, [1]]x", Whole(9)),
            ("{\"a\": [", Open),
            ("{\"a", Open),
            ("{]", Broken),
            ("a{}", Broken),
            ("", Broken),
        ];
        for (text, expected) in table {
            assert_eq!(Brackets::default().read(text), expected, "{text}");
            let mut brackets = Brackets::default();
            (0..text.len()).for_each(|end| {
                brackets.read(&text[..end]);
            });
            assert_eq!(brackets.read(text), expected, "{text} by the byte");
        }
    }
}
