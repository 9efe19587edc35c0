//! Keeps a key out of what its own provider says: some echo it, in errors or in a reply.

use crate::providers::Server;
use crate::vault::Secret;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use protocol::model::{ModelEvent, ModelFailure, ModelFailureKind};
use serde_json::Value;
use std::collections::HashMap;

const INSTEAD: &str = "[key]";

/// Shorter ones are no keys but words that people enter where a server of their own wants any.
const SHORTEST: usize = 12;

/// The key's text, if it is worth hiding.
fn needle(key: Option<&Secret>) -> Option<&str> {
    key.map(Secret::expose).filter(|key| key.len() >= SHORTEST)
}

pub(super) fn text(text: String, key: Option<&Secret>) -> String {
    match needle(key) {
        Some(needle) if text.contains(needle) => text.replace(needle, INSTEAD),
        Some(_) | None => text,
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
    let Some(needle) = needle(key) else { return events };
    let mut redactor = Redactor { needle: Secret::new(needle.to_owned()), held: HashMap::new() };
    events.flat_map(move |event| futures_util::stream::iter(redactor.take(event))).boxed()
}

struct Redactor {
    needle: Secret,
    /// By block, the end of its text that may be the beginning of the key.
    held: HashMap<u32, String>,
}

impl Redactor {
    fn take(&mut self, event: ModelEvent) -> Vec<ModelEvent> {
        match event {
            ModelEvent::Delta { index, text } => self.grow(index, &text),
            ModelEvent::BlockFinished { index, .. } => {
                let rest = self.held.remove(&index).filter(|rest| !rest.is_empty());
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
        let needle = self.needle.expose();
        let held = self.held.entry(index).or_default();
        held.push_str(text);
        let mut clean = held.replace(needle, INSTEAD);
        *held = clean.split_off(clean.len() - overlap(&clean, needle));
        if clean.is_empty() {
            return Vec::new();
        }
        vec![ModelEvent::Delta { index, text: clean }]
    }

    fn clean(&self, event: ModelEvent) -> ModelEvent {
        let needle = self.needle.expose();
        let Ok(mut value) = serde_json::to_value(&event) else { return unreadable() };
        if !replace(&mut value, needle) {
            return event;
        }
        serde_json::from_value(value).unwrap_or_else(|_| unreadable())
    }
}

/// Length of the longest end of `text` that `needle` begins with.
fn overlap(text: &str, needle: &str) -> usize {
    let longest = text.len().min(needle.len() - 1);
    (1..=longest).rev().find(|&length| text.as_bytes().ends_with(&needle.as_bytes()[..length])).unwrap_or(0)
}

/// Replaces the key in every string and name of the value, and says whether there was one.
fn replace(value: &mut Value, needle: &str) -> bool {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
        Value::String(text) => {
            let is_there = text.contains(needle);
            if is_there {
                *text = text.replace(needle, INSTEAD);
            }
            is_there
        }
        Value::Array(list) => list.iter_mut().fold(false, |found, item| replace(item, needle) | found),
        Value::Object(object) => {
            let mut found = object.values_mut().fold(false, |found, item| replace(item, needle) | found);
            if object.keys().any(|name| name.contains(needle)) {
                found = true;
                *object = std::mem::take(object)
                    .into_iter()
                    .map(|(name, item)| (name.replace(needle, INSTEAD), item))
                    .collect();
            }
            found
        }
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
