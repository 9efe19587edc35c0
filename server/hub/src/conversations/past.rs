//! Conversations that were held elsewhere before they came here. They have the times that they had, and when they came:
//! what nobody uses is as old as that at most.

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

/// Where a branch that was made elsewhere begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PastBranch<'a> {
    pub(crate) left: &'a ConversationId,
    /// The first entry of that one that it has something else instead of.
    pub(crate) at: u64,
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
            "INSERT INTO conversations (id, agent_id, title, titled_by, created_at, used_at, place, family, brought_at)
             SELECT $1, $2, $3, 'person', CAST($4 AS BIGINT), CAST($5 AS BIGINT), COALESCE(MIN(place), 0) - 1, $1,
                    CAST($6 AS BIGINT)
             FROM conversations WHERE agent_id = $2",
            (&id, agent, title, held.begun_at, held.used_at, self.now()),
        )
        .execute(&mut *self.tx)
        .await?;
        Ok(id)
    }

    /// A branch of one that was brought in with it. In the list it stands behind that.
    pub(crate) async fn insert_past_branch(
        &mut self,
        of: &ConversationId,
        branch: PastBranch<'_>,
    ) -> Result<ConversationId> {
        let id = ConversationId(new_id());
        query(
            "INSERT INTO conversations (id, agent_id, title, titled_by, created_at, used_at, place, family,
                                        branched_from, branched_at, brought_at)
             SELECT $1, c.agent_id, c.title, c.titled_by, c.created_at, c.used_at,
                    (SELECT MIN(o.place) - 1 FROM conversations o WHERE o.agent_id = c.agent_id), c.family, $3,
                    CAST($4 AS BIGINT), c.brought_at
             FROM conversations c WHERE c.id = $2",
            (&id, of, branch.left, branch.at),
        )
        .execute(&mut *self.tx)
        .await?;
        Ok(id)
    }

    /// The list has this branch in the place of the other one, which takes its.
    pub(crate) async fn show_past_branch(
        &mut self,
        of: &ConversationId,
        branch: &ConversationId,
    ) -> Result<()> {
        for (id, place) in [(of, self.place_of(branch).await?), (branch, self.place_of(of).await?)] {
            query("UPDATE conversations SET place = $2 WHERE id = $1", (id, place))
                .execute(&mut *self.tx)
                .await?;
        }
        Ok(())
    }

    async fn place_of(&mut self, id: &ConversationId) -> Result<i64> {
        query("SELECT place FROM conversations WHERE id = $1", (id,)).fetch_one(&mut *self.tx).await
    }
}
