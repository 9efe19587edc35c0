//! Calls that the driving browser makes with a key of its person's: money is held before each, and a
//! run that waits for its key says on which device. The key itself is never here.

use super::Execution;
use crate::error::{Error, Result};
use crate::ledger::Slot;
use crate::live::TabLink;
use crate::models::{AtMost, Searches};
use crate::tally::Expected;
use protocol::DeviceId;
use protocol::log::{EntryBody, NoticeKind};
use protocol::model::ModelFailure;
use protocol::run::{KeyLack, KeySlot, RunReply};
use protocol::told;
use protocol::view::CallKind;
use std::sync::{MutexGuard, PoisonError};

/// So often is it said within a turn what the run waits for.
const MOST_SAID: usize = 4;

/// Whether the run waits for its key, and what was said of it in this turn.
#[derive(Debug, Default)]
pub(super) struct WantedKey {
    is_wanted: bool,
    said: Vec<String>,
}

/// Where a run can go on.
pub(super) enum Fit {
    Any,
    /// On one of these.
    With(Vec<DeviceId>),
}

impl Fit {
    pub(super) fn takes(&self, tab: &TabLink) -> bool {
        match self {
            Self::Any => true,
            Self::With(devices) => tab.device.as_ref().is_some_and(|device| devices.contains(device)),
        }
    }
}

impl Execution {
    /// Holds the money for a call that the driving browser is about to make.
    pub(super) async fn hold_for_device(
        &self,
        token: &str,
        call: u64,
        tokens: u64,
        aside: bool,
    ) -> Result<()> {
        self.key_slot()?;
        let _one_at_a_time = self.writing.lock().await;
        self.require_driven_with(token)?;
        self.has_key();
        let slot = if aside { Slot::Aside } else { Slot::Turn };
        // What an earlier call used is no more a part of what is held.
        self.book_usage().await?;
        let turn = self.streamed().turn;
        let tally = self.slots.begin_elsewhere(slot, turn, CallKind::Unfinished).tally;
        tally.begin(Expected {
            input: tokens,
            // Its person's own count, with room for what the provider adds.
            most_input: tokens.saturating_mul(2).saturating_add(4096),
            most_output: self.hub.models().most_output(&self.spec.model, self.spec.max_output_tokens),
        });
        let at_most = AtMost {
            model: &self.spec.model,
            input: tokens,
            output: self.spec.max_output_tokens,
            searches: Searches::NONE,
        };
        let refused = match self.hold(slot, &at_most).await {
            Ok(()) => None,
            Err(ModelFailure { message, .. }) => {
                tally.settle();
                Some(message)
            }
        };
        self.reply(RunReply::Held { call, refused });
        Ok(())
    }

    /// The driving browser waits for its person to give it the key.
    pub(super) async fn wait_for_key(&self, token: &str, lack: KeyLack) -> Result<()> {
        let text = self.words_for(lack).await?;
        let _one_at_a_time = self.writing.lock().await;
        self.require_driven_with(token)?;
        {
            let mut wanted = self.wanted_key();
            wanted.is_wanted = true;
            if wanted.said.len() >= MOST_SAID || wanted.said.contains(&text) {
                return Ok(());
            }
            wanted.said.push(text.clone());
        }
        let turn = self.streamed().turn;
        let mut appending = self.hub.log().appending().await?;
        let body = EntryBody::Notice { turn, kind: NoticeKind::KeyWanted, text };
        appending.append(&self.place(), body).await?;
        self.require_running(&mut appending).await?;
        self.hub.log().commit(appending).await?;
        Ok(())
    }

    pub(super) fn waits_for_key(&self) -> bool {
        self.wanted_key().is_wanted
    }

    /// Which tabs the run can go on in.
    pub(super) async fn fit_to_go_on(&self) -> Fit {
        if !self.waits_for_key() {
            return Fit::Any;
        }
        let Ok(slot) = self.key_slot() else { return Fit::Any };
        let kept = self.hub.providers().kept_keys(&self.owner, None).await.unwrap_or_default();
        let devices: Vec<DeviceId> =
            kept.into_iter().filter(|one| one.provider == slot.provider).map(|one| one.device).collect();
        if devices.is_empty() { Fit::Any } else { Fit::With(devices) }
    }

    /// A call is about to be made. What a tab says in between does not make it news that it lacks the
    /// key.
    pub(super) fn has_key(&self) {
        self.wanted_key().is_wanted = false;
    }

    /// The model has answered. If the key is wanted after that, it is news again.
    pub(super) fn had_key(&self) {
        *self.wanted_key() = WantedKey::default();
    }

    /// Whether the model is a program on the person's own device, which costs nothing.
    pub(super) fn is_on_own_device(&self) -> bool {
        self.spec.on_device.as_ref().is_some_and(|on_device| on_device.key.is_none())
    }

    async fn words_for(&self, lack: KeyLack) -> Result<String> {
        let KeySlot { provider, name, .. } = self.key_slot()?;
        let link = self.driving_tab().and_then(|tab| self.hub.live().tab(tab));
        let device = link.and_then(|link| link.device.clone());
        let here = self.hub.accounts().device_name_of(device.as_ref()).await?;
        if lack == KeyLack::Locked {
            return Ok(told!(
                "The key of {name} is locked on {here}, where this agent runs. Unlock it there, and the agent goes on."
            ));
        }
        let kept = self.hub.providers().kept_keys(&self.owner, device.as_ref()).await?;
        let elsewhere: Vec<String> = kept
            .into_iter()
            .filter(|kept| kept.provider == *provider && !kept.current)
            .map(|kept| kept.name)
            .collect();
        Ok(if elsewhere.is_empty() {
            told!(
                "The key of {name} is on no device of yours. Enter it under Providers, and the agent goes on."
            )
        } else {
            told!(
                "The key of {name} is not on {here}, where this agent runs. It is kept on {elsewhere}: open the agent there and take the run over. Or enter the key on {here} under Providers.",
                elsewhere = elsewhere.join(", ")
            )
        })
    }

    fn key_slot(&self) -> Result<&KeySlot> {
        let slot = self.spec.on_device.as_ref().and_then(|on_device| on_device.key.as_deref());
        slot.ok_or_else(|| Error::invalid("The model of this run needs no key that is kept on a device."))
    }

    fn wanted_key(&self) -> MutexGuard<'_, WantedKey> {
        self.wanted_key.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
