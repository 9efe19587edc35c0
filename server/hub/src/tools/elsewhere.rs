//! Tools of MCP servers.

use super::ToolError;
use crate::gateway::Caller;
use crate::mcp_servers::{McpFailure, McpTool};
use agent::tools::ResolvedCall;
use serde_json::json;

pub(super) async fn call(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    tool: &McpTool,
) -> Result<String, ToolError> {
    let called = caller.hub.mcp_servers().call(caller.owner, caller.root, tool, call.input()).await;
    called.map_err(told)?.map_err(ToolError)
}

/// What a server says of a failure is told as an object: like a result of its, it stands behind a fence then.
fn told(failure: McpFailure) -> ToolError {
    match failure {
        McpFailure::Said(words) => ToolError(json!({ "error": words }).to_string()),
        ours => ToolError(ours.to_string()),
    }
}
