//! Events that are like one before them but for one text, as nearly all of a reply are: the text is read, and
//! the rest only compared. What is not alike is read as a whole.

use super::framing::Event;
use std::borrow::Cow;

/// What OpenAI adds to each event, so that its length says nothing of its text.
const PADDING: &str = "obfuscation";
/// Of each event of a response.
const NUMBER: &str = "sequence_number";
/// Bytes of an event besides its text. A larger one is not kept.
const LARGEST: usize = 4096;

/// An event that said one text and did nothing else, without the text.
#[derive(Debug)]
pub(super) struct Mould<T> {
    /// What the text is.
    kind: T,
    name: String,
    /// What stands before each hole.
    parts: Vec<(String, Hole)>,
    after: String,
}

/// Where events that are alike differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hole {
    Text,
    /// A text that nobody reads.
    Padding,
    /// Digits that nobody reads.
    Number,
}

impl<T: Copy> Mould<T> {
    /// `text` is all that the event said, in a field called `key`. `None` where the bytes do not show which one.
    pub(super) fn of(event: &Event, key: &str, text: &str, kind: T) -> Option<Self> {
        let json = event.data.as_str();
        if text.is_empty() || json.len() > text.len() + LARGEST {
            return None;
        }
        let mut holes = vec![(value(json, key, "\"")?, Hole::Text)];
        holes.extend(value(json, PADDING, "\"").map(|at| (at, Hole::Padding)));
        holes.extend(value(json, NUMBER, "").map(|at| (at, Hole::Number)));
        holes.sort_by_key(|(at, _)| *at);
        let (mut parts, mut from) = (Vec::new(), 0);
        for (at, hole) in holes {
            let inside = hole.inside(&json[at..])?;
            if hole == Hole::Text && unescaped(inside)? != text {
                return None;
            }
            parts.push((json.get(from..at)?.to_owned(), hole));
            from = at + inside.len();
        }
        let after = json[from..].to_owned();
        // A name could be spelt in another way.
        let has_escapes = after.contains('\\') || parts.iter().any(|(before, _)| before.contains('\\'));
        (!has_escapes).then(|| Self { kind, name: event.name.clone(), parts, after })
    }

    /// What the event says, if it is the same but for that; never an empty text.
    pub(super) fn read<'a>(&self, event: &'a Event) -> Option<(T, Cow<'a, str>)> {
        if event.name != self.name {
            return None;
        }
        let (mut text, mut rest) = ("", event.data.as_str());
        for (before, hole) in &self.parts {
            rest = rest.strip_prefix(before.as_str())?;
            let inside = hole.inside(rest)?;
            if *hole == Hole::Text {
                text = inside;
            }
            rest = &rest[inside.len()..];
        }
        if rest != self.after || text.is_empty() {
            return None;
        }
        Some((self.kind, unescaped(text)?))
    }
}

impl Hole {
    /// What of the JSON is in the hole with which it begins. `None` where it does not fit.
    fn inside(self, json: &str) -> Option<&str> {
        let is_digit = |byte: &u8| byte.is_ascii_digit();
        match self {
            Self::Text => Some(&json[..closing_quote(json)?]),
            Self::Padding => Some(&json[..closing_quote(json)?]).filter(|padding| !padding.contains('\\')),
            Self::Number => {
                let (digits, rest) = json.split_at(json.bytes().take_while(is_digit).count());
                let is_number = match digits.len() {
                    1 => true,
                    2..20 => !digits.starts_with('0'),
                    _ => false,
                };
                (is_number && !rest.starts_with(['.', 'e', 'E'])).then_some(digits)
            }
        }
    }
}

/// Where the value begins of the only field of this name, after that with which it opens.
fn value(json: &str, key: &str, opens: &str) -> Option<usize> {
    let name = format!("\"{key}\"");
    let behind = json.match_indices(name.as_str()).map(|(at, _)| json[at + name.len()..].trim_start());
    let mut values = behind.filter_map(|rest| rest.strip_prefix(':'));
    let (value, None) = (values.next()?, values.next()) else { return None };
    Some(json.len() - value.trim_start().strip_prefix(opens)?.len())
}

/// Where the text ends with which the JSON begins. `None` where it is none.
fn closing_quote(json: &str) -> Option<usize> {
    let bytes = json.as_bytes();
    let mut at = 0;
    loop {
        match *bytes.get(at)? {
            b'"' => return Some(at),
            b'\\' => at += 2,
            0..0x20 => return None,
            _ => at += 1,
        }
    }
}

fn unescaped(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('\\') {
        return Some(Cow::Borrowed(text));
    }
    let text: String = serde_json::from_str(&format!("\"{text}\"")).ok()?;
    Some(Cow::Owned(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(data: &str) -> Event {
        Event { name: String::new(), data: data.to_owned(), whole: true }
    }

    fn said(mould: &Mould<()>, event: &Event) -> Option<String> {
        mould.read(event).map(|((), text)| text.into_owned())
    }

    #[test]
    fn what_is_alike_but_for_its_text_is_read_and_nothing_else() {
        let first = r#"{"id":"1","delta":{"text":"a"},"end":null}"#;
        let mould = Mould::of(&event(first), "text", "a", ()).expect("it has one text");
        for (data, expected) in [
            (first, Some("a")),
            (r#"{"id":"1","delta":{"text":"Grüße 🐙"},"end":null}"#, Some("Grüße 🐙")),
            (r#"{"id":"1","delta":{"text":"\"\\\n\u00e9\ud83d\ude00"},"end":null}"#, Some("\"\\\né😀")),
            (r#"{"id":"1","delta":{"text":"\\"},"end":null}"#, Some("\\")),
            (r#"{"id":"1","delta":{"text":""},"end":null}"#, None),
            (r#"{"id":"2","delta":{"text":"a"},"end":null}"#, None),
            (r#"{"id":"1","delta":{"text":"a"},"end":"stop"}"#, None),
            (r#"{"id":"1","delta":{"text":"a"},"end":null,"text":"b"}"#, None),
            (r#"{"id":"1","delta":{"text":"a","b":"c"},"end":null}"#, None),
            (r#"{"id":"1","delta":{"text":"\x"},"end":null}"#, None),
            (r#"{"id":"1","delta":{"text":"\ud83d"},"end":null}"#, None),
            (r#"{"id":"1","delta":{"text":"\"},"end":null}"#, None),
            (r#"{"id":"1","delta":{"text":"a"},"end":null} "#, None),
            (r#"{"id":"1","delta":{"text":"a"},"end":nul"#, None),
            ("{\"id\":\"1\",\"delta\":{\"text\":\"a\nb\"},\"end\":null}", None),
            ("", None),
        ] {
            assert_eq!(said(&mould, &event(data)).as_deref(), expected, "{data}");
        }
        let named = Event { name: "error".to_owned(), ..event(first) };
        assert_eq!(said(&mould, &named), None);
    }

    #[test]
    fn padding_may_differ_and_nothing_after_it() {
        let padded = |text: &str, padding: &str, end: &str| {
            event(&format!(r#"{{"text": "{text}", "obfuscation": "{padding}"{end}"#))
        };
        let mould = Mould::of(&padded("a", "xyz", "}"), "text", "a", ()).expect("it has one text");
        for (event, expected) in [
            (padded("b", "", "}"), Some("b")),
            (padded("b", "x", "}"), Some("b")),
            (padded("b", "x", ",\"c\":1}"), None),
            (padded("b", "", ",\"obfuscation\":\"\"}"), None),
            (padded("b", "\\q", "}"), None),
            (event(r#"{"text": "b"}"#), None),
        ] {
            assert_eq!(said(&mould, &event).as_deref(), expected, "{event:?}");
        }
    }

    #[test]
    fn events_may_be_numbered() {
        let numbered = |number: &str| event(&format!(r#"{{"sequence_number":{number},"text":"a"}}"#));
        let mould = Mould::of(&numbered("9"), "text", "a", ()).expect("it has one text");
        for (number, expected) in [
            ("10", Some("a")),
            ("0", Some("a")),
            ("01", None),
            ("99999999999999999999", None),
            ("", None),
            ("-1", None),
            ("1.5", None),
            ("\"1\"", None),
        ] {
            assert_eq!(said(&mould, &numbered(number)).as_deref(), expected, "{number}");
        }
        let behind = |number: u8| event(&format!(r#"{{"text":"a", "sequence_number": {number}}}"#));
        let mould = Mould::of(&behind(1), "text", "a", ()).expect("it has one text");
        assert_eq!(said(&mould, &behind(2)).as_deref(), Some("a"));
    }

    #[test]
    fn where_it_is_not_certain_which_text_was_read_there_is_no_mould() {
        for (data, text) in [
            (r#"{"text":"a","more":{"text":"a"}}"#, "a"),
            (r#"{"text":"a","more":{"text": "a"}}"#, "a"),
            (r#"{"text":"a","more":{"text" :"a"}}"#, "a"),
            (r#"{"text":"a","more":{"te\u0078t":"a"}}"#, "a"),
            (r#"{"te\u0078t":"a","more":{"text":"a"}}"#, "a"),
            (r#"{"more":{"text":""}}"#, ""),
            (r#"{"text":"a","sequence_number":1e5}"#, "a"),
            (r#"{"text":"b"}"#, "a"),
            (r#"{"other\"text":"a"}"#, "a"),
            (r#"{"other":"\"text\":\"a"}"#, "a"),
            (r#"{}"#, "a"),
        ] {
            assert!(Mould::of(&event(data), "text", text, ()).is_none(), "{data}");
        }
        let large = format!(r#"{{"text":"a","more":"{}"}}"#, "b".repeat(LARGEST));
        assert!(Mould::of(&event(&large), "text", "a", ()).is_none());
    }
}
