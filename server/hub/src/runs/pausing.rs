//! A pause: the run under way ends before its next model call, and none begins until the person says so. What is said,
//! due or asked meanwhile waits.

use super::Execution;
use crate::agents;
use crate::error::{Error, Result};
use crate::runs::{OwnRuns, Runs};
use crate::store::query;
use protocol::agent::Home;
use protocol::log::Outcome;
use protocol::{AgentId, ConversationId, UserId};
use std::sync::atomic::Ordering;

impl OwnRuns<'_> {
    /// Pauses the agent, or lets it go on with what waited.
    pub async fn pause(self, agent: &AgentId, paused: bool) -> Result<()> {
        self.scoped.require_agent(agent).await?;
        self.set_paused(agent, paused).await
    }

    /// The same for all of the viewer's agents.
    pub async fn pause_all(self, paused: bool) -> Result<()> {
        for card in self.scoped.agents().list().await? {
            if card.paused != paused {
                self.set_paused(&card.id, paused).await?;
            }
        }
        Ok(())
    }

    async fn set_paused(self, agent: &AgentId, paused: bool) -> Result<()> {
        let hub = self.scoped.hub;
        let mut tx = hub.store().write().await?;
        let root = agents::root_of(&mut tx, agent).await?;
        if paused {
            let statement = "UPDATE agents SET paused_at = $2 WHERE id = $1 AND paused_at IS NULL";
            query(statement, (&root, hub.now())).execute(&mut *tx).await?;
            tx.commit().await?;
            hub.runs().end_where_nobody_asks_again(&root).await?;
            hub.live().changed_beside_the_log(&root);
            return Ok(());
        }
        let waits_in: Option<Option<ConversationId>> =
            query("SELECT paused_in FROM agents WHERE id = $1", (&root,)).fetch_optional(&mut *tx).await?;
        query("UPDATE agents SET paused_at = NULL, paused_in = NULL WHERE id = $1", (&root,))
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        hub.live().changed_beside_the_log(&root);
        hub.runs().go_on(&self.scoped.viewer.me.id, &root, waits_in.flatten()).await
    }
}

impl Runs<'_> {
    /// A loop whose model is on a device asks for no calls here, so its run ends at once.
    async fn end_where_nobody_asks_again(self, agent: &AgentId) -> Result<()> {
        let Some(execution) = self.hub.active_runs().active(agent) else { return Ok(()) };
        if execution.spec.on_device.is_none() {
            return Ok(());
        }
        execution.note_pause().await?;
        execution.end_by_force(Outcome::Stopped).await
    }

    /// Begins what waited: the run that the pause ended, or what was said, and what is due or was asked.
    async fn go_on(self, owner: &UserId, agent: &AgentId, waits_in: Option<ConversationId>) -> Result<()> {
        let home: Home = query("SELECT home FROM agents WHERE id = $1", (agent,))
            .fetch_optional(self.hub.store().read())
            .await?
            .ok_or(Error::NotFound("agent"))?;
        if home == Home::Hub || self.hub.live().stage(agent).is_some() {
            let is_kept = match &waits_in {
                Some(conversation) => self.hub.conversations().is_kept(conversation).await?,
                None => false,
            };
            match waits_in.filter(|_| is_kept) {
                Some(conversation) => drop(self.continue_run(agent, conversation, None).await?),
                None => self.answer_unread_of(agent, None).await?,
            }
        }
        self.wake(agent).await?;
        self.hub.delegations().begin_queued(owner).await?;
        self.hub.schedules().let_schedules_run(agent, None).await?;
        self.arm_ambient_run(agent).await
    }
}

impl Execution {
    /// Ends the run where its agent was paused; `false`: it goes on. Whoever calls it holds `writing`.
    pub(super) async fn ends_for_a_pause(&self) -> Result<bool> {
        if !agents::is_paused(self.hub.store().read(), &self.agent).await? {
            return Ok(false);
        }
        self.note_pause().await?;
        self.finish(Outcome::Stopped).await?;
        Ok(true)
    }

    /// Where the agent goes on. What another agent asked is over for that one, and nobody waits for a thought.
    async fn note_pause(&self) -> Result<()> {
        self.is_paused.store(true, Ordering::Relaxed);
        let mut tx = self.hub.store().write().await?;
        query(
            "UPDATE agents SET paused_in = $2 WHERE id = $1 AND root_id IS NULL AND EXISTS (
                 SELECT 1 FROM runs r WHERE r.id = $3 AND r.chain IS NULL AND r.ambient = 0)",
            (&self.agent, &self.conversation, &self.run),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await
    }
}
