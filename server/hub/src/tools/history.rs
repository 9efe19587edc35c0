//! `context_search`: the conversation in full, whatever the model is still told of it, read a part at a
//! time.

use super::ToolError;
use crate::gateway::Caller;
use crate::log::Lineage;
use agent::context::search::{Query, Search};
use agent::tools::ResolvedCall;
use serde_json::json;

pub(super) async fn find(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let query: Query = serde_json::from_value(call.input().clone())?;
    let mut search = Search::new(query);
    let mut after = search.first().saturating_sub(1);
    let lineage = Lineage::of(caller.hub.store().read(), caller.conversation).await?;
    loop {
        let part = lineage.after(caller.hub.store(), after).await?;
        part.entries.iter().for_each(|entry| search.take(entry));
        after = part.entries.last().map_or(after, |entry| entry.seq);
        if part.is_last || search.is_over() {
            return Ok(json!({ "hits": search.hits() }).to_string());
        }
    }
}
