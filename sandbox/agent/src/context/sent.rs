//! The messages of a request, and how large each part of them is.

use super::size::{self, Gauge};
use super::telling::Telling;
use protocol::log::Mark;
use protocol::model::{ModelMessage, Usage};

#[derive(Clone, Debug)]
pub(crate) struct Sent {
    pub(super) messages: Vec<ModelMessage>,
    /// Where each turn that is told begins, as a number of messages; the turn to come is the last.
    pub(crate) marks: Vec<(Mark, usize)>,
    /// Bytes before each message, and of them all.
    before: Vec<usize>,
    last_reply: Option<(usize, Usage)>,
}

impl Sent {
    pub(super) fn of(telling: Telling) -> Self {
        let messages = telling.messages.finish();
        let mut before = Vec::with_capacity(messages.len() + 1);
        let mut bytes = 0;
        before.push(bytes);
        for message in &messages {
            bytes += size::of_message(message);
            before.push(bytes);
        }
        Self { messages, marks: telling.marks, before, last_reply: telling.replies.last().copied() }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.before.last().copied().unwrap_or(0)
    }

    /// Bytes of everything before this message.
    pub(crate) fn bytes_before(&self, message: usize) -> usize {
        self.before.get(message).or(self.before.last()).copied().unwrap_or(0)
    }

    /// What the provider counted for the last whole turn tells how many bytes a token has. `head` is
    /// the size of what is sent before the messages.
    pub(crate) fn gauge(&self, head: usize) -> Gauge {
        let Some((at, usage)) = self.last_reply else {
            return Gauge::UNKNOWN;
        };
        let tokens = usage.input.saturating_add(usage.cache_read).saturating_add(usage.cache_write);
        Gauge::of(head + self.bytes_before(at), tokens)
    }
}
