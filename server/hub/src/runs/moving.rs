//! Moving house: an agent goes to the other home, or its run to another tab, with all that it has.

use super::hand_over::Destination;
use crate::error::{Error, Result};
use crate::live::TabKey;
use crate::log::EntryScope;
use crate::runs::OwnRuns;
use protocol::agent::Home;
use protocol::view::When;
use protocol::{AgentId, TabId};

impl OwnRuns<'_> {
    /// Goes on with the run under way in this tab, wherever it was driven.
    pub async fn take_over(self, agent: &AgentId, tab: &TabId) -> Result<()> {
        self.scoped.require_agent(agent).await?;
        let tab = self.scoped.hub.live().tab_named(tab, self.scoped.viewer).ok_or_else(|| {
            Error::Conflict("This page has no connection to the hub. Try again in a moment.".to_owned())
        })?;
        let Some(execution) = self.scoped.hub.active_runs().active(agent) else {
            return Err(Error::Conflict(
                "The agent is not at work, so there is nothing to take over.".to_owned(),
            ));
        };
        match execution.home() {
            Home::Hub => Err(Error::Conflict(
                "The agent lives on the hub, which does its work. Bring it home to run it here.".to_owned(),
            )),
            Home::Browser if execution.driving_tab() == Some(tab) => Ok(()),
            Home::Browser => execution.hand_over(Destination::Tab(tab)).await,
        }
    }

    /// Moves the agent to the other home. A run under way goes along, now or when its turn is over;
    /// to a browser it goes only with a tab there.
    pub async fn move_agent(
        self,
        agent: &AgentId,
        home: Home,
        when: When,
        tab: Option<&TabId>,
    ) -> Result<()> {
        let view = self.scoped.agents().get(agent).await?;
        if home == Home::Hub
            && let Some(on_device) = self.scoped.hub.runs().definition(agent).await?.spec.on_device
        {
            return Err(Error::Conflict(match on_device.key {
                None => "The model of this agent is on a device, where only a browser can call it. Choose another provider before you move the agent to the hub.".to_owned(),
                Some(slot) => format!(
                    "The key of {} is kept on your devices and not in the hub. Choose a provider whose key is in the hub before you move the agent there.",
                    slot.name
                ),
            }));
        }
        let run = self.scoped.hub.active_runs().active(agent).filter(|run| run.home() != home);
        let Some(run) = run else {
            if view.home == home {
                return Ok(());
            }
            let place = EntryScope { agent: agent.clone(), conversation: Some(view.conversation), run: None };
            let mut appending = self.scoped.hub.log().appending().await?;
            appending.move_agent(&place, home, None).await?;
            self.scoped.hub.log().commit(appending).await?;
            return Ok(());
        };
        let to = match home {
            Home::Hub => Destination::Hub,
            Home::Browser => Destination::Tab(self.shown_in(agent, tab)?),
        };
        match when {
            When::Now => run.hand_over(to).await,
            When::After => {
                run.bind_for(to);
                Ok(())
            }
        }
    }

    fn shown_in(self, agent: &AgentId, tab: Option<&TabId>) -> Result<TabKey> {
        tab.and_then(|tab| self.scoped.hub.live().tab_named(tab, self.scoped.viewer))
            .or_else(|| self.scoped.hub.live().stage(agent).map(|tab| tab.key))
            .ok_or_else(|| {
                Error::Conflict(
                    "The agent is at work, and no page of it is open to take it. Open one, or wait until it rests."
                        .to_owned(),
                )
            })
    }
}
