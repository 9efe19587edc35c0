//! The console: a person's agents at work, what goes between them, and a word to several at once.

mod answers;
mod flows;

use crate::access::Scoped;
use crate::error::{Error, Result};
use crate::runs::{Outgoing, check_message};
use protocol::view::{
    AgentCard, ConsoleAnswer, ConsoleDevice, ConsoleSent, ConsoleView, MOST_BESIDE, MOST_TOLD, Sent,
};
use protocol::{AgentId, DeviceId};
use std::collections::BTreeMap;

/// The viewer's console.
#[derive(Clone, Copy, Debug)]
pub struct Console<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn console(&self) -> Console<'a> {
        Console { scoped: *self }
    }
}

impl Console<'_> {
    /// What goes on between the agents, and which devices look on.
    pub async fn show(self) -> Result<ConsoleView> {
        let hub = self.scoped.hub;
        let flows = flows::since_yesterday(hub.store().read(), &self.scoped.viewer.me.id, hub.now()).await?;
        let lately = self.scoped.delegations().lately().await?;
        Ok(ConsoleView { flows, lately, devices: self.devices().await? })
    }

    async fn devices(self) -> Result<Vec<ConsoleDevice>> {
        let hub = self.scoped.hub;
        let mut devices: BTreeMap<Option<DeviceId>, ConsoleDevice> = BTreeMap::new();
        for tab in hub.live().tabs_of(&self.scoped.viewer.me.id) {
            let one = devices.entry(tab.device.clone()).or_insert_with(|| ConsoleDevice {
                device: tab.device.clone(),
                name: String::new(),
                tabs: 0,
                visible: false,
                agents: Vec::new(),
            });
            one.tabs += 1;
            one.visible |= tab.able().visible;
            one.agents.extend(tab.showing().filter(|agent| !one.agents.contains(agent)));
        }
        let mut devices: Vec<ConsoleDevice> = devices.into_values().collect();
        for one in &mut devices {
            one.name = hub.accounts().device_name_of(one.device.as_ref()).await?;
            one.agents.sort();
        }
        devices.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(devices)
    }

    /// Says it to each of them, in the conversation that was used last. Where it did not reach all, the error says
    /// whom it reached: what is said again under the same `key` reaches the others alone.
    pub async fn say(self, agents: &[AgentId], text: &str, key: Option<&str>) -> Result<Vec<ConsoleSent>> {
        let text = check_message(text)?;
        let chosen = self.chosen(agents).await?;
        match chosen.len() {
            0 => return Err(Error::invalid("Choose the agents that you say it to.")),
            1..=MOST_TOLD => {}
            _ => {
                return Err(Error::invalid(format!("At most {MOST_TOLD} agents can be told at once.")));
            }
        }
        let mut sent = Vec::with_capacity(chosen.len());
        let (mut reached, mut missed) = (Vec::new(), Vec::new());
        for AgentCard { id, name, .. } in chosen {
            match self.scoped.runs().send(&id, Outgoing { text, attachments: &[], key }, None).await {
                Ok(Sent { seq, conversation }) => {
                    sent.push(ConsoleSent { agent: id, conversation, seq });
                    reached.push(name);
                }
                Err(error) => missed.push((name, error)),
            }
        }
        if missed.is_empty() {
            return Ok(sent);
        }
        let (names, mut errors): (Vec<String>, Vec<Error>) = missed.into_iter().unzip();
        if reached.is_empty() {
            return Err(errors.swap_remove(0));
        }
        let (reached, names, why) =
            (reached.join(", "), names.join(", "), errors.swap_remove(0).into_failure());
        Err(Error::Conflict(format!("{reached} was told, and {names} was not. {why}")))
    }

    /// Stops what these are at work on, or, of none, what all of the viewer's are. How many were at work?
    pub async fn stop(self, agents: &[AgentId]) -> Result<u32> {
        let all = match agents {
            [] => self.scoped.agents().list().await?,
            agents => self.chosen(agents).await?,
        };
        let mut stopped = 0;
        for AgentCard { id, .. } in all {
            if self.scoped.hub.runs().conversation_at_work(&id).is_some() {
                self.scoped.runs().stop(&id).await?;
                stopped += 1;
            }
        }
        Ok(stopped)
    }

    /// What each of them was asked last, and what it has answered so far.
    pub async fn answers(self, agents: &[AgentId]) -> Result<Vec<ConsoleAnswer>> {
        let chosen = self.chosen(agents).await?;
        if chosen.len() > MOST_BESIDE {
            return Err(Error::invalid(format!("At most {MOST_BESIDE} answers can be read at once.")));
        }
        let mut answers = Vec::with_capacity(chosen.len());
        for card in chosen {
            answers.push(answers::of(self.scoped.hub, card).await?);
        }
        Ok(answers)
    }

    /// These, each once, in the order in which they are named.
    async fn chosen(self, agents: &[AgentId]) -> Result<Vec<AgentCard>> {
        let all = self.scoped.agents().list().await?;
        let mut chosen: Vec<AgentCard> = Vec::new();
        for id in agents {
            let card = all.iter().find(|card| card.id == *id).ok_or(Error::NotFound("agent"))?;
            if chosen.iter().all(|other| other.id != *id) {
                chosen.push(card.clone());
            }
        }
        Ok(chosen)
    }
}
