//! Conversations, and what a tab says about the agents it shows.

use crate::Hub;
use crate::access::Scoped;
use crate::error::{Error, Result};
use crate::live::Tab;
use crate::log::{self, Place};
use protocol::frame::SkinDone;
use protocol::hub::Ability;
use protocol::log::Entry;
use protocol::{AgentId, ConversationId};
use serde_json::Value;
use sqlx::Row as _;

/// Entries handed out at a time.
const PAGE: i64 = 500;

impl Hub {
    /// The conversation that new messages of this agent join.
    pub(crate) async fn conversation_of(&self, agent: &AgentId) -> Result<ConversationId> {
        let row =
            sqlx::query("SELECT id FROM conversations WHERE agent_id = $1 ORDER BY created_at DESC LIMIT 1")
                .bind(&agent.0)
                .fetch_optional(self.store.read())
                .await?
                .ok_or(Error::NotFound("agent"))?;
        Ok(ConversationId(row.try_get(0)?))
    }
}

impl Scoped<'_> {
    /// Fails unless the agent is there and the viewer's.
    pub(crate) async fn require_agent(&self, agent: &AgentId) -> Result<()> {
        sqlx::query("SELECT 1 FROM agents WHERE id = $1 AND user_id = $2")
            .bind(&agent.0)
            .bind(self.owner())
            .fetch_optional(self.hub.store.read())
            .await?
            .ok_or(Error::NotFound("agent"))?;
        Ok(())
    }

    /// At most 500 entries of the agent's log with `seq > after`, oldest first.
    pub async fn entries(&self, agent: &AgentId, after: u64) -> Result<Vec<Entry>> {
        self.require_agent(agent).await?;
        log::entries_after(&self.hub.store, agent, after, PAGE).await
    }
}

impl Tab {
    /// The person did something in this tab, which shows this agent's page.
    pub async fn set_active(&self, showing: Option<AgentId>) -> Result<()> {
        if let Some(agent) = &showing {
            self.hub().for_viewer(self.viewer()).require_agent(agent).await?;
        }
        self.hub().live.set_active(self.link(), showing.clone(), self.hub().now());
        if let Some(agent) = &showing {
            self.hub().resume_in(agent, self.link().key).await?;
            self.hub().seat_parked_run(agent).await;
        }
        Ok(())
    }

    /// What the device of this tab can do, and whether a person sees the tab.
    pub fn set_able(&self, abilities: Vec<Ability>, visible: bool) {
        self.hub().live.set_able(self.link(), abilities, visible);
    }

    /// This tab would perform a call that was offered to it.
    pub fn skin_claim(&self, request: u64) {
        self.hub().live.claim_skin_call(self.link().key, request);
    }

    /// `flo.state.set` in the agent's page.
    pub async fn set_state(&self, agent: &AgentId, key: String, value: Value) -> Result<()> {
        self.hub().for_viewer(self.viewer()).require_agent(agent).await?;
        self.link().writes.pass(agent, self.hub().now())?;
        self.pass_bytes(agent, key.len() + value.to_string().len())?;
        let (owner, written) = (&self.viewer().me.id, (key.as_str(), &value));
        if let Some(why) = self.hub().refuses_state_of_page(owner, agent, self.link(), written).await? {
            return Err(Error::Conflict(why));
        }
        let place = Place { agent: agent.clone(), conversation: None, run: None };
        self.hub().write_state(&place, key, value).await
    }

    /// Counts what the agent's page says, before it is kept.
    pub(crate) fn pass_bytes(&self, agent: &AgentId, bytes: usize) -> Result<()> {
        self.hub().page_bytes.pass(agent, bytes, self.hub().now())
    }

    /// The page's answer to a call that this tab was asked to perform.
    pub fn skin_done(&self, request: u64, done: SkinDone) {
        self.hub().live.answer_skin_call(self.link().key, request, done);
    }
}
