//! One answer of a model server on its way through the codec.

use agent::providers::{Decoder, Wire, in_browser};
use agent::text_lane::Lane;
use protocol::frame::FetchPart;
use protocol::model::{ModelEvent, ModelRequest};

/// How much of an error's body is read.
const ERROR_LIMIT: usize = 64 * 1024;

pub(super) struct DecodingCall {
    /// Absent: there is no server, and so no status.
    wire: Option<Wire>,
    decoder: Decoder,
    /// For a model that calls tools in its text.
    lane: Option<Lane>,
    refusal: Option<Refusal>,
}

/// An answer with an error status.
struct Refusal {
    status: u16,
    retry_after: Option<String>,
    body: String,
}

impl DecodingCall {
    pub(super) fn new(wire: Wire, request: &ModelRequest, native_tools: bool) -> Self {
        Self {
            wire: Some(wire),
            decoder: wire.decoder().answering(request),
            lane: (!native_tools).then(|| Lane::answering(request)),
            refusal: None,
        }
    }

    pub(super) fn in_browser(request: &ModelRequest) -> Self {
        Self {
            wire: None,
            decoder: in_browser::decoder().answering(request),
            lane: Some(Lane::answering(request)),
            refusal: None,
        }
    }

    pub(super) fn take(&mut self, part: FetchPart) -> Vec<ModelEvent> {
        let events = match (part, &mut self.refusal) {
            (FetchPart::Head { status, retry_after }, _) => {
                let is_good = (200..300).contains(&status);
                self.refusal = (self.wire.is_some() && !is_good).then(|| Refusal {
                    status,
                    retry_after,
                    body: String::new(),
                });
                Vec::new()
            }
            (FetchPart::Text { text }, None) => self.decoder.push(text.as_bytes()),
            (FetchPart::Text { text }, Some(refusal)) => {
                if refusal.body.len() < ERROR_LIMIT {
                    refusal.body.push_str(&text);
                }
                Vec::new()
            }
            (FetchPart::End, None) => self.decoder.finish(),
            (FetchPart::End, Some(Refusal { status, retry_after, body })) => {
                let decode = |wire: Wire| wire.decode_error(*status, retry_after.as_deref(), body.as_bytes());
                self.wire.map(|wire| ModelEvent::Failed { failure: decode(wire) }).into_iter().collect()
            }
            (FetchPart::Failed { failure }, _) => vec![ModelEvent::Failed { failure }],
        };
        let events = match &mut self.lane {
            Some(lane) => lane.take(events),
            None => events,
        };
        joined(events)
    }
}

/// Neighbouring deltas of one block as one: each event is a message to the hub.
fn joined(events: Vec<ModelEvent>) -> Vec<ModelEvent> {
    let mut out: Vec<ModelEvent> = Vec::with_capacity(events.len());
    for event in events {
        match (out.last_mut(), event) {
            (Some(ModelEvent::Delta { index, text }), ModelEvent::Delta { index: same, text: more })
                if *index == same =>
            {
                text.push_str(&more);
            }
            (_, event) => out.push(event),
        }
    }
    out
}
