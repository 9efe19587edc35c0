//! `context_search`: the conversation in full, whatever the model is still told of it.

use super::ToolError;
use crate::gateway::Caller;
use crate::log::conversation_entries;
use agent::context::search::{Query, search};
use protocol::model::ToolCall;
use serde_json::json;

pub(super) async fn find(caller: &Caller<'_>, call: &ToolCall) -> Result<String, ToolError> {
    let query: Query = serde_json::from_value(call.input.clone())?;
    let entries = conversation_entries(&caller.hub.store, caller.conversation).await?;
    Ok(json!({ "hits": search(&entries, &query) }).to_string())
}
