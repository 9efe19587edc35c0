//! Events that are like one before them but for one text, as nearly all of a reply are: the text is read, and
//! the rest only compared. What is not alike is read as a whole.

use super::framing::Event;
use std::borrow::Cow;

/// What some servers add to each event, so that its length says nothing of its text.
const PADDING: &str = "obfuscation";

/// An event that said one text and did nothing else, without the text.
#[derive(Debug)]
pub(super) struct Mould<T> {
    /// What the text is.
    kind: T,
    name: String,
    before: String,
    after: String,
    /// What follows a second text that nobody reads.
    after_padding: Option<String>,
}

impl<T: Copy> Mould<T> {
    /// `text` is all that the event said, in a field called `key`. `None` where the bytes do not show which one.
    pub(super) fn of(event: &Event, key: &str, text: &str, kind: T) -> Option<Self> {
        let (before, after) = around(&event.data, key)?;
        let end = closing_quote(after)?;
        if unescaped(&after[..end])? != text {
            return None;
        }
        let after = &after[end..];
        let (after, after_padding) = match around(after, PADDING) {
            None => (after, None),
            Some((after, padding)) => (after, Some(padding[closing_quote(padding)?..].to_owned())),
        };
        let (name, before, after) = (event.name.clone(), before.to_owned(), after.to_owned());
        Some(Self { kind, name, before, after, after_padding })
    }

    /// What the event says, if it is the same but for that; never an empty text.
    pub(super) fn read<'a>(&self, event: &'a Event) -> Option<(T, Cow<'a, str>)> {
        if event.name != self.name {
            return None;
        }
        let rest = event.data.strip_prefix(self.before.as_str())?;
        let (text, rest) = rest.split_at(closing_quote(rest)?);
        let rest = rest.strip_prefix(self.after.as_str())?;
        let is_alike = match &self.after_padding {
            None => rest.is_empty(),
            Some(after) => {
                let (padding, rest) = rest.split_at(closing_quote(rest)?);
                !padding.contains('\\') && rest == after
            }
        };
        if !is_alike || text.is_empty() {
            return None;
        }
        Some((self.kind, unescaped(text)?))
    }
}

/// The JSON before and after the first quote of the only text that a field of this name holds.
fn around<'a>(json: &'a str, key: &str) -> Option<(&'a str, &'a str)> {
    let marks = [format!("\"{key}\":\""), format!("\"{key}\": \"")];
    let mut places =
        marks.iter().flat_map(|mark| json.match_indices(mark.as_str()).map(|(at, mark)| (at, mark.len())));
    let ((at, length), None) = (places.next()?, places.next()) else { return None };
    // Within a text there would be a backslash.
    let begins_field = json[..at].trim_end().ends_with(['{', ',']);
    begins_field.then(|| json.split_at(at + length))
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
            (padded("b", "\\q", "}"), None),
            (event(r#"{"text": "b"}"#), None),
        ] {
            assert_eq!(said(&mould, &event).as_deref(), expected, "{event:?}");
        }
    }

    #[test]
    fn where_it_is_not_certain_which_text_was_read_there_is_no_mould() {
        for (data, text) in [
            (r#"{"text":"a","more":{"text":"a"}}"#, "a"),
            (r#"{"text":"a","more":{"text": "a"}}"#, "a"),
            (r#"{"text":"b"}"#, "a"),
            (r#"{"text" :"a"}"#, "a"),
            (r#"{"other\"text":"a"}"#, "a"),
            (r#"{"other":"\"text\":\"a"}"#, "a"),
            (r#"{}"#, "a"),
        ] {
            assert!(Mould::of(&event(data), "text", text, ()).is_none(), "{data}");
        }
    }
}
