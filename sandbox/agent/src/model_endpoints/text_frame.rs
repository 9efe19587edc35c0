//! A frame that is sent again and again with another text.

use serde_json::Value;

/// The frame without its text. What it is made of is JSON already.
#[derive(Debug)]
pub(super) struct TextFrame {
    before: String,
    after: String,
}

impl TextFrame {
    pub(super) fn new(before: impl Into<String>, after: impl Into<String>) -> Self {
        Self { before: before.into(), after: after.into() }
    }

    pub(super) fn with(&self, text: &str) -> String {
        let (before, after) = (self.before.as_str(), self.after.as_str());
        if text.bytes().any(is_escaped) {
            let text = Value::from(text).to_string();
            return [before, text.as_str(), after].concat();
        }
        [before, "\"", text, "\"", after].concat()
    }
}

fn is_escaped(byte: u8) -> bool {
    matches!(byte, 0..0x20 | b'"' | b'\\')
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn any_text_is_itself_in_the_frame() {
        let frame = TextFrame::new("{\"text\":", "}\n\n");
        let letters: String = (0..=0x100).filter_map(char::from_u32).collect();
        for text in
            ["", "plain", "Grüße 🐙", "\"quoted\"", "back\\slash", "line\r\n\u{2028}", letters.as_str()]
        {
            assert_eq!(frame.with(text), format!("{}\n\n", json!({ "text": text })));
        }
    }
}
