//! Keeps a key out of what its own provider says: some echo it, in errors or in a reply.

mod needle;

use crate::providers::Server;
use crate::vault::Secret;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use needle::Needles;
use protocol::model::{ModelEvent, ModelFailure, ModelFailureKind};
use std::collections::HashMap;

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

/// The same events without the key, also where it is spread over several.
pub(super) fn events(
    events: BoxStream<'static, ModelEvent>,
    key: Option<&Secret>,
) -> BoxStream<'static, ModelEvent> {
    let Some(needles) = Needles::of(key) else { return events };
    let mut redactor = Redactor { needles, held: HashMap::new() };
    events.flat_map(move |event| futures_util::stream::iter(redactor.take(event))).boxed()
}

struct Redactor {
    needles: Needles,
    /// By block, the end of its text that may be the beginning of the key.
    held: HashMap<u32, String>,
}

impl Redactor {
    fn take(&mut self, event: ModelEvent) -> Vec<ModelEvent> {
        match event {
            ModelEvent::Delta { index, text } => self.grow(index, &text),
            ModelEvent::BlockFinished { index, .. } => {
                let rest = self.held.remove(&index).filter(|rest| !rest.is_empty());
                let rest = rest.map(|text| self.needles.hide(&text).into_owned());
                let rest = rest.map(|text| ModelEvent::Delta { index, text });
                rest.into_iter().chain([self.clean(event)]).collect()
            }
            ModelEvent::BlockStarted { .. }
            | ModelEvent::Usage { .. }
            | ModelEvent::Stopped { .. }
            | ModelEvent::Failed { .. }
            | ModelEvent::Unknown { .. } => vec![self.clean(event)],
        }
    }

    fn grow(&mut self, index: u32, text: &str) -> Vec<ModelEvent> {
        let held = self.held.entry(index).or_default();
        held.push_str(text);
        let mut said = self.needles.hide_whole(std::mem::take(held));
        *held = said.split_off(said.len() - self.needles.overlap(&said));
        if said.is_empty() {
            return Vec::new();
        }
        vec![ModelEvent::Delta { index, text: self.needles.hide(&said).into_owned() }]
    }

    fn clean(&self, event: ModelEvent) -> ModelEvent {
        let Ok(mut value) = serde_json::to_value(&event) else { return unreadable() };
        if !self.needles.hide_in(&mut value) {
            return event;
        }
        serde_json::from_value(value).unwrap_or_else(|_| unreadable())
    }
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
