//! What was said, as the beginning of a memory.

use super::OwnMemories;
use super::source::Source;
use crate::error::{Error, Result};
use crate::log::{self, packed};
use crate::store::query;
use agent::tools::LONGEST_MEMORY;
use protocol::log::{Entry, EntryBody};
use protocol::model::Block;
use protocol::view::SaidAt;
use protocol::{AgentId, RunId};

/// Entries of a run that are looked through from its end.
const LAST: i64 = 50;

impl OwnMemories<'_> {
    /// Its first 500 characters.
    pub async fn said(self, at: &SaidAt) -> Result<String> {
        match self.entry_at(at).await?.body {
            EntryBody::Message { text, .. } | EntryBody::Block { block: Block::Text { text }, .. } => {
                Ok(shortened(&text))
            }
            _ => Err(Error::NotFound("message")),
        }
    }

    /// What a memory of it comes from.
    pub(super) async fn source_of(self, at: &SaidAt) -> Result<Source> {
        let entry = self.entry_at(at).await?;
        let strangers = match &entry.body {
            EntryBody::Message { from, .. } => !from.speaks_for_person(),
            _ => self.scoped.hub.memories().has_read_strangers(&at.agent).await?,
        };
        Ok(Source { conversation: entry.conversation, seq: Some(entry.seq), strangers, page: None })
    }

    /// The message or the words of the agent.
    async fn entry_at(self, at: &SaidAt) -> Result<Entry> {
        self.scoped.require_agent(&at.agent).await?;
        match at.message {
            Some(seq) => self.message(&at.agent, seq).await,
            None => self.last_words(&at.agent, &at.run).await,
        }
    }

    async fn message(self, agent: &AgentId, seq: u64) -> Result<Entry> {
        let store = self.scoped.hub.store();
        let entry = log::entry_at(store, agent, seq).await?;
        let entry = entry.filter(|entry| matches!(entry.body, EntryBody::Message { .. }));
        entry.ok_or(Error::NotFound("message"))
    }

    async fn last_words(self, agent: &AgentId, run: &RunId) -> Result<Entry> {
        let store = self.scoped.hub.store();
        packed::bring_back_run(store, run).await?;
        let last: Vec<Entry> = query(
            "SELECT agent_id, seq, at, conversation_id, run_id, body FROM entries
             WHERE agent_id = $1 AND run_id = $2 ORDER BY seq DESC LIMIT $3",
            (agent, run, LAST),
        )
        .fetch_all(store.read())
        .await?;
        let is_text =
            |entry: &Entry| matches!(entry.body, EntryBody::Block { block: Block::Text { .. }, .. });
        last.into_iter().find(is_text).ok_or(Error::NotFound("answer"))
    }
}

fn shortened(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(LONGEST_MEMORY).collect()
}
