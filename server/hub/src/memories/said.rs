//! What was said, as the beginning of a memory.

use super::OwnMemories;
use crate::error::{Error, Result};
use crate::store::query;
use agent::tools::LONGEST_MEMORY;
use protocol::log::{Entry, EntryBody};
use protocol::model::Block;
use protocol::{AgentId, RunId};

/// Entries of a run that are looked through from its end.
const LAST: i64 = 50;

impl OwnMemories<'_> {
    /// The first 500 characters of the person's message that is the entry `seq` of the agent's log.
    pub async fn of_message(self, agent: &AgentId, seq: u64) -> Result<String> {
        self.scoped.require_agent(agent).await?;
        let seq = i64::try_from(seq).map_err(|_| Error::NotFound("message"))?;
        let entry: Option<Entry> = query(
            "SELECT agent_id, seq, at, conversation_id, run_id, body FROM entries WHERE agent_id = $1 AND seq = $2",
            (agent, seq),
        )
        .fetch_optional(self.scoped.hub.store().read())
        .await?;
        match entry.map(|entry| entry.body) {
            Some(EntryBody::Message { text, .. }) => Ok(shortened(&text)),
            _ => Err(Error::NotFound("message")),
        }
    }

    /// The first 500 characters of what the agent said last in this run.
    pub async fn of_answer(self, agent: &AgentId, run: &RunId) -> Result<String> {
        self.scoped.require_agent(agent).await?;
        let last: Vec<Entry> = query(
            "SELECT agent_id, seq, at, conversation_id, run_id, body FROM entries
             WHERE agent_id = $1 AND run_id = $2 ORDER BY seq DESC LIMIT $3",
            (agent, run, LAST),
        )
        .fetch_all(self.scoped.hub.store().read())
        .await?;
        for entry in last {
            if let EntryBody::Block { block: Block::Text { text }, .. } = entry.body {
                return Ok(shortened(&text));
            }
        }
        Err(Error::NotFound("answer"))
    }
}

fn shortened(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(LONGEST_MEMORY).collect()
}
