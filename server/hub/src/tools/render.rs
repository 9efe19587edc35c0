//! `render_ui`: the call itself, in the log, is what a conversation shows.

use super::ToolError;
use agent::tools::ResolvedCall;
use serde_json::{Value, json};

/// Longest piece of interface, in bytes.
const MAX_HTML_BYTES: usize = 128 * 1024;

pub(super) fn accept(call: &ResolvedCall) -> Result<String, ToolError> {
    let html = call.input().get("html").and_then(Value::as_str).unwrap_or_default();
    if html.len() > MAX_HTML_BYTES {
        let why =
            format!("The HTML has {} bytes; {MAX_HTML_BYTES} are the most. Nothing is shown.", html.len());
        return Err(ToolError(why));
    }
    Ok(json!({ "shown": "in the conversation" }).to_string())
}
