//! Where memories come from.

use super::Memories;
use crate::error::Result;
use crate::store::query;
use protocol::log::{Entry, EntryBody};
use protocol::{AgentId, ConversationId};
use serde_json::Value;

/// Calls of a conversation that are looked through for the page that was read last, and characters of its address.
const LAST: i64 = 30;
const LONGEST: usize = 500;

/// Where an agent writes a memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    pub(crate) agent: &'a AgentId,
    pub(crate) conversation: &'a ConversationId,
    /// The message that it is of. `None`: the last one.
    pub(crate) seq: Option<u64>,
}

/// What the words of a memory came from.
#[derive(Clone, Debug, Default)]
pub(super) struct Source {
    pub(super) conversation: Option<ConversationId>,
    pub(super) seq: Option<u64>,
    /// Words of strangers had a part in it.
    pub(super) strangers: bool,
    pub(super) page: Option<String>,
}

impl Memories<'_> {
    pub(super) async fn source_at(self, at: Place<'_>, strangers: bool) -> Result<Source> {
        let seq = match at.seq {
            Some(seq) => Some(seq),
            None => self.last_message(at.conversation).await?,
        };
        let page = if strangers { self.last_page(at.conversation).await? } else { None };
        Ok(Source { conversation: Some(at.conversation.clone()), seq, strangers, page })
    }

    async fn last_message(self, conversation: &ConversationId) -> Result<Option<u64>> {
        query(
            "SELECT seq FROM entries WHERE conversation_id = $1 AND kind = 'message' ORDER BY seq DESC LIMIT 1",
            (conversation,),
        )
        .fetch_optional(self.hub.store().read())
        .await
    }

    /// The address that a tool was last given in this conversation.
    async fn last_page(self, conversation: &ConversationId) -> Result<Option<String>> {
        let calls: Vec<Entry> = query(
            "SELECT agent_id, seq, at, conversation_id, run_id, body FROM entries
             WHERE conversation_id = $1 AND kind = 'tool_started' ORDER BY seq DESC LIMIT $2",
            (conversation, LAST),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        let address = |entry: Entry| match entry.body {
            EntryBody::ToolStarted { call, .. } => {
                call.input.get("url").and_then(Value::as_str).map(|url| url.chars().take(LONGEST).collect())
            }
            _ => None,
        };
        Ok(calls.into_iter().find_map(address))
    }
}
