//! What an agent is told of the devices that show its page: who came and who went since it was told
//! last. It is told with a run, at its start or with results, and never for its own sake, so that it
//! costs nothing while nobody speaks.

use super::Execution;
use crate::Hub;
use crate::error::Result;
use crate::live::Here;
use crate::log::Appending;
use agent::tools::{self, Place as Where};
use protocol::hub::{Ability, RunReply, RunSpec};
use protocol::log::{EntryBody, Sender};
use protocol::{AgentId, ConversationId};
use serde::{Deserialize, Serialize};
use sqlx::Row as _;
use std::sync::Arc;

/// What happens within this time is told as one.
const SETTLE_MS: i64 = 2_000;
/// Times that one run is told. What comes after that is told to the next one.
const MOST: usize = 8;

/// A device as the agent knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Known {
    /// Absent: it came with a token.
    id: Option<String>,
    name: String,
    abilities: Vec<Ability>,
}

/// Whether devices matter to an agent with these tools.
pub(super) fn matter(spec: &RunSpec) -> bool {
    let is_of_page = |name: &str| tools::find(name).is_some_and(|tool| tool.place == Where::Skin);
    spec.tools.iter().chain(&spec.deferred).any(|tool| is_of_page(&tool.name))
}

impl Hub {
    /// The devices that show the agent's page, by name.
    pub(super) async fn known_devices(&self, here: &Here) -> Result<Vec<Known>> {
        let mut known = Vec::new();
        for (device, abilities) in here {
            known.push(Known {
                id: device.as_ref().map(|device| device.0.clone()),
                name: self.device_name_of(device.as_ref()).await?,
                abilities: abilities.clone(),
            });
        }
        Ok(known)
    }
}

impl Appending {
    /// Says what changed since the agent was told last, if anything. It begins with what it finds.
    pub(super) async fn append_devices(
        &mut self,
        agent: &AgentId,
        conversation: &ConversationId,
        now: &[Known],
    ) -> Result<Option<(u64, String)>> {
        let row = sqlx::query("SELECT told FROM agent_devices WHERE agent_id = $1")
            .bind(&agent.0)
            .fetch_optional(&mut *self.tx)
            .await?;
        let told: Option<Vec<Known>> = match row {
            Some(row) => Some(serde_json::from_str(&row.try_get::<String, _>("told")?)?),
            None => None,
        };
        if told.as_deref() == Some(now) {
            return Ok(None);
        }
        sqlx::query(
            "INSERT INTO agent_devices (agent_id, told) VALUES ($1, $2)
             ON CONFLICT (agent_id) DO UPDATE SET told = excluded.told",
        )
        .bind(&agent.0)
        .bind(serde_json::to_string(now)?)
        .execute(&mut *self.tx)
        .await?;
        let Some(text) = told.map(|told| in_words(&told, now)).filter(|text| !text.is_empty()) else {
            return Ok(None);
        };
        let place =
            crate::log::Place { agent: agent.clone(), conversation: Some(conversation.clone()), run: None };
        let said = EntryBody::Message { from: Sender::Devices, text: text.clone() };
        let seq = self.append(&place, said).await?;
        Ok(Some((seq, text)))
    }
}

impl Execution {
    /// Tells the run of devices that come and go while it is under way.
    pub(super) fn watch_devices(self: &Arc<Self>) {
        if !matter(&self.spec) {
            return;
        }
        let execution = Arc::clone(self);
        tokio::spawn(async move {
            tokio::select! {
                () = execution.ended() => {}
                () = execution.tell_of_devices() => {}
            }
        });
    }

    async fn tell_of_devices(&self) {
        let hub = self.hub();
        let mut changes = hub.live.watch();
        let (mut told, _) = hub.live.here(&self.agent, hub.now());
        let mut left = MOST;
        while left > 0 {
            let (here, until) = hub.live.here(&self.agent, hub.now());
            if here == told {
                tokio::select! {
                    changed = changes.changed() => if changed.is_err() { return },
                    () = hub.clock.until(until.unwrap_or(i64::MAX)) => {}
                }
                continue;
            }
            hub.clock.until(hub.now().saturating_add(SETTLE_MS)).await;
            let (here, _) = hub.live.here(&self.agent, hub.now());
            if here == told {
                continue;
            }
            left -= 1;
            if let Err(error) = self.tell_of(&here).await {
                let failure = error.into_failure();
                tracing::warn!(run.id = %self.run, "run {} is not told of devices: {failure}", self.run);
            }
            told = here;
        }
    }

    async fn tell_of(&self, here: &Here) -> Result<()> {
        let hub = self.hub();
        let known = hub.known_devices(here).await?;
        let mut appending = hub.appending().await?;
        let said = appending.append_devices(&self.agent, self.conversation(), &known).await?;
        self.require_running(&mut appending).await?;
        hub.commit(appending).await?;
        if let Some((seq, text)) = said {
            hub.note_is_unread(&self.agent, seq);
            self.reply(RunReply::Steer { seq, from: Sender::Devices, text });
        }
        Ok(())
    }
}

/// Who came, who went, who can do something else than before.
fn in_words(told: &[Known], now: &[Known]) -> String {
    let mut sentences = Vec::new();
    for one in now {
        let Known { name, abilities, .. } = one;
        let abilities = abilities.iter().map(|ability| ability.name()).collect::<Vec<_>>().join(", ");
        match told.iter().find(|former| former.id == one.id) {
            None => sentences.push(format!("{name} shows your page now ({abilities}).")),
            Some(former) if former.abilities != one.abilities => {
                sentences.push(format!("{name} has these now: {abilities}."));
            }
            Some(_) => {}
        }
    }
    for former in told.iter().filter(|former| now.iter().all(|one| one.id != former.id)) {
        sentences.push(format!("{} does not show your page any more.", former.name));
    }
    if now.is_empty() && !told.is_empty() {
        sentences.push("No device shows it now.".to_owned());
    }
    sentences.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(id: &str, abilities: &[Ability]) -> Known {
        Known { id: Some(id.to_owned()), name: id.to_owned(), abilities: abilities.to_vec() }
    }

    #[test]
    fn only_what_changed_is_told() {
        let (laptop, phone) = (known("Laptop", &[Ability::Screen]), known("Phone", &[Ability::Camera]));
        let deaf = known("Phone", &[]);
        for (told, now, expected) in [
            (vec![], vec![], ""),
            (vec![laptop.clone()], vec![laptop.clone()], ""),
            (
                vec![laptop.clone()],
                vec![laptop.clone(), phone.clone()],
                "Phone shows your page now (camera).",
            ),
            (
                vec![laptop.clone()],
                vec![phone.clone()],
                "Phone shows your page now (camera). Laptop does not show your page any more.",
            ),
            (vec![laptop], vec![], "Laptop does not show your page any more. No device shows it now."),
            (vec![deaf], vec![phone], "Phone has these now: camera."),
        ] {
            assert_eq!(in_words(&told, &now), expected);
        }
    }
}
