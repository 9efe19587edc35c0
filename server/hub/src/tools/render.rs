//! `render_ui`: the call itself, in the log, is what a conversation shows.

use super::ToolError;
use protocol::model::ToolCall;
use serde_json::{Value, json};

/// Longest piece of interface, in bytes.
const LONGEST: usize = 128 * 1024;

pub(super) fn accept(call: &ToolCall) -> Result<String, ToolError> {
    let html = call.input.get("html").and_then(Value::as_str).unwrap_or_default();
    if html.len() > LONGEST {
        let why = format!("The HTML has {} bytes; {LONGEST} are the most. Nothing is shown.", html.len());
        return Err(ToolError(why));
    }
    Ok(json!({ "shown": "in the conversation" }).to_string())
}
