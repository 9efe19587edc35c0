//! What a tab says about the agents that it shows.

use crate::error::{Error, Result};
use crate::live::{Tab, TabAnswer};
use crate::log::EntryScope;
use protocol::AgentId;
use protocol::agent::Ability;
use protocol::device::DeviceAnswer;
use protocol::page::SkinDone;
use serde_json::Value;

impl Tab {
    /// The person did something in this tab, which shows this agent's page.
    pub async fn set_active(&self, showing: Option<AgentId>) -> Result<()> {
        if let Some(agent) = &showing {
            self.hub().for_viewer(self.viewer()).require_agent(agent).await?;
        }
        self.hub().live().set_active(self.link(), showing.clone(), self.hub().moment());
        if let Some(agent) = &showing {
            self.hub().ledger().resume_in(agent, self.link().key).await?;
            self.hub().runs().tell_again(agent, self.link()).await;
            self.hub().runs().seat_parked_run(agent).await;
            self.hub().schedules().was_seen(agent).await?;
            self.hub().notifications().were_seen(agent).await?;
            self.hub().runs().answer_unread_of(agent, Some(self.link().key)).await?;
            self.hub().schedules().fire_waiting_of(agent).await?;
        }
        Ok(())
    }

    /// What the device of this tab can do, and whether a person sees the tab.
    pub fn set_able(&self, abilities: Vec<Ability>, visible: bool) {
        self.hub().live().set_able(self.link(), abilities, visible);
    }

    /// This tab would perform a call that was offered to it.
    pub fn skin_claim(&self, request: u64) {
        self.hub().live().claim_tab_call(self.link().key, request);
    }

    /// `flo.state.set` in the agent's page.
    pub async fn set_state(&self, agent: &AgentId, key: String, value: Value) -> Result<()> {
        let scoped = self.hub().for_viewer(self.viewer());
        scoped.require_agent(agent).await?;
        // A rule may wake the agent for it.
        scoped.require_counted().await?;
        self.link().writes.pass(agent, self.hub().moment())?;
        self.pass_bytes(agent, key.len() + value.to_string().len())?;
        self.hub().spaces().require(&self.viewer().me.id).await?;
        let (owner, written) = (&self.viewer().me.id, (key.as_str(), &value));
        if let Some(why) =
            self.hub().gateway().refuses_state_of_page(owner, agent, self.link(), written).await?
        {
            return Err(Error::Conflict(why));
        }
        let place = EntryScope { agent: agent.clone(), conversation: None, run: None };
        self.hub().states().write(&place, key, value).await
    }

    /// The page's answer to a call that this tab was asked to perform.
    pub fn skin_done(&self, request: u64, done: SkinDone) {
        self.hub().live().answer_tab_call(self.link().key, request, TabAnswer::Page(done));
    }

    /// What came of something that this tab's device was asked for.
    pub fn device_done(&self, request: u64, answer: DeviceAnswer) {
        self.hub().live().answer_tab_call(self.link().key, request, TabAnswer::Device(answer));
    }
}
