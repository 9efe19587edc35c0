//! What an agent elsewhere tells while it works: server-sent events, or one answer, within bounds.

use super::client::{MEGABYTE, json_of, kind_of, parsed, result_of, without_token};
use super::failure::PeerFailure;
use crate::fair_queue::Permit;
use crate::outbound::Answer;
use agent::providers::framing::{Frame, Framing};
use protocol::UserId;
use redact::Needles;
use serde_json::Value;
use std::collections::VecDeque;

/// Bytes of a stream.
const STREAM: usize = 16 * MEGABYTE;

pub(crate) struct Updates {
    /// `None`: its one answer was read.
    answer: Option<Answer>,
    framing: Framing,
    frames: VecDeque<Frame>,
    read: usize,
    needles: Option<Needles>,
    _turn: Permit<UserId>,
}

impl Updates {
    pub(super) fn new(answer: Answer, needles: Option<Needles>, turn: Permit<UserId>) -> Self {
        Self {
            answer: Some(answer),
            framing: Framing::sse(),
            frames: VecDeque::new(),
            read: 0,
            needles,
            _turn: turn,
        }
    }

    /// The next one. `None`: there are no more. Of a stream nothing is lost by who stops waiting.
    pub(crate) async fn next(&mut self) -> Result<Option<Value>, PeerFailure> {
        if let Some(answer) = self.answer.take_if(|answer| kind_of(answer) != "text/event-stream") {
            return self.result(json_of(answer).await?).map(Some);
        }
        loop {
            while let Some(frame) = self.frames.front() {
                let data = match frame {
                    Frame::Event(event) => event.data.clone(),
                    Frame::TooLarge => return Err(PeerFailure::TooMuch(1)),
                    Frame::Corrupt(_) => return Err(PeerFailure::NotA2a),
                };
                if data.trim().is_empty() {
                    self.frames.pop_front();
                    continue;
                }
                let message = parsed(data.into_bytes()).await?;
                self.frames.pop_front();
                return self.result(message).map(Some);
            }
            let Some(answer) = &mut self.answer else { return Ok(None) };
            let Some(bytes) = answer.next().await? else { return Ok(None) };
            self.read += bytes.len();
            if self.read > STREAM {
                return Err(PeerFailure::TooMuch(STREAM / MEGABYTE));
            }
            self.frames.extend(self.framing.push(&bytes));
        }
    }

    pub(crate) fn without_token(&self, text: &str) -> String {
        self.needles.as_ref().map_or_else(|| text.to_owned(), |needles| needles.hide(text).into_owned())
    }

    fn result(&self, message: Value) -> Result<Value, PeerFailure> {
        result_of(message).map_err(|failure| without_token(failure, self.needles.as_ref()))
    }
}
