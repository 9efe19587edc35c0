//! Calls that may be made before a model asks for them.

use super::{Repeat, Risk, access, find};
use protocol::model::ToolCall;
use serde_json::Value;

/// Whether the call only looks, may be made at any time, and has nothing in it that a model would
/// have to choose. A hub takes no other call of a loop's own.
pub fn may_prefetch(call: &ToolCall) -> bool {
    let Some(tool) = find(&call.name) else {
        return false;
    };
    let schema = tool.spec().input_schema;
    let needs_nothing = schema["required"].as_array().is_none_or(Vec::is_empty) && tool.query.is_none();
    let says_nothing = call.input.as_object().is_some_and(serde_json::Map::is_empty);
    tool.repeat == Repeat::Idempotent
        && tool.risk == Risk::None
        && needs_nothing
        && says_nothing
        && access::is_read_only(Some(tool), &Value::Null)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools;
    use serde_json::json;

    #[test]
    fn only_what_looks_and_needs_no_argument() {
        let call = |name: &str, input: Value| ToolCall { id: "a".into(), name: name.to_owned(), input };
        let names = tools::all().iter().map(|tool| tool.name);
        let found: Vec<&str> = names.filter(|name| may_prefetch(&call(name, json!({})))).collect();
        assert_eq!(found, ["capabilities", "datetime", "list_skills", "list_tools"]);
        for (name, input) in [("datetime", json!({ "timezone_offset_minutes": 60 })), ("nobody", json!({}))] {
            assert!(!may_prefetch(&call(name, input)), "{name}");
        }
    }
}
