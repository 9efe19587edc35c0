//! Conversations that were held elsewhere before they came here.

use super::changes::require_room;
use super::title;
use crate::clock::new_id;
use crate::error::Result;
use crate::log::Appending;
use crate::store::query;
use protocol::{AgentId, ConversationId};

/// A conversation as it was called elsewhere, and when it was held, in Unix milliseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held<'a> {
    /// May be empty.
    pub(crate) title: &'a str,
    pub(crate) first_words: &'a str,
    pub(crate) begun_at: i64,
    pub(crate) used_at: i64,
}

impl Appending {
    /// It stands behind all that the agent has: what was used last stays that.
    pub(crate) async fn insert_past_conversation(
        &mut self,
        agent: &AgentId,
        held: Held<'_>,
    ) -> Result<ConversationId> {
        require_room(&mut self.tx, agent).await?;
        let id = ConversationId(new_id());
        let title = title::of_elsewhere(held.title, held.first_words);
        query(
            "INSERT INTO conversations (id, agent_id, title, titled_by, created_at, used_at, place, family)
             SELECT $1, $2, $3, 'person', CAST($4 AS BIGINT), CAST($5 AS BIGINT), COALESCE(MIN(place), 0) - 1, $1
             FROM conversations WHERE agent_id = $2",
            (&id, agent, title, held.begun_at, held.used_at),
        )
        .execute(&mut *self.tx)
        .await?;
        Ok(id)
    }
}
