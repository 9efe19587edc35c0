//! Keeps a key out of what its own provider says: some echo it, in errors or in a reply.

use crate::providers::Server;
use crate::vault::Secret;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use protocol::model::{ModelEvent, ModelFailure};
use redact::{Needles, Redactor};

pub(super) fn text(text: String, key: Option<&Secret>) -> String {
    match key.and_then(|key| Needles::of(key.expose())) {
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
    let Some(mut redactor) = key.and_then(|key| Redactor::of(key.expose())) else { return events };
    events.flat_map(move |event| futures_util::stream::iter(redactor.take(event))).boxed()
}
