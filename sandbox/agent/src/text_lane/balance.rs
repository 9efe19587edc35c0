//! Where a JSON object or array ends.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Balance {
    /// It ends before this byte.
    Whole(usize),
    /// More has to come.
    Open,
    /// A bracket closes what was not opened, or nothing was.
    Broken,
}

/// Of `text`, which should begin with a brace or a bracket.
pub(super) fn of(text: &str) -> Balance {
    let mut open = Vec::new();
    let mut in_string = false;
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_string => is_escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' => open.push(b'}'),
            b'[' => open.push(b']'),
            b'}' | b']' if open.pop() != Some(byte) => return Balance::Broken,
            b'}' | b']' if open.is_empty() => return Balance::Whole(at + 1),
            _ => {}
        }
        if open.is_empty() {
            return Balance::Broken;
        }
    }
    if text.is_empty() { Balance::Broken } else { Balance::Open }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Balance::*;

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
            assert_eq!(of(text), expected, "{text}");
        }
    }
}
