//! A text of JSON, taken apart before any of it is read: by brackets and quotes alone, and once from its beginning
//! to its end. So one conversation that is broken is no other's harm, and none is read that is too large.

/// Values of an array, each as its text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Elements<'a> {
    pub(super) whole: Vec<&'a [u8]>,
    /// How many came behind the most that are taken.
    pub(super) more: usize,
    /// The text ends in the middle.
    pub(super) is_cut: bool,
}

/// A part of a text: an object without the objects that were in it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Part {
    /// In which part it was. `None`: it is the first.
    pub(super) within: Option<usize>,
    pub(super) json: Vec<u8>,
}

/// The elements of an array, or the one object that the text is. `None`: it is neither.
pub(super) fn elements(json: &[u8], most: usize) -> Option<Elements<'_>> {
    let json = json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json).trim_ascii();
    let mut elements = Elements { whole: Vec::new(), more: 0, is_cut: true };
    // An object stands where the elements of an array would.
    let outer: usize = match json.first()? {
        b'[' => 1,
        b'{' => 0,
        _ => return None,
    };
    let (mut depth, mut start, mut quotes) = (0_usize, outer, Quotes::default());
    for (at, byte) in json.iter().enumerate() {
        if quotes.hold(*byte) {
            continue;
        }
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    elements.take(&json[start..at + 1 - outer], most);
                    elements.is_cut = false;
                    break;
                }
            }
            b',' if depth == outer && outer == 1 => {
                elements.take(&json[start..at], most);
                start = at + 1;
            }
            _ => {}
        }
    }
    Some(elements)
}

impl<'a> Elements<'a> {
    fn take(&mut self, element: &'a [u8], most: usize) {
        match element.trim_ascii() {
            [] => {}
            element if self.whole.len() < most => self.whole.push(element),
            _ => self.more += 1,
        }
    }
}

/// The object, and every object in an array of one of these names in it or in one of them, each by itself. So
/// a tree of any depth becomes a list.
pub(super) fn unnested(json: &[u8], names: &[&str]) -> Vec<Part> {
    let mut parts = vec![Part::default()];
    // Objects that are written, and arrays whose elements become parts, each with its depth, innermost last.
    let mut objects: Vec<(usize, usize)> = vec![(0, 0)];
    let mut arrays: Vec<usize> = Vec::new();
    let (mut depth, mut quotes) = (0_usize, Quotes::default());
    let (mut name_start, mut name, mut is_value) = (0, 0..0, false);
    for (at, byte) in json.iter().enumerate() {
        let was_quoted = quotes.is_quoted;
        let is_text = quotes.hold(*byte);
        match (was_quoted, quotes.is_quoted) {
            (false, true) => name_start = at + 1,
            (true, false) => name = name_start..at,
            (false, false) | (true, true) => {}
        }
        let &(part, own_depth) = objects.last().unwrap_or(&(0, 0));
        let is_between = arrays.last().is_some_and(|array| *array > own_depth);
        if is_text {
            if !is_between {
                parts[part].json.push(*byte);
            }
            continue;
        }
        match byte {
            b'{' if is_between && arrays.last() == Some(&depth) => {
                depth += 1;
                objects.push((parts.len(), depth));
                parts.push(Part { within: Some(part), json: vec![b'{'] });
            }
            b'[' if is_value
                && !is_between
                && names.iter().any(|one| json[name.clone()] == *one.as_bytes()) =>
            {
                depth += 1;
                arrays.push(depth);
                parts[part].json.extend_from_slice(b"[]");
            }
            b'[' | b'{' => {
                depth += 1;
                if !is_between {
                    parts[part].json.push(*byte);
                }
            }
            b']' | b'}' => {
                if is_between && arrays.last() == Some(&depth) {
                    arrays.pop();
                } else if !is_between {
                    parts[part].json.push(*byte);
                    if depth == own_depth && objects.len() > 1 {
                        objects.pop();
                    }
                }
                depth = depth.saturating_sub(1);
            }
            _ if !is_between => parts[part].json.push(*byte),
            _ => {}
        }
        match byte {
            b':' => is_value = true,
            byte if byte.is_ascii_whitespace() => {}
            _ => is_value = false,
        }
    }
    parts
}

/// Whether one is within a text.
#[derive(Debug, Default)]
struct Quotes {
    is_quoted: bool,
    is_escaped: bool,
}

impl Quotes {
    /// Takes the next byte. Whether it is part of a text, with its quotes.
    fn hold(&mut self, byte: u8) -> bool {
        match byte {
            _ if self.is_escaped => self.is_escaped = false,
            b'\\' if self.is_quoted => self.is_escaped = true,
            b'"' => {
                self.is_quoted = !self.is_quoted;
                return true;
            }
            _ => return self.is_quoted,
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_array_comes_apart_and_a_broken_half_leaves_the_whole_ones() {
        for (json, whole, more, is_cut) in [
            ("[]", vec![], 0, false),
            (" [ 1 , {\"a\":[2,3]} ] ", vec!["1", "{\"a\":[2,3]}"], 0, false),
            ("\u{feff}[\"a,]\\\"[\",2]", vec!["\"a,]\\\"[\"", "2"], 0, false),
            ("{\"a\":[1,2]}", vec!["{\"a\":[1,2]}"], 0, false),
            ("[{\"a\":1},{\"b\":", vec!["{\"a\":1}"], 0, true),
            ("[1,2,3,4,5]", vec!["1", "2", "3"], 2, false),
            ("{\"a\":", vec![], 0, true),
            ("[1]]]]", vec!["1"], 0, false),
        ] {
            let split = elements(json.as_bytes(), 3).expect("an array or an object");
            let texts: Vec<&str> =
                split.whole.iter().map(|part| std::str::from_utf8(part).expect("as it was")).collect();
            assert_eq!((texts, split.more, split.is_cut), (whole, more, is_cut), "{json}");
        }
        assert_eq!((elements(b"", 3), elements(b"7", 3), elements(b"hello", 3)), (None, None, None));
    }

    #[test]
    fn a_tree_becomes_a_list() {
        for (json, expected) in [
            (r#"{"a":1}"#, vec![(None, r#"{"a":1}"#)]),
            (
                r#"{"t":"x","messages":[{"m":1,"children":[{"m":2,"children":[]}]},{"m":3,"b":[1,{"c":2}]}],"z":0}"#,
                vec![
                    (None, r#"{"t":"x","messages":[],"z":0}"#),
                    (Some(0), r#"{"m":1,"children":[]}"#),
                    (Some(1), r#"{"m":2,"children":[]}"#),
                    (Some(0), r#"{"m":3,"b":[1,{"c":2}]}"#),
                ],
            ),
            (
                r#"{"messages" : [1,"{",[{"a":1}],{"m":1}]}"#,
                vec![(None, r#"{"messages" : []}"#), (Some(0), r#"{"m":1}"#)],
            ),
            (
                r#"{"messages":"children","x":[{"m":1}]}"#,
                vec![(None, r#"{"messages":"children","x":[{"m":1}]}"#)],
            ),
        ] {
            let parts = unnested(json.as_bytes(), &["messages", "children"]);
            let parts: Vec<_> = parts
                .iter()
                .map(|part| (part.within, std::str::from_utf8(&part.json).expect("as it was")))
                .collect();
            assert_eq!(parts, expected, "{json}");
        }
    }

    #[test]
    fn what_is_nested_without_end_or_broken_is_gone_through_once() {
        let deep = format!("{}{}", r#"{"m":1,"children":["#.repeat(100_000), "]}".repeat(100_000));
        let parts = unnested(deep.as_bytes(), &["children"]);
        assert_eq!((parts.len(), parts[99_999].within), (100_000, Some(99_998)));
        for broken in ["]]]}}}", "{\"children\":[", "\"", "{\"children\":[{\"a", "[[[", "{\"children\":[}]"] {
            assert!(!unnested(broken.as_bytes(), &["children"]).is_empty());
        }
    }
}
