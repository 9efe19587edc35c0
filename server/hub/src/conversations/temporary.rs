//! Conversations that leave nothing behind: no memory in them or of them, and gone a day after they were last used.

use super::changes::{insert, keep_one, remove_old, require_room};
use super::{Conversations, OwnConversations};
use crate::agents;
use crate::error::Result;
use crate::store::{Transaction, query};
use protocol::view::ConversationView;
use protocol::{AgentId, ConversationId};

/// How long after its last use one is there: a day.
const KEPT_MS: i64 = 24 * 60 * 60 * 1000;

impl OwnConversations<'_> {
    /// Begins a temporary conversation. What schedules, programs and the agent's page say never joins it.
    pub async fn create_temporary(self, agent: &AgentId) -> Result<ConversationView> {
        self.scoped.require_agent(agent).await?;
        self.scoped.hub.spaces().require(&self.scoped.viewer.me.id).await?;
        let mut tx = self.scoped.hub.store().write().await?;
        agents::lock(&mut tx, agent).await?;
        require_room(&mut tx, agent).await?;
        let id = insert(&mut tx, agent, self.scoped.hub.now()).await?;
        query("UPDATE conversations SET temporary = 1 WHERE id = $1", (&id,)).execute(&mut *tx).await?;
        tx.commit().await?;
        self.get(&id).await
    }
}

impl Conversations<'_> {
    /// Removes those that were not used for a day.
    pub(crate) async fn remove_temporary(self) -> Result<()> {
        let now = self.hub.now();
        let old: Vec<AgentId> = query(
            "SELECT DISTINCT agent_id FROM conversations
             WHERE temporary = 1 AND used_at < $1 AND deleted_at IS NULL",
            (now - KEPT_MS,),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        for agent in old {
            let mut tx = self.hub.store().write().await?;
            agents::lock(&mut tx, &agent).await?;
            remove_old(&mut tx, &agent, now).await?;
            keep_one(&mut tx, &agent, now).await?;
            tx.commit().await?;
            self.hub.live().changed_beside_the_log(&agent);
        }
        Ok(())
    }

    /// What is said in the one because of the other leaves nothing behind either.
    pub(crate) async fn be_as_temporary(
        self,
        tx: &mut Transaction,
        id: &ConversationId,
        as_this: &ConversationId,
    ) -> Result<()> {
        query(
            "UPDATE conversations SET temporary = (SELECT o.temporary FROM conversations o WHERE o.id = $2)
             WHERE id = $1",
            (id, as_this),
        )
        .execute(&mut **tx)
        .await?;
        Ok(())
    }
}

/// Puts those of the agent that are over with what is to be removed. One in which it is at work is not over.
pub(super) async fn give_up_old(tx: &mut Transaction, agent: &AgentId, now: i64) -> Result<()> {
    query(
        "UPDATE conversations SET deleted_at = 0
         WHERE agent_id = $1 AND temporary = 1 AND used_at < $2 AND deleted_at IS NULL
           AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.conversation_id = conversations.id AND r.running = 1)",
        (agent, now - KEPT_MS),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
