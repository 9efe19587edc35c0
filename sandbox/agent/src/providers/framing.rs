//! Bodies of streamed replies as they come apart into events. What an event means is the codecs'
//! own.

mod event_stream;
mod ndjson;
mod sse;

use serde_json::Value;
use std::time::Duration;

const EVENT_LIMIT: usize = 8 * 1024 * 1024;

/// How a wire sets its events apart.
#[derive(Debug)]
pub enum Framing {
    /// Server-sent events.
    Sse(sse::Parser),
    /// One JSON value per line.
    Lines(ndjson::Parser),
    /// `application/vnd.amazon.eventstream`.
    EventStream(event_stream::Parser),
}

/// One thing that a parser found.
#[derive(Debug, PartialEq, Eq)]
pub enum Frame {
    Event(Event),
    /// An event was larger than 8 MiB. Nothing more comes.
    TooLarge,
    /// The bytes are not of this framing; the clause says why. Nothing more comes.
    Corrupt(&'static str),
}

#[derive(Debug, PartialEq, Eq)]
pub struct Event {
    /// Empty where the event has no name.
    pub name: String,
    pub data: String,
    /// `false`: the body ended within this event, so its data may be a torso.
    pub whole: bool,
}

/// What the data of an event is.
pub(super) enum Payload {
    Json(Value),
    /// Nothing, or the torso of an event that the end of the body cut.
    Nothing,
    Garbage,
}

impl Framing {
    pub fn sse() -> Self {
        Self::Sse(sse::Parser::default())
    }

    /// The events of a stream that is taken up again: they keep this id until another one is named.
    pub fn sse_after(last_id: Option<&str>) -> Self {
        Self::Sse(sse::Parser::after(last_id.unwrap_or_default()))
    }

    pub fn lines() -> Self {
        Self::Lines(ndjson::Parser::default())
    }

    pub fn event_stream() -> Self {
        Self::EventStream(event_stream::Parser::default())
    }

    /// Takes the next bytes, cut anywhere.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Frame> {
        match self {
            Self::Sse(parser) => parser.push(bytes),
            Self::Lines(parser) => parser.push(bytes),
            Self::EventStream(parser) => parser.push(bytes),
        }
    }

    /// What the end of the body left unfinished.
    pub fn finish(&mut self) -> Option<Event> {
        match self {
            Self::Sse(parser) => parser.finish(),
            Self::Lines(parser) => parser.finish(),
            // A message without its last bytes cannot be checked, so it is not read.
            Self::EventStream(_) => None,
        }
    }
}

impl Framing {
    /// Of server-sent events: after which one a stream that ended is taken up again.
    pub fn last_id(&self) -> Option<&str> {
        match self {
            Self::Sse(parser) => parser.last_id(),
            Self::Lines(_) | Self::EventStream(_) => None,
        }
    }

    /// Of server-sent events: how long the stream wants to be left alone before that.
    pub fn retry(&self) -> Option<Duration> {
        match self {
            Self::Sse(parser) => parser.retry(),
            Self::Lines(_) | Self::EventStream(_) => None,
        }
    }
}

impl Event {
    pub(super) fn payload(&self) -> Payload {
        if self.data.trim().is_empty() {
            return Payload::Nothing;
        }
        match serde_json::from_str(&self.data) {
            Ok(value) => Payload::Json(value),
            Err(_) if self.whole => Payload::Garbage,
            Err(_) => Payload::Nothing,
        }
    }
}
