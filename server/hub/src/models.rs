//! Model calls: a canonical request becomes a provider's stream of model events, once the money for it is
//! held.

mod billing;
mod dispatch;
mod health;
mod http;
mod lane;
mod meanings;
mod redact;
mod replies;
mod scripted;
mod sigv4;
mod speech;
mod stream;

pub(crate) use billing::{AtMost, CallTerms, Called, Searches};
pub(crate) use http::{ask_models, fetch};
pub(crate) use meanings::MeaningCall;
pub(crate) use speech::{SoundStream, SpeechCall, SpeechRequest};

use crate::Hub;
use crate::byte_quota::ByteQuota;
use crate::error::Error;
use crate::outbound::Outbound;
use crate::providers::{Asker, Connection, Server};
use crate::tally::Tally;
use crate::traces::CallTrace;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, stream as streams};
use health::Health;
use lane::{Lanes, Traffic};
use protocol::ProviderId;
use protocol::agent::ProviderKind;
use protocol::model::{ModelEvent, ModelFailure, ModelFailureKind, ModelRequest, NO_PROVIDER};
use protocol::{told, words};
use replies::Replies;
use std::sync::Arc;
use stream::{Patience, TIMEOUTS};

/// Calls of models.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Models<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub(crate) fn models(&self) -> Models<'_> {
        Models { hub: self }
    }

    fn lanes(&self) -> &Lanes {
        &self.0.models.lanes
    }

    fn replies(&self) -> &Arc<ByteQuota> {
        &self.0.models.replies.0
    }
}

#[derive(Default)]
pub(crate) struct InMemory {
    lanes: Lanes,
    replies: Replies,
    health: Health,
}

/// What goes to a model.
struct Sent {
    request: ModelRequest,
    /// How often the provider may search the web meanwhile.
    searches: u32,
}

impl Models<'_> {
    /// The last event is `Stopped` or `Failed`, and nothing follows it. Dropping the stream gives
    /// the call up at once.
    fn stream(
        self,
        asker: Asker,
        traffic: Traffic,
        provider: Option<ProviderId>,
        sent: Sent,
        tally: Tally,
        trace: CallTrace,
    ) -> BoxStream<'static, ModelEvent> {
        let hub = self.hub.clone();
        let (heard, traced) = (tally.clone(), trace.clone());
        let call = async move {
            match hub.models().start_call(&asker, traffic, provider.as_ref(), sent, &tally, &trace).await {
                Ok(events) => events,
                Err(failure) => {
                    // Who said nothing in time may have taken it, and has it paid then.
                    if failure.kind != ModelFailureKind::Timeout {
                        tally.refused();
                    }
                    failed(failure)
                }
            }
        };
        streams::once(call)
            .flatten()
            .inspect(move |event| {
                heard.note(event);
                traced.note(event);
            })
            .boxed()
    }

    async fn start_call(
        self,
        asker: &Asker,
        traffic: Traffic,
        provider: Option<&ProviderId>,
        sent: Sent,
        tally: &Tally,
        trace: &CallTrace,
    ) -> Result<BoxStream<'static, ModelEvent>, ModelFailure> {
        let Some(provider) = provider else {
            return Err(not_configured(NO_PROVIDER));
        };
        let connection = match self.hub.providers().connection(asker, provider).await {
            Ok(Some(connection)) => connection,
            Ok(None) => {
                return Err(not_configured(words!(
                    "The provider of this agent is gone, or is not shared with you any more. Choose another one in its settings."
                )));
            }
            Err(error) => return Err(unreadable(error)),
        };
        match connection {
            Connection::Script => {
                trace.goes_to(ProviderKind::Scripted);
                Ok(scripted::stream(&sent.request, scripted::PACE))
            }
            Connection::Device => Err(not_configured(words!(
                "The model of this agent is on a device, where only a browser can call it, and the agent runs on the hub. Let it run in the browser, or choose another provider in its settings."
            ))),
            Connection::DeviceKey { name } => Err(not_configured(&told!(
                "The key of {name} is kept on your devices and not in the hub, where this agent runs. Let it run in the browser, or give the hub a provider with a key of its own."
            ))),
            Connection::Server(kind, server) => {
                let request = &sent.request;
                trace.goes_to(kind);
                if let Some(lent) = &server.lent
                    && !lent.allows(&request.model)
                {
                    return Err(not_lent(&server.name, &request.model));
                }
                if server.lent.is_some() && !request.sampling.extra.is_empty() {
                    return Err(not_configured(&told!(
                        "{name} is shared with you, and takes no extra fields: somebody else pays for what they do. Empty them in the agent's settings.",
                        name = server.name
                    )));
                }
                // What a wire has no place for of the rest an agent does without, and is told so; a program
                // asked for just this.
                let base_url = server.base_url.as_deref();
                let refusal = match traffic {
                    Traffic::Programs => server.wire.refusal(base_url, request),
                    Traffic::Agents => server.wire.sampling_refusal(base_url, request),
                };
                if let Some(failure) = refusal {
                    return Err(failure);
                }
                let clock = self.hub.clock().clone();
                let has_calls = sent.searches > 0 || self.hub.facts().of(&request.model).native_tools;
                let mut ticket = self.hub.lanes().to(provider).enter(&asker.person, traffic).await?;
                tally.sent();
                let health = self.hub.0.models.health.of(kind, clock.now());
                match play(self.hub.outbound(), server, &sent, has_calls, self.hub.now(), TIMEOUTS).await {
                    Ok(events) => {
                        let room = self.hub.replies().open(asker.person.clone());
                        let events = ticket.watch(events);
                        let noted = events.inspect(move |event| health.event(event, clock.now())).boxed();
                        Ok(replies::bounded(noted, room))
                    }
                    Err(failure) => {
                        ticket.report(Some(&failure));
                        health.failure(&failure, clock.now());
                        Err(failure)
                    }
                }
            }
        }
    }
}

async fn play(
    outbound: &Outbound,
    server: Server,
    sent: &Sent,
    has_calls: bool,
    now: i64,
    patience: Patience,
) -> Result<BoxStream<'static, ModelEvent>, ModelFailure> {
    let key = server.key.as_ref();
    match stream::start(outbound, &server, sent, has_calls, now, patience).await {
        Ok(events) => Ok(redact::events(events, key)),
        Err(failure) => Err(redact::address(redact::failure(failure, key), &server)),
    }
}

fn failed(failure: ModelFailure) -> BoxStream<'static, ModelEvent> {
    streams::iter([ModelEvent::Failed { failure }]).boxed()
}

fn not_lent(provider: &str, model: &str) -> ModelFailure {
    not_configured(&told!(
        "{provider} is shared with you, but not its model {model}. Choose another model in the agent's settings."
    ))
}

fn not_configured(message: &str) -> ModelFailure {
    ModelFailure { kind: ModelFailureKind::NotConfigured, message: message.to_owned(), retry_after_ms: None }
}

fn unreadable(error: Error) -> ModelFailure {
    let kind = match error {
        Error::Conflict(_) => ModelFailureKind::NotConfigured,
        Error::Unauthenticated
        | Error::Forbidden(_)
        | Error::NotFound(_)
        | Error::Invalid(_)
        | Error::Limit(_)
        | Error::TooOften { .. }
        | Error::Upstream(_)
        | Error::Unavailable { .. }
        | Error::Internal(_) => ModelFailureKind::Server,
    };
    ModelFailure { kind, message: error.into_failure().to_string(), retry_after_ms: None }
}

#[cfg(test)]
mod tests;
