//! What an agent is told of what is remembered: in its prompt, and when it asks.

use super::Memories;
use super::rows::{self, Stored};
use super::stems::Stemmed;
use crate::error::Result;
use crate::store::query;
use jiff::Timestamp;
use protocol::view::{Memory, MemoryState};
use protocol::{AgentId, ConversationId, MemoryId, UserId};

/// What stands in a prompt, in characters: about 800 tokens.
const PROMPT_CHARS: usize = 3_200;
/// Those that are looked at for it, the most important: half as many of the shortest fit.
const MOST_TOLD: usize = 400;
/// So long the same memories stand in the prompts of a conversation: providers cache what requests begin with.
const SAME_FOR_MS: i64 = 60 * 60 * 1000;
/// Those that an agent is given at a time.
const AT_A_TIME: usize = 10;

/// What an agent is told in its prompt, and which memories that are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told {
    pub(crate) text: String,
    pub(crate) memories: Vec<MemoryId>,
}

impl Memories<'_> {
    /// What stands in the prompt of a run that begins in this conversation. What was written since the last one
    /// stands there after an hour, what was forgotten nevermore.
    pub(crate) async fn for_run(
        self,
        owner: &UserId,
        agent: &AgentId,
        conversation: &ConversationId,
    ) -> Result<Told> {
        let now = self.hub.now();
        let told_at = self.told_at(conversation).await?;
        let upto = match told_at {
            Some(at) if now.saturating_sub(at) < SAME_FOR_MS => at,
            Some(_) | None => now,
        };
        let told = self.told(owner, agent, upto).await?;
        if !told.memories.is_empty() && told_at != Some(upto) {
            let mut tx = self.hub.store().write().await?;
            query("UPDATE conversations SET memories_at = $2 WHERE id = $1", (conversation, upto))
                .execute(&mut *tx)
                .await?;
            tx.commit().await?;
        }
        Ok(told)
    }

    /// What stands in the prompt of the conversation's last run.
    pub(crate) async fn in_prompt(
        self,
        owner: &UserId,
        agent: &AgentId,
        conversation: &ConversationId,
    ) -> Result<String> {
        match self.told_at(conversation).await? {
            Some(at) => Ok(self.told(owner, agent, at).await?.text),
            None => Ok(String::new()),
        }
    }

    async fn told_at(self, conversation: &ConversationId) -> Result<Option<i64>> {
        let at: Option<Option<i64>> =
            query("SELECT memories_at FROM conversations WHERE id = $1", (conversation,))
                .fetch_optional(self.hub.store().read())
                .await?;
        Ok(at.flatten())
    }

    /// The most important that fit, in the order in which they were written.
    async fn told(self, owner: &UserId, agent: &AgentId, upto: i64) -> Result<Told> {
        let all = rows::important(self.hub.store().read(), owner, agent, upto, MOST_TOLD).await?;
        let mut room = PROMPT_CHARS;
        let mut told: Vec<(i64, String, MemoryId)> = Vec::new();
        for Stored { memory, created_at, .. } in all {
            let line = line_of(&memory);
            let Some(left) = room.checked_sub(line.chars().count() + 1) else { continue };
            room = left;
            told.push((created_at, line, memory.id));
        }
        told.sort();
        let (lines, memories): (Vec<String>, Vec<MemoryId>) =
            told.into_iter().map(|(_, line, id)| (line, id)).unzip();
        Ok(Told { text: lines.join("\n"), memories })
    }

    /// Those that fit best to these words, or without any those that changed last.
    pub(crate) async fn find(self, owner: &UserId, agent: &AgentId, text: &str) -> Result<Vec<Memory>> {
        let words = Stemmed::words_of(text);
        if words.is_empty() {
            let store = self.hub.store().read();
            return rows::latest(store, owner, Some(agent), MemoryState::Kept, (0, AT_A_TIME)).await;
        }
        let found = self.found(owner, Some(agent), text, &words).await?;
        let found: Vec<_> = found.iter().take(AT_A_TIME).collect();
        rows::kept(self.hub.store(), owner, &found).await
    }
}

fn line_of(memory: &Memory) -> String {
    let day = Timestamp::from_millisecond(memory.changed_at).unwrap_or_default().strftime("%Y-%m-%d");
    format!("- [{day}] {}", memory.text)
}
