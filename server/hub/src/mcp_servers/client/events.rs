//! The events of a stream, one after the other, within bounds. One that ends too early is taken up again where its
//! server said after which event.

use super::answer::{BODY, MEGABYTE};
use super::{Era, McpFailure, WebClient};
use crate::Hub;
use crate::outbound::{Answer, OutboundError, Target};
use agent::providers::framing::{Frame, Framing};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use reqwest::Method;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use std::collections::VecDeque;
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

const LAST_EVENT: HeaderName = HeaderName::from_static("last-event-id");
/// A stream that ended is left alone for so long where it says nothing, and within these bounds where it does.
const PAUSE: Duration = Duration::from_secs(1);
const SHORTEST: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_secs(30);
/// So often it is asked for again, and so often in a row where nothing came of it.
const AGAIN: u32 = 200;
const IN_VAIN: u32 = 5;

/// How a stream is asked for.
pub(super) struct Door {
    pub(super) hub: Hub,
    pub(super) target: Target,
    pub(super) method: Method,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
    pub(super) goes_on: GoesOn,
}

/// Whether a stream that ended is asked for again.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum GoesOn {
    Never,
    /// After an event that has an id.
    AfterId,
    Always,
}

pub(super) struct Events {
    at: At,
    /// `None`: what ended is over.
    door: Option<Door>,
    framing: Framing,
    frames: VecDeque<Frame>,
    last_id: Option<String>,
    retry: Duration,
    read: usize,
    again: u32,
    in_vain: u32,
}

enum At {
    Open(Answer),
    Pausing(Instant),
    Opening(BoxFuture<'static, Result<Answer, OutboundError>>),
}

impl WebClient<'_> {
    /// Of the streams of its answers, where they are taken up again at all.
    pub(super) fn door_of_answers(&self, era: &Era) -> Option<Door> {
        match era {
            Era::Legacy { .. } if !era.is_first() => Some(self.door(era, GoesOn::AfterId)),
            Era::Modern | Era::Legacy { .. } => None,
        }
    }

    /// Where a server of before says what it says by itself, and what was cut off.
    pub(super) fn door(&self, era: &Era, goes_on: GoesOn) -> Door {
        let mut headers = self.headers(Some(era));
        headers.remove(CONTENT_TYPE);
        headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream"));
        let (hub, target) = (self.hub.clone(), self.target.clone());
        Door { hub, target, method: Method::GET, headers, body: Vec::new(), goes_on }
    }
}

impl Door {
    fn opening(&self, last_id: Option<&str>) -> BoxFuture<'static, Result<Answer, OutboundError>> {
        let (hub, target, method) = (self.hub.clone(), self.target.clone(), self.method.clone());
        let (mut headers, body) = (self.headers.clone(), self.body.clone());
        if let Some(id) = last_id.and_then(header) {
            headers.insert(LAST_EVENT, id);
        }
        async move { hub.outbound().send(method, &target, headers, body).await }.boxed()
    }
}

impl Events {
    /// Of an answer that has begun.
    pub(super) fn of(answer: Answer, door: Option<Door>) -> Self {
        Self::new(At::Open(answer), door)
    }

    /// Of a stream that is asked for.
    pub(super) fn behind(door: Door) -> Self {
        Self::new(At::Opening(door.opening(None)), Some(door))
    }

    fn new(at: At, door: Option<Door>) -> Self {
        let (framing, frames) = (Framing::sse(), VecDeque::new());
        Self { at, door, framing, frames, last_id: None, retry: PAUSE, read: 0, again: 0, in_vain: 0 }
    }

    /// The data of the next event that has some. Nothing is lost by who stops waiting.
    pub(super) async fn next(&mut self) -> Result<String, McpFailure> {
        loop {
            match self.frames.pop_front() {
                Some(Frame::Event(event)) if event.data.trim().is_empty() => continue,
                Some(Frame::Event(event)) => return Ok(event.data),
                Some(Frame::TooLarge) => return Err(McpFailure::TooMuch(BODY / MEGABYTE)),
                Some(Frame::Corrupt(_)) => return Err(McpFailure::NotMcp),
                None => self.read_on().await?,
            }
        }
    }

    /// Once it is there. What it answers that has no stream is a [`McpFailure::Cut`].
    pub(super) async fn opened(&mut self) -> Result<(), McpFailure> {
        while !matches!(self.at, At::Open(_)) {
            self.read_on().await?;
        }
        Ok(())
    }

    async fn read_on(&mut self) -> Result<(), McpFailure> {
        match &mut self.at {
            At::Open(answer) => match answer.next().await {
                Ok(Some(bytes)) => self.take(&bytes),
                Ok(None) => self.ended(McpFailure::Cut),
                Err(error) => self.ended(error.into()),
            },
            At::Pausing(until) => {
                sleep_until(*until).await;
                let opening = self.door.as_ref().map(|door| door.opening(self.last_id.as_deref()));
                self.at = At::Opening(opening.ok_or(McpFailure::Cut)?);
                Ok(())
            }
            At::Opening(opening) => match opening.as_mut().await {
                Ok(answer) if is_stream(&answer) => {
                    self.framing = Framing::sse_after(self.last_id.as_deref());
                    self.at = At::Open(answer);
                    Ok(())
                }
                // Whatever else it says is not about the request whose answer is waited for.
                Ok(_) => Err(McpFailure::Cut),
                Err(error) => self.ended(error.into()),
            },
        }
    }

    fn take(&mut self, bytes: &[u8]) -> Result<(), McpFailure> {
        self.read += bytes.len();
        if self.read > BODY {
            return Err(McpFailure::TooMuch(BODY / MEGABYTE));
        }
        self.frames.extend(self.framing.push(bytes));
        // Also where its server takes the id back.
        if self.framing.last_id() != self.last_id.as_deref() {
            self.last_id = self.framing.last_id().map(str::to_owned);
            self.in_vain = 0;
        }
        if !self.frames.is_empty() {
            self.in_vain = 0;
        }
        if let Some(retry) = self.framing.retry() {
            self.retry = retry.clamp(SHORTEST, LONGEST);
        }
        Ok(())
    }

    fn ended(&mut self, why: McpFailure) -> Result<(), McpFailure> {
        self.again += 1;
        self.in_vain += 1;
        let goes_on = match (self.door.as_ref().map(|door| door.goes_on), &self.last_id) {
            (None | Some(GoesOn::Never), _) | (Some(GoesOn::AfterId), None) => false,
            (Some(GoesOn::Always), None) => true,
            // Without it what came before would come again.
            (Some(GoesOn::AfterId | GoesOn::Always), Some(id)) => header(id).is_some(),
        };
        if !goes_on || self.again > AGAIN || self.in_vain > IN_VAIN {
            return Err(why);
        }
        self.at = At::Pausing(Instant::now() + self.retry);
        Ok(())
    }
}

fn header(id: &str) -> Option<HeaderValue> {
    HeaderValue::from_bytes(id.as_bytes()).ok()
}

fn is_stream(answer: &Answer) -> bool {
    let kind = answer.header(CONTENT_TYPE).unwrap_or_default().to_ascii_lowercase();
    answer.is_success() && kind.split(';').next().unwrap_or_default().trim() == "text/event-stream"
}
