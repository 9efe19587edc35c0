//! Calls that may be made before a model asks for them.

use super::{Repeat, ResolvedCall, Risk};

impl ResolvedCall {
    /// Whether it only looks, may be made at any time, and has nothing in it that a model would have to
    /// choose. A hub takes no other call of a loop's own.
    pub fn may_prefetch(&self) -> bool {
        let Some(tool) = self.tool() else {
            return false;
        };
        let schema = tool.spec().input_schema;
        let needs_nothing = schema["required"].as_array().is_none_or(Vec::is_empty) && tool.query.is_none();
        let says_nothing = self.asked().input.as_object().is_some_and(serde_json::Map::is_empty);
        tool.repeat == Repeat::Idempotent
            && tool.risk == Risk::None
            && needs_nothing
            && says_nothing
            && self.is_read_only()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools;
    use protocol::model::ToolCall;
    use serde_json::{Value, json};

    #[test]
    fn only_what_looks_and_needs_no_argument() {
        let call = |name: &str, input: Value| {
            ResolvedCall::of(ToolCall { id: "a".into(), name: name.to_owned(), input })
        };
        let names = tools::all().iter().map(|tool| tool.name);
        let found: Vec<&str> = names.filter(|name| call(name, json!({})).may_prefetch()).collect();
        assert_eq!(
            found,
            [
                "capabilities",
                "datetime",
                "list_skills",
                "agent_list",
                "pipeline_status",
                "list_topics",
                "list_tools",
                "audit_log"
            ]
        );
        for (name, input) in [("datetime", json!({ "timezone_offset_minutes": 60 })), ("nobody", json!({}))] {
            assert!(!call(name, input).may_prefetch(), "{name}");
        }
    }
}
