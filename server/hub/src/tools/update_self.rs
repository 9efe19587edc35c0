//! `update_self`: an agent changes its own instructions.

use super::ToolError;
use crate::gateway::Caller;
use crate::instructions::InstructionsChange;
use agent::tools::ResolvedCall;
use serde_json::{Value, json};

pub(super) async fn perform(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let text = |field| call.input().get(field).and_then(Value::as_str).unwrap_or_default();
    let change = match text("action") {
        "replace" => InstructionsChange::Replace,
        "append" => InstructionsChange::Append,
        "prepend" => InstructionsChange::Prepend,
        action => return Err(ToolError(format!("update_self has no action {action}."))),
    };
    let changed = caller.hub.instructions().change_own(&caller.place(), change, text("text")).await?;
    let answer = json!({
        "ok": true,
        "version": changed.version,
        "diff": changed.difference,
        "counts": "from your next run on",
    });
    Ok(answer.to_string())
}
