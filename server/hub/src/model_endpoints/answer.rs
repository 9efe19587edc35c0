//! A program's request, from its bytes to the bytes of the answer.

use super::agents::AGENT;
use super::fetched;
use super::metered::{BilledCall, metered};
use super::names::ResolvedName;
use super::{Api, ApiError, ApiErrorKind, Calling};
use crate::clock::new_id;
use crate::error::Error;
use crate::ledger::Spender;
use crate::network::has_usual_port;
use agent::model_endpoints::{
    ErrorResponse, Name, ParsedRequest, ResponseBuilder, ResponseStream, count_tokens,
};
use bytes::Bytes;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, stream};
use protocol::FailureKind;
use protocol::model::{ModelEvent, ModelRequest};
use std::task::Poll;

/// Tokens of a reply where the program sets no limit.
const MOST_OUTPUT: u32 = 32_000;

/// Bytes of a body that are read in passing.
const SHORT: usize = 64 * 1024;
/// Bytes of frames that leave as one piece.
const PIECE: usize = 16 * 1024;
/// When to ask again what the hub could not do for the moment, in milliseconds.
const AGAIN_IN_MS: u64 = 5_000;

/// What goes back to the program.
pub struct Reply {
    /// What clients call the request when they complain about it.
    pub id: String,
    pub status: u16,
    pub retry_after_ms: Option<u64>,
    /// Set on an error: what clients that try again by themselves go by.
    pub should_retry: Option<bool>,
    pub body: Body,
}

pub enum Body {
    Json(Bytes),
    /// Server-sent events. To drop it gives the call up.
    Events(BoxStream<'static, Bytes>),
}

impl Reply {
    pub fn refused(api: Api, trouble: &ApiError) -> Self {
        let id = request_id();
        let ErrorResponse { status, retry_after_ms, should_retry, body } = api.problem(trouble, &id);
        Self { id, status, retry_after_ms, should_retry: Some(should_retry), body: Body::Json(body.into()) }
    }

    /// How many tokens a request in Anthropic's words has, by its length.
    pub async fn counted(body: Bytes) -> Self {
        match reading(body, count_tokens).await {
            Ok(counted) => Self::good(Body::Json(counted.into())),
            Err(trouble) => Self::refused(Api::Messages, &trouble),
        }
    }

    /// An answer that no model gave.
    pub fn immediate(body: impl Into<Bytes>) -> Self {
        Self::good(Body::Json(body.into()))
    }

    fn good(body: Body) -> Self {
        Self { id: request_id(), status: 200, retry_after_ms: None, should_retry: None, body }
    }
}

impl Calling<'_> {
    /// Answers the body of a request in the words of this API.
    pub async fn answer(&self, api: Api, body: Bytes) -> Reply {
        match self.try_answer(api, body).await {
            Ok(reply) => reply,
            Err(trouble) => Reply::refused(api, &trouble),
        }
    }

    async fn try_answer(&self, api: Api, body: Bytes) -> Result<Reply, ApiError> {
        let read = reading(body, move |body| api.ask(body)).await?;
        let turn = fetched::FetchQueue { person: &self.program.viewer.me.id, queue: self.hub.fetching() };
        let asked = fetched::read(self.hub.web(), has_usual_port, turn, read).await?;
        let name = Name {
            id: new_id(),
            model: asked.request.model.clone(),
            created: self.hub.now().div_euclid(1000),
        };
        let mut events = self.call(&asked).await?;
        if !asked.stream {
            return whole(api.whole(name, &asked), events).await;
        }
        let begun = begin(&mut events).await?;
        let streamed = api.streamed(name, &asked);
        Ok(Reply::good(Body::Events(frames(streamed, stream::iter(begun).chain(events).boxed()))))
    }

    async fn call(&self, asked: &ParsedRequest) -> Result<BoxStream<'static, ModelEvent>, ApiError> {
        if let Some(name) = asked.request.model.strip_prefix(AGENT) {
            return self.ask_agent(name, &asked.request).await.map_err(ApiError::from)?;
        }
        let ResolvedName { provider, model } =
            self.find_model(&asked.request.model).await.map_err(ApiError::from)??;
        let max_output_tokens = match asked.request.max_output_tokens {
            0 => self.hub.facts().of(&model).output.min(MOST_OUTPUT),
            tokens => tokens,
        };
        let request = ModelRequest { model: model.clone(), max_output_tokens, ..asked.request.clone() };
        let owner = self.program.viewer.me.id.clone();
        let spender = Spender::Program { token: self.program.token.clone(), call: new_id() };
        let bill = BilledCall { spender, owner, provider, model };
        // A program that hangs up meanwhile does not end this in the middle.
        self.hub.tasks().complete_here(metered(self.hub.clone(), bill, request)).await.map_err(ApiError::from)
    }
}

fn request_id() -> String {
    format!("req_{}", new_id())
}

/// Reads a body, off the threads that serve everybody if it is long.
async fn reading<T: Send + 'static>(
    body: Bytes,
    read: impl FnOnce(&[u8]) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    if body.len() <= SHORT {
        return read(&body);
    }
    let reading = tokio::task::spawn_blocking(move || read(&body));
    reading.await.unwrap_or_else(|cause| Err(Error::internal(cause).into()))
}

/// An error of the hub's own, as programs are told.
impl From<Error> for ApiError {
    fn from(error: Error) -> Self {
        let failure = error.into_failure();
        let words = failure.to_string();
        if failure.kind == FailureKind::Unavailable {
            let trouble = Self::new(ApiErrorKind::Overloaded, words);
            return Self { retry_after_ms: Some(AGAIN_IN_MS), ..trouble };
        }
        Self::new(ApiErrorKind::Internal, words)
    }
}

async fn whole(
    mut whole: ResponseBuilder,
    mut events: BoxStream<'static, ModelEvent>,
) -> Result<Reply, ApiError> {
    while let Some(event) = events.next().await {
        match event {
            ModelEvent::Failed { failure } => return Err(failure.into()),
            event => whole.take(event),
        }
    }
    Ok(Reply::good(Body::Json(whole.finish().into())))
}

/// Waits until something is said: a call that fails before that has the status of its failure.
async fn begin(events: &mut BoxStream<'static, ModelEvent>) -> Result<Vec<ModelEvent>, ApiError> {
    let mut begun = Vec::new();
    while let Some(event) = events.next().await {
        match event {
            ModelEvent::Failed { failure } => return Err(failure.into()),
            ModelEvent::Usage { .. } | ModelEvent::Cited { .. } | ModelEvent::Unknown { .. } => {
                begun.push(event)
            }
            ModelEvent::BlockStarted { .. }
            | ModelEvent::Delta { .. }
            | ModelEvent::BlockFinished { .. }
            | ModelEvent::Stopped { .. } => {
                begun.push(event);
                break;
            }
        }
    }
    Ok(begun)
}

/// A frame for each event that says something, as it comes. Those that are there at once leave together.
fn frames(mut streamed: ResponseStream, events: BoxStream<'static, ModelEvent>) -> BoxStream<'static, Bytes> {
    let mut events = events.fuse();
    stream::poll_fn(move |context| {
        let mut frames = String::new();
        while frames.len() < PIECE {
            match events.poll_next_unpin(context) {
                Poll::Ready(Some(event)) if frames.is_empty() => frames = streamed.take(event),
                Poll::Ready(Some(event)) => frames.push_str(&streamed.take(event)),
                Poll::Ready(None) if frames.is_empty() => return Poll::Ready(None),
                Poll::Pending if frames.is_empty() => return Poll::Pending,
                Poll::Ready(None) | Poll::Pending => break,
            }
        }
        Poll::Ready(Some(Bytes::from(frames)))
    })
    .boxed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent::model_endpoints::Files;
    use futures_util::FutureExt;
    use protocol::model::BlockKind;
    use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

    fn opened() -> (UnboundedSender<ModelEvent>, BoxStream<'static, Bytes>) {
        let body = br#"{"model":"m","stream":true,"messages":[{"role":"user","content":"Hi"}]}"#;
        let asked = Api::Chat.ask(body).unwrap().read(&Files::default()).unwrap();
        let name = Name { id: "1".to_owned(), model: "m".to_owned(), created: 1 };
        let (tell, mut told) = unbounded_channel();
        tell.send(ModelEvent::BlockStarted { index: 0, kind: BlockKind::Text }).unwrap();
        let events = stream::poll_fn(move |context| told.poll_recv(context)).boxed();
        (tell, frames(Api::Chat.streamed(name, &asked), events))
    }

    fn say(tell: &UnboundedSender<ModelEvent>, text: &str) {
        tell.send(ModelEvent::Delta { index: 0, text: text.to_owned() }).unwrap();
    }

    /// How many frames say a text in the next piece, which is there.
    fn said(pieces: &mut BoxStream<'static, Bytes>, text: &str) -> usize {
        let piece = pieces.next().now_or_never().expect("it is there").expect("more to come");
        std::str::from_utf8(&piece).unwrap().matches(&format!(r#""content":"{text}""#)).count()
    }

    #[tokio::test]
    async fn frames_that_are_there_at_once_leave_together_and_wait_for_no_other() {
        let (tell, mut pieces) = opened();
        assert!(pieces.next().now_or_never().is_none());
        (0..3).for_each(|_| say(&tell, "one"));
        assert_eq!(said(&mut pieces, "one"), 3);
        assert!(pieces.next().now_or_never().is_none());
        say(&tell, "two");
        assert_eq!(said(&mut pieces, "two"), 1);
        say(&tell, "three");
        drop(tell);
        assert_eq!(said(&mut pieces, "three"), 1);
        assert_eq!(pieces.next().now_or_never(), Some(None));
        assert_eq!(pieces.next().now_or_never(), Some(None));
    }

    #[tokio::test]
    async fn a_piece_has_an_end() {
        let (tell, mut pieces) = opened();
        let text = "a".repeat(PIECE / 2);
        (0..4).for_each(|_| say(&tell, &text));
        assert_eq!((said(&mut pieces, &text), said(&mut pieces, &text)), (2, 2));
    }
}
