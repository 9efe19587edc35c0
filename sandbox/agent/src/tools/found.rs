//! Which tools a call has brought or taken: `tool_search` finds some, `create_tool` makes one and
//! `delete_tool` takes it away.

use protocol::model::{ToolCall, ToolResult, ToolSpec};
use serde::Deserialize;

pub const SEARCH: &str = "tool_search";
pub(super) const CREATE: &str = "create_tool";
pub(super) const DELETE: &str = "delete_tool";

/// What `tool_search` answers, in as much as the loop reads it.
#[derive(Deserialize)]
struct SearchResult {
    tools: Vec<FoundTool>,
}

#[derive(Deserialize)]
struct FoundTool {
    name: String,
}

/// The names of the tools that this call found.
pub(crate) fn found_by(call: &ToolCall, result: &ToolResult) -> Vec<String> {
    if call.name != SEARCH || result.is_error {
        return Vec::new();
    }
    let found: Option<SearchResult> = serde_json::from_str(&result.content).ok();
    found.map_or_else(Vec::new, |found| found.tools.into_iter().map(|tool| tool.name).collect())
}

/// The tool that this call made, as it can be called from now on.
pub(crate) fn made_by(call: &ToolCall, result: &ToolResult) -> Option<ToolSpec> {
    if call.name != CREATE || result.is_error {
        return None;
    }
    serde_json::from_value(call.input.clone()).ok()
}

/// The name of the tool that this call took away.
pub(crate) fn deleted_by<'a>(call: &'a ToolCall, result: &ToolResult) -> Option<&'a str> {
    if call.name != DELETE || result.is_error {
        return None;
    }
    call.input.get("name")?.as_str()
}
