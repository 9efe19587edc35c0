//! How much a JSON text becomes once it is read. A value takes a hundred times the room of the two bytes
//! that it may have as text, so values are counted before any is made.

/// What a value or a name takes in memory, about.
pub const BYTES_PER_NODE: usize = 256;

/// About how many values and names the text has. It is not checked to be JSON.
pub fn count(json: &[u8]) -> usize {
    let (mut count, mut is_quoted, mut is_escaped) = (0, false, false);
    for byte in json {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'"' => is_quoted = !is_quoted,
            b'\\' if is_quoted => is_escaped = true,
            b',' | b':' | b'[' | b'{' if !is_quoted => count += 1,
            _ => {}
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_names_are_counted_and_texts_are_not_looked_into() {
        for (json, expected) in [
            ("", 0),
            ("1", 0),
            ("[0,0,0]", 3),
            (r#"{"":0}"#, 2),
            (r#"[{"":0},{"":0}]"#, 6),
            (r#""a, [b]: {c}""#, 0),
            (r#"{"a":"\",\\","b":[1]}"#, 5),
        ] {
            assert_eq!(count(json.as_bytes()), expected, "{json}");
        }
    }
}
