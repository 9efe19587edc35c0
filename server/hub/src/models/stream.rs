//! The bytes of a reply on their way through the codec.

use super::{Sent, http};
use crate::outbound::{Answer, Outbound};
use crate::providers::Server;
use agent::providers::Decoder;
use agent::text_lane::{self, Lane};
use futures_util::stream::{self, BoxStream};
use futures_util::{FutureExt, StreamExt};
use protocol::model::{ModelEvent, ModelFailure, ModelFailureKind};
use protocol::told;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;
use tokio::time::{Instant, Sleep, sleep};

/// How long a provider may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    /// Until it answers at all: a server of one's own loads the model first.
    pub(super) answer: Duration,
    /// Until the next bytes.
    pub(super) bytes: Duration,
    /// Until it says something, however many bytes keep the connection awake.
    pub(super) words: Duration,
}

pub(super) const TIMEOUTS: Patience = Patience {
    answer: Duration::from_secs(300),
    bytes: Duration::from_secs(120),
    words: Duration::from_secs(1800),
};

/// Sends the request; the stream begins once the server accepts it. A model that has no calls of its
/// own makes them in its text.
pub(super) async fn start(
    outbound: &Outbound,
    server: &Server,
    sent: &Sent,
    has_calls: bool,
    now: i64,
    patience: Patience,
) -> Result<BoxStream<'static, ModelEvent>, ModelFailure> {
    let Sent { request, searches } = sent;
    let lane = (!has_calls).then(|| Lane::answering(request));
    let encoded = match &lane {
        None if *searches > 0 => {
            let encoded = server.wire.encode(server.base_url.as_deref(), request);
            server.wire.searching(encoded, *searches)
        }
        None => server.wire.encode(server.base_url.as_deref(), request),
        Some(_) => server.wire.encode(server.base_url.as_deref(), &text_lane::encode(request)),
    };
    let answer = within(patience.answer, http::send(outbound, server, encoded, now)).await??;
    let reply = Reply {
        answer,
        decoder: server.wire.decoder().answering(request),
        lane,
        patience,
        silence: Box::pin(sleep(patience.bytes)),
        quiet: Duration::ZERO,
        is_ended: false,
    };
    Ok(stream::unfold(reply, |mut reply| async { Some((reply.next().await?, reply)) })
        .flat_map(stream::iter)
        .boxed())
}

struct Reply {
    answer: Answer,
    decoder: Decoder,
    /// For a model that calls tools in its text.
    lane: Option<Lane>,
    patience: Patience,
    /// When the next bytes are late: one timer that is put off, for bytes come often.
    silence: Pin<Box<Sleep>>,
    /// Waited for since the last thing that it said.
    quiet: Duration,
    is_ended: bool,
}

impl Reply {
    /// The events of the next bytes. `None` once the last event is out: the connection is closed
    /// then, whether or not the server goes on.
    async fn next(&mut self) -> Option<Vec<ModelEvent>> {
        if self.is_ended {
            return None;
        }
        let asked = Instant::now();
        self.silence.as_mut().reset(asked + self.patience.bytes);
        let came = tokio::select! {
            biased;
            came = self.answer.next() => Some(came),
            () = self.silence.as_mut() => None,
        };
        let events = match came {
            Some(Ok(Some(bytes))) => self.decoder.push(&bytes),
            Some(Ok(None) | Err(_)) => self.decoder.finish(),
            None => vec![ModelEvent::Failed { failure: nothing_for(self.patience.bytes) }],
        };
        self.quiet += asked.elapsed();
        let events = self.heard(events);
        let events = match &mut self.lane {
            Some(lane) => lane.take(events),
            None => events,
        };
        self.is_ended = events.last().is_some_and(is_last);
        Some(events)
    }

    /// Gives up on a provider that keeps the connection awake and says nothing.
    fn heard(&mut self, mut events: Vec<ModelEvent>) -> Vec<ModelEvent> {
        if events.iter().any(is_word) {
            self.quiet = Duration::ZERO;
        } else if self.quiet >= self.patience.words {
            events.push(ModelEvent::Failed {
                failure: silence(told!(
                    "The provider said nothing for {} seconds. Try again.",
                    self.patience.words.as_secs()
                )),
            });
        }
        events
    }
}

fn is_word(event: &ModelEvent) -> bool {
    match event {
        ModelEvent::BlockStarted { .. }
        | ModelEvent::Delta { .. }
        | ModelEvent::BlockFinished { .. }
        | ModelEvent::Usage { .. }
        | ModelEvent::Stopped { .. }
        | ModelEvent::Failed { .. } => true,
        ModelEvent::Cited { .. } | ModelEvent::Unknown { .. } => false,
    }
}

fn is_last(event: &ModelEvent) -> bool {
    match event {
        ModelEvent::Stopped { .. } | ModelEvent::Failed { .. } => true,
        ModelEvent::BlockStarted { .. }
        | ModelEvent::Delta { .. }
        | ModelEvent::BlockFinished { .. }
        | ModelEvent::Usage { .. }
        | ModelEvent::Cited { .. }
        | ModelEvent::Unknown { .. } => false,
    }
}

fn within<F: Future>(limit: Duration, wait: F) -> impl Future<Output = Result<F::Output, ModelFailure>> {
    tokio::time::timeout(limit, wait).map(move |done| done.map_err(|_| nothing_for(limit)))
}

fn nothing_for(limit: Duration) -> ModelFailure {
    silence(told!("The provider sent nothing for {} seconds. Try again.", limit.as_secs()))
}

fn silence(message: String) -> ModelFailure {
    ModelFailure { kind: ModelFailureKind::Timeout, message, retry_after_ms: None }
}
