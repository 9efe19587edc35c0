//! Keeps a key out of what its own provider says: some echo it, in errors or in a reply.

mod needle;

use crate::providers::Server;
use crate::vault::Secret;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use needle::Needles;
use protocol::model::{ModelEvent, ModelFailure, ModelFailureKind};
use std::collections::BTreeMap;

pub(super) fn text(text: String, key: Option<&Secret>) -> String {
    match Needles::of(key) {
        Some(needles) => needles.hide(&text).into_owned(),
        None => text,
    }
}

pub(super) fn failure(failure: ModelFailure, key: Option<&Secret>) -> ModelFailure {
    ModelFailure { message: text(failure.message, key), ..failure }
}

/// The failure without the address of a server that is not the asker's.
pub(super) fn address(failure: ModelFailure, server: &Server) -> ModelFailure {
    let (Some(_), Some(target)) = (&server.lent, server.target()) else { return failure };
    let place = target.place();
    let host = place.split_once("://").map_or(place.as_str(), |(_, host)| host);
    let message = failure.message.replace(&place, &server.name).replace(host, &server.name);
    ModelFailure { message, ..failure }
}

/// The same events without the key, and without pieces of it, also where one is spread over several.
pub(super) fn events(
    events: BoxStream<'static, ModelEvent>,
    key: Option<&Secret>,
) -> BoxStream<'static, ModelEvent> {
    let Some(needles) = Needles::of(key) else { return events };
    let mut redactor = Redactor { needles, held: BTreeMap::new() };
    events.flat_map(move |event| futures_util::stream::iter(redactor.take(event))).boxed()
}

struct Redactor {
    needles: Needles,
    /// By block, the end of its text that may be the beginning of a piece of the key.
    held: BTreeMap<u32, String>,
}

impl Redactor {
    fn take(&mut self, event: ModelEvent) -> Vec<ModelEvent> {
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
