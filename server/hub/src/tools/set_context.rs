//! `set_context`: what an agent notes of its person's context.

use super::ToolError;
use crate::gateway::Caller;
use agent::tools::ResolvedCall;
use serde_json::{Value, json};

pub(super) async fn perform(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let text = |field| call.input().get(field).and_then(Value::as_str).unwrap_or_default();
    let contexts = caller.hub.person_contexts();
    contexts.note(caller.owner, caller.agent, text("name"), text("value")).await?;
    Ok(json!({ "ok": true }).to_string())
}
