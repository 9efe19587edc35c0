//! When two calls are the same, for guards and for caches.

use super::ResolvedCall;
use crate::words::words;
use serde_json::Value;
use std::collections::BTreeSet;

/// A tool and its arguments, with one spelling for each: the tool's own name, members in order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signature(String, String);

impl Signature {
    pub(super) fn of(call: &ResolvedCall) -> Self {
        let mut text = String::new();
        write(call.input(), &mut text);
        Self(call.name().to_owned(), text)
    }

    pub fn tool(&self) -> &str {
        &self.0
    }

    /// The arguments as text: the same for the same arguments, whatever their order.
    pub fn arguments(&self) -> &str {
        &self.1
    }
}

impl ResolvedCall {
    /// What a search is for, in words without order, and where it is searched: in arguments that are texts or
    /// lists. How much is wanted of it makes no other search.
    pub(crate) fn searched(&self) -> Option<(&'static str, BTreeSet<String>)> {
        let (tool, input) = (self.tool()?, self.input().as_object()?);
        let mut search = words(input.get(tool.query?)?.as_str()?);
        if search.is_empty() {
            return None;
        }
        let says_where = |(name, value): &(&String, &Value)| {
            Some(name.as_str()) != tool.query && (value.is_string() || value.is_array())
        };
        search.extend(input.iter().filter(says_where).map(|(name, value)| format!("{name}={value}")));
        Some((tool.name, search))
    }
}

fn write(value: &Value, text: &mut String) {
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(name, _)| name.as_str());
            text.push('{');
            for (name, value) in members {
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push(':');
                write(value, text);
                text.push(',');
            }
            text.push('}');
        }
        Value::Array(items) => {
            text.push('[');
            for item in items {
                write(item, text);
                text.push(',');
            }
            text.push(']');
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            text.push_str(&value.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::model::ToolCall;
    use serde_json::json;

    fn call(name: &str, input: Value) -> ResolvedCall {
        ResolvedCall::of(ToolCall { id: "a".into(), name: name.to_owned(), input })
    }

    #[test]
    fn a_search_elsewhere_is_another_one_and_one_for_more_is_not() {
        let searched = |input: Value| call("web_search", input).searched();
        let moss = searched(json!({ "query": "moss fern" }));
        for (input, same) in [
            (json!({ "query": "Fern, moss", "count": 20 }), true),
            (json!({ "query": "moss fern", "sources": ["arxiv"] }), false),
            (json!({ "query": "moss fern", "time_range": "week" }), false),
            (json!({ "query": "moss" }), false),
        ] {
            assert_eq!(searched(input.clone()) == moss, same, "{input}");
        }
    }

    #[test]
    fn spelling_does_not_matter_and_everything_else_does() {
        let one: Value = serde_json::from_str(r#"{"a":{"x":1,"y":[1,2]},"b":"t"}"#).expect("JSON");
        let other: Value = serde_json::from_str(r#"{ "b": "t", "a": {"y":[1,2], "x":1} }"#).expect("JSON");
        for (one, other, equal) in [
            (call("dom", one.clone()), call("dom", other.clone()), true),
            (call("dom", one.clone()), call("runjs", other), false),
            (
                call("storage_get", json!({ "key": "k" })),
                call("storage", json!({ "action": "get", "key": "k" })),
                true,
            ),
            (call("dom", json!([1, 2])), call("dom", json!([2, 1])), false),
            (call("dom", json!({ "a": "1" })), call("dom", json!({ "a": 1 })), false),
            (call("dom", json!("{broken")), call("dom", json!("{broken")), true),
        ] {
            assert_eq!(one.signature() == other.signature(), equal, "{one:?} {other:?}");
        }
    }
}
