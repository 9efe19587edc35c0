//! Keeps a key out of what its own provider says: some echo it, in errors or in a reply. Used by whoever calls
//! the provider: the hub, or the shell of a browser that keeps the key itself.

mod bytes;
mod needle;

pub use bytes::ByteRedactor;
pub use needle::Needles;

use protocol::model::{ModelEvent, ModelFailure, ModelFailureKind, Usage};
use protocol::words;
use std::collections::BTreeMap;

/// The events of one reply without the key, and without pieces of it, also where one is spread over several.
pub struct Redactor {
    needles: Needles,
    /// By block, the end of its text that may be the beginning of a piece of the key.
    held: BTreeMap<u32, String>,
    /// The last totals, if they count all that has come.
    counted: Option<Usage>,
}

impl Redactor {
    /// `None` if there is nothing that is worth hiding.
    pub fn of(key: &str) -> Option<Self> {
        Some(Self { needles: Needles::of(key)?, held: BTreeMap::new(), counted: None })
    }

    pub fn take(&mut self, event: ModelEvent) -> Vec<ModelEvent> {
        match event {
            ModelEvent::Delta { index, text } => {
                self.counted = None;
                let held = self.held.entry(index).or_default();
                if held.is_empty() {
                    *held = text;
                } else {
                    held.push_str(&text);
                }
                let said = self.needles.take(held);
                delta(index, said).into_iter().collect()
            }
            ModelEvent::BlockFinished { index, .. } => {
                let rest = self.held.remove_entry(&index);
                self.release(rest, event)
            }
            ModelEvent::Stopped { .. } | ModelEvent::Failed { .. } => {
                let held = std::mem::take(&mut self.held);
                self.release(held, event)
            }
            ModelEvent::Usage { usage } => {
                self.counted = Some(usage);
                vec![event]
            }
            ModelEvent::BlockStarted { .. } | ModelEvent::Cited { .. } | ModelEvent::Unknown { .. } => {
                vec![self.clean(event)]
            }
        }
    }

    /// What was held back of blocks after which nothing comes, before the event that says so. Totals that
    /// counted it are told again after it.
    fn release(&self, held: impl IntoIterator<Item = (u32, String)>, event: ModelEvent) -> Vec<ModelEvent> {
        let said =
            held.into_iter().filter_map(|(index, held)| delta(index, self.needles.hide(&held).into_owned()));
        let mut events: Vec<ModelEvent> = said.collect();
        if !events.is_empty() {
            events.extend(self.counted.map(|usage| ModelEvent::Usage { usage }));
        }
        events.push(self.clean(event));
        events
    }

    fn clean(&self, event: ModelEvent) -> ModelEvent {
        let Ok(mut value) = serde_json::to_value(&event) else { return unreadable() };
        if !self.needles.hide_in(&mut value) {
            return event;
        }
        serde_json::from_value(value).unwrap_or_else(|_| unreadable())
    }
}

fn delta(index: u32, text: String) -> Option<ModelEvent> {
    (!text.is_empty()).then_some(ModelEvent::Delta { index, text })
}

fn unreadable() -> ModelEvent {
    ModelEvent::Failed {
        failure: ModelFailure {
            kind: ModelFailureKind::Malformed,
            message: words!("The provider's reply cannot be shown.").to_owned(),
            retry_after_ms: None,
        },
    }
}

#[cfg(test)]
mod tests;
