//! The bytes of a reply on their way through the codec.

use super::http;
use crate::outbound::{Answer, Outbound};
use crate::providers::Server;
use agent::providers::Decoder;
use agent::text_lane::{self, Lane};
use futures_util::stream::{self, BoxStream};
use futures_util::{FutureExt, StreamExt};
use protocol::model::{ModelEvent, ModelFailure, ModelFailureKind, ModelRequest};
use std::future::Future;
use std::time::Duration;

/// A server of one's own loads the model before it answers at all.
const FIRST_ANSWER: Duration = Duration::from_secs(300);
const IDLE: Duration = Duration::from_secs(120);

/// Sends the request; the stream begins once the server accepts it. A model that has no calls of its
/// own makes them in its text.
pub(super) async fn start(
    outbound: &Outbound,
    server: &Server,
    request: &ModelRequest,
    has_calls: bool,
    now: i64,
) -> Result<BoxStream<'static, ModelEvent>, ModelFailure> {
    let lane = (!has_calls).then(|| Lane::answering(request));
    let sent = match &lane {
        None => server.wire.encode(server.base_url.as_deref(), request),
        Some(_) => server.wire.encode(server.base_url.as_deref(), &text_lane::encode(request)),
    };
    let answer = within(FIRST_ANSWER, http::send(outbound, server, sent, now)).await??;
    let reply = Reply { answer, decoder: server.wire.decoder().answering(request), lane, is_ended: false };
    Ok(stream::unfold(reply, |mut reply| async { Some((reply.next().await?, reply)) })
        .flat_map(stream::iter)
        .boxed())
}

struct Reply {
    answer: Answer,
    decoder: Decoder,
    /// For a model that calls tools in its text.
    lane: Option<Lane>,
    is_ended: bool,
}

impl Reply {
    /// The events of the next bytes. `None` once the last event is out: the connection is closed
    /// then, whether or not the server goes on.
    async fn next(&mut self) -> Option<Vec<ModelEvent>> {
        if self.is_ended {
            return None;
        }
        let events = match within(IDLE, self.answer.next()).await {
            Ok(Ok(Some(bytes))) => self.decoder.push(&bytes),
            Ok(Ok(None) | Err(_)) => self.decoder.finish(),
            Err(failure) => vec![ModelEvent::Failed { failure }],
        };
        let events = match &mut self.lane {
            Some(lane) => lane.take(events),
            None => events,
        };
        self.is_ended = events.last().is_some_and(is_last);
        Some(events)
    }
}

fn is_last(event: &ModelEvent) -> bool {
    match event {
        ModelEvent::Stopped { .. } | ModelEvent::Failed { .. } => true,
        ModelEvent::BlockStarted { .. }
        | ModelEvent::Delta { .. }
        | ModelEvent::BlockFinished { .. }
        | ModelEvent::Usage { .. }
        | ModelEvent::Unknown { .. } => false,
    }
}

fn within<F: Future>(limit: Duration, wait: F) -> impl Future<Output = Result<F::Output, ModelFailure>> {
    tokio::time::timeout(limit, wait).map(move |done| {
        done.map_err(|_| ModelFailure {
            kind: ModelFailureKind::Timeout,
            message: format!("The provider sent nothing for {} seconds. Try again.", limit.as_secs()),
            retry_after_ms: None,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn silence_becomes_a_timeout() {
        let failure = within(Duration::ZERO, std::future::pending::<()>()).await.expect_err("a timeout");
        assert_eq!(failure.kind, ModelFailureKind::Timeout);
    }
}
