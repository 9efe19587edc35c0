//! Arguments that a server of today's version wants in headers as well, so that what stands before it can tell
//! calls apart (`x-mcp-header` in its schema).

use reqwest::header::HeaderName;
use serde_json::{Map, Value};

const KEYWORD: &str = "x-mcp-header";
const MOST_HEADERS: usize = 16;
/// Characters of a header's name behind its beginning.
const LONGEST: usize = 64;

/// Each argument with its header.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Mirrored(Vec<(String, HeaderName)>);

impl Mirrored {
    /// What is wrong comes back as words for the person: a tool with a wrong header is not called.
    pub(super) fn of(schema: &Value) -> Result<Self, String> {
        let mut mirrored = Vec::new();
        let arguments = schema.get("properties").and_then(Value::as_object);
        for (argument, schema) in arguments.into_iter().flat_map(Map::iter) {
            let Some(named) = schema.get(KEYWORD) else { continue };
            let named = named.as_str().filter(|named| (1..=LONGEST).contains(&named.len()));
            let header = named.and_then(|named| HeaderName::try_from(format!("mcp-param-{named}")).ok());
            let is_plain =
                matches!(schema.get("type").and_then(Value::as_str), Some("string" | "integer" | "boolean"));
            match header {
                Some(header) if is_plain && mirrored.iter().all(|(_, other)| *other != header) => {
                    mirrored.push((argument.clone(), header));
                }
                Some(_) | None => return Err("It wants an argument in a header that cannot be.".to_owned()),
            }
        }
        if mirrored.len() > MOST_HEADERS {
            return Err(format!("It wants more than {MOST_HEADERS} arguments in headers."));
        }
        Ok(Self(mirrored))
    }

    /// The headers of a call with this input.
    pub(super) fn filled(&self, input: &Value) -> Vec<(HeaderName, String)> {
        let filled = self.0.iter().filter_map(|(argument, header)| {
            let text = match input.get(argument)? {
                Value::String(text) => text.clone(),
                Value::Null => return None,
                other => other.to_string(),
            };
            Some((header.clone(), text))
        });
        filled.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_argument_stands_in_its_header_and_in_no_other() {
        let schema =
            |header: Value| json!({ "properties": { "bed": { "type": "string", "x-mcp-header": header } } });
        let mirrored = Mirrored::of(&schema(json!("Bed"))).expect("a header");
        for (input, expected) in [
            (json!({ "bed": "moss" }), vec![("mcp-param-bed", "moss")]),
            (json!({ "bed": 2 }), vec![("mcp-param-bed", "2")]),
            (json!({ "other": "moss" }), vec![]),
        ] {
            let filled = mirrored.filled(&input);
            let filled: Vec<_> = filled.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
            assert_eq!(filled, expected, "{input}");
        }
        for wrong in [json!(""), json!("two words"), json!("a\r\nb"), json!(1), json!("x".repeat(65))] {
            assert!(Mirrored::of(&schema(wrong.clone())).is_err(), "{wrong}");
        }
        for kind in ["object", "array", "number"] {
            let other = json!({ "properties": { "bed": { "type": kind, "x-mcp-header": "Bed" } } });
            assert!(Mirrored::of(&other).is_err(), "{kind}");
        }
        assert_eq!(Mirrored::of(&json!({ "type": "object" })), Ok(Mirrored::default()));
    }
}
