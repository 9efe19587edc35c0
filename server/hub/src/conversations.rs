//! Conversations, and what a tab says about the agents it shows.

use crate::Hub;
use crate::access::Scoped;
use crate::error::{Error, Result};
use crate::live::Tab;
use crate::log::{self, Place};
use crate::runs::Execution;
use crate::state;
use protocol::frame::SkinDone;
use protocol::hub::{HubFrame, RunAsk, RunReply};
use protocol::log::{Entry, EntryBody, Outcome};
use protocol::{AgentId, ConversationId, RunId};
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
        self.link().set_active(showing, self.hub().live.next_activity());
        Ok(())
    }

    /// `flo.state.set` in the agent's page.
    pub async fn set_state(&self, agent: &AgentId, key: String, value: Value) -> Result<()> {
        self.hub().for_viewer(self.viewer()).require_agent(agent).await?;
        let mut appending = self.hub().appending().await?;
        state::put_state(&mut appending.tx, agent, &key, &value).await?;
        let place = Place { agent: agent.clone(), conversation: None, run: None };
        appending.append(&place, EntryBody::State { key, value }).await?;
        self.hub().commit(appending).await?;
        Ok(())
    }

    /// The page's answer to a call that this tab was asked to perform.
    pub fn skin_done(&self, request: u64, done: SkinDone) {
        self.hub().live.answer_skin_call(self.link().key, request, done);
    }

    /// What the driver of a browser-home run in this tab asks for. Believed only with its lease.
    pub async fn run_ask(&self, run: &RunId, token: &str, ask: RunAsk) {
        let lost = || self.send(&HubFrame::Run { run: run.clone(), reply: RunReply::Lost });
        let Some(execution) = self.hub().runs.leased(run, token) else { return lost() };
        if execution.tab != Some(self.link().key) {
            return lost();
        }
        match ask {
            RunAsk::Credit { count } => execution.add_credit(count),
            RunAsk::Effect { effect } => self.judge(&execution, execution.perform(effect).await).await,
            RunAsk::Told { turn, event } => self.judge(&execution, execution.told(turn, event).await).await,
            RunAsk::AsideTold { turn, purpose, usage } => {
                self.judge(&execution, execution.aside_told(turn, purpose, usage).await).await;
            }
        }
    }

    /// A driver that does what it may not loses its run.
    async fn judge(&self, execution: &Execution, outcome: Result<()>) {
        let Err(error) = outcome else { return };
        let failure = error.into_failure();
        let why = format!("The loop in the browser did something it may not: {failure}");
        self.send(&HubFrame::Refused { failure });
        execution.force_finish(Outcome::Interrupted { why }).await;
    }
}
