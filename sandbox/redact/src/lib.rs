//! Keeps a key out of what its own provider says: some echo it, in errors or in a reply. Used by whoever calls
//! the provider: the hub, or the shell of a browser that keeps the key itself.

mod needle;

pub use needle::Needles;

use protocol::model::{ModelEvent, ModelFailure, ModelFailureKind};
use std::collections::BTreeMap;

/// The events of one reply without the key, and without pieces of it, also where one is spread over several.
pub struct Redactor {
    needles: Needles,
    /// By block, the end of its text that may be the beginning of a piece of the key.
    held: BTreeMap<u32, String>,
}

impl Redactor {
    /// `None` if there is nothing that is worth hiding.
    pub fn of(key: &str) -> Option<Self> {
        Some(Self { needles: Needles::of(key)?, held: BTreeMap::new() })
    }

    pub fn take(&mut self, event: ModelEvent) -> Vec<ModelEvent> {
        match event {
            ModelEvent::Delta { index, text } => {
                let held = self.held.entry(index).or_default();
                held.push_str(&text);
                let said = self.needles.take(held);
                delta(index, said).into_iter().collect()
            }
            ModelEvent::BlockFinished { index, .. } => {
                let rest = self.held.remove(&index);
                let rest = rest.and_then(|rest| self.release(index, &rest));
                rest.into_iter().chain([self.clean(event)]).collect()
            }
            ModelEvent::Stopped { .. } | ModelEvent::Failed { .. } => {
                let held = std::mem::take(&mut self.held);
                let rest = held.iter().filter_map(|(index, rest)| self.release(*index, rest));
                rest.chain([self.clean(event)]).collect()
            }
            ModelEvent::BlockStarted { .. } | ModelEvent::Usage { .. } | ModelEvent::Unknown { .. } => {
                vec![self.clean(event)]
            }
        }
    }

    /// What was held back of a block after which nothing comes.
    fn release(&self, index: u32, held: &str) -> Option<ModelEvent> {
        delta(index, self.needles.hide(held).into_owned())
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
            message: "The provider's reply cannot be shown.".to_owned(),
            retry_after_ms: None,
        },
    }
}

#[cfg(test)]
mod tests;
