//! What an agent is told of the devices that show its page: who came and who went since it was told
//! last. It is told with a run, at its start or with results, and never for its own sake, so that it
//! costs nothing while nobody speaks.

use super::Execution;
use crate::clock::Moment;
use crate::error::Result;
use crate::live::Presence;
use crate::log::Appending;
use crate::runs::Runs;
use crate::store::{Json, query};
use agent::tools::{self, Executor as Where};
use protocol::agent::Ability;
use protocol::log::{EntryBody, Sender};
use protocol::run::{RunReply, RunSpec};
use protocol::{AgentId, ConversationId};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What happens within this time is told as one.
const SETTLE_MS: i64 = 2_000;
/// Times that one run is told. What comes after that is told to the next one.
const MAX_NOTICES_PER_RUN: usize = 8;

/// A device as the agent knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct KnownDevice {
    /// Absent: it came with a token.
    id: Option<String>,
    name: String,
    abilities: Vec<Ability>,
}

/// Whether devices matter to an agent with these tools.
pub(super) fn matter(spec: &RunSpec) -> bool {
    let is_of_page = |name: &str| tools::find(name).is_some_and(|tool| tool.place == Where::Skin);
    spec.given().any(|tool| is_of_page(&tool.name))
}

impl Runs<'_> {
    /// The devices that show the agent's page, by name.
    pub(super) async fn known_devices(self, here: &Presence) -> Result<Vec<KnownDevice>> {
        let mut known = Vec::new();
        for (device, abilities) in here {
            known.push(KnownDevice {
                id: device.as_ref().map(|device| device.0.clone()),
                name: self.hub.accounts().device_name_of(device.as_ref()).await?,
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
        now: &[KnownDevice],
    ) -> Result<Option<(u64, String)>> {
        let told: Option<Json<Vec<KnownDevice>>> =
            query("SELECT told FROM agent_devices WHERE agent_id = $1", (agent,))
                .fetch_optional(&mut *self.tx)
                .await?;
        let told = told.map(|Json(told)| told);
        if told.as_deref() == Some(now) {
            return Ok(None);
        }
        query(
            "INSERT INTO agent_devices (agent_id, told) VALUES ($1, $2)
             ON CONFLICT (agent_id) DO UPDATE SET told = excluded.told",
            (agent, Json(now)),
        )
        .execute(&mut *self.tx)
        .await?;
        let Some(text) = told.map(|told| in_words(&told, now)).filter(|text| !text.is_empty()) else {
            return Ok(None);
        };
        let place = crate::log::EntryScope {
            agent: agent.clone(),
            conversation: Some(conversation.clone()),
            run: None,
        };
        let said = EntryBody::said(Sender::Devices, text.clone());
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
        self.hub().tasks().spawn(async move {
            tokio::select! {
                () = execution.hub().tasks().closing() => {}
                () = execution.ended() => {}
                () = execution.tell_of_devices() => {}
            }
        });
    }

    async fn tell_of_devices(&self) {
        let hub = self.hub();
        let mut changes = hub.live().watch();
        let (mut told, _) = hub.live().here(&self.agent, hub.moment());
        let mut left = MAX_NOTICES_PER_RUN;
        while left > 0 {
            let (here, until) = hub.live().here(&self.agent, hub.moment());
            if here == told {
                tokio::select! {
                    changed = changes.changed() => if changed.is_err() { return },
                    () = hub.clock().until(until.unwrap_or(Moment(i64::MAX))) => {}
                }
                continue;
            }
            hub.clock().until(hub.moment().plus_ms(SETTLE_MS)).await;
            let (here, _) = hub.live().here(&self.agent, hub.moment());
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

    async fn tell_of(&self, here: &Presence) -> Result<()> {
        let hub = self.hub();
        let known = hub.runs().known_devices(here).await?;
        let mut appending = hub.log().appending().await?;
        let said = appending.append_devices(&self.agent, self.conversation(), &known).await?;
        self.require_running(&mut appending).await?;
        hub.log().commit(appending).await?;
        if let Some((seq, text)) = said {
            hub.runs().note_is_unread(&self.agent, seq);
            self.reply(RunReply::Steer { seq, from: Sender::Devices, text, attachments: Vec::new() });
        }
        Ok(())
    }
}

/// Who came, who went, who can do something else than before.
fn in_words(told: &[KnownDevice], now: &[KnownDevice]) -> String {
    let mut sentences = Vec::new();
    for one in now {
        let KnownDevice { name, abilities, .. } = one;
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

    fn known(id: &str, abilities: &[Ability]) -> KnownDevice {
        KnownDevice { id: Some(id.to_owned()), name: id.to_owned(), abilities: abilities.to_vec() }
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
