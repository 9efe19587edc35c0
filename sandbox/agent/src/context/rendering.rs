//! A history as it is told to a model, and how large each part of it is. It is kept from one call to
//! the next: what was told stays, and only what came since is added.

use super::messages::Messages;
use super::size::{self, Gauge};
use protocol::RunId;
use protocol::log::Mark;
use protocol::model::{MessageList, Usage};

#[derive(Clone, Debug)]
pub(crate) struct Rendering {
    pub(super) messages: Messages,
    /// Where each whole turn begins, as a number of messages, and where the last of them ends.
    pub(super) marks: Vec<(Mark, usize)>,
    /// Where the last reply stands of which the provider counted the tokens.
    pub(super) counted: Option<(usize, Usage)>,
    /// Results before this place are told as digests.
    pub(super) digest_until: Option<Mark>,
    pub(super) result_chars: usize,
    /// Bytes of an attached text that are counted at most.
    pub(super) most_of_text: usize,
    /// Whether the model that reads this is the one that reasoned.
    pub(super) keep_reasoning: bool,
    /// How much of the open run was told.
    pub(super) cursor: Cursor,
    /// Bytes before each message, and of them all.
    before: Vec<usize>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cursor {
    pub(super) has_begun: bool,
    /// The next turn, and how many whole ones came before it.
    pub(super) turn: u32,
    pub(super) whole: usize,
    pub(super) notes: usize,
}

impl Rendering {
    pub(super) fn new(longest: usize, result_chars: usize, digest_until: Option<Mark>) -> Self {
        Self {
            messages: Messages::new(longest),
            marks: Vec::new(),
            counted: None,
            digest_until,
            result_chars: result_chars.min(longest),
            most_of_text: usize::MAX,
            keep_reasoning: true,
            cursor: Cursor::default(),
            before: vec![0],
        }
    }

    /// A turn begins here.
    pub(super) fn mark(&mut self, mark: Mark) {
        if self.digest_until.as_ref().is_some_and(|until| until.run == mark.run && until.turn <= mark.turn) {
            self.digest_until = None;
        }
        self.marks.push((mark, self.messages.len()));
    }

    /// Whether nothing is shortened here, of a reply that is short enough.
    pub(super) fn takes_as_is(&self) -> bool {
        self.digest_until.is_none() && self.messages.takes_as_is()
    }

    /// A run ends here.
    pub(super) fn pass(&mut self, run: &RunId) {
        if self.digest_until.as_ref().is_some_and(|until| until.run == *run) {
            self.digest_until = None;
        }
        self.cursor = Cursor::default();
    }

    /// Sizes what has come. The message that was last may have grown or gone.
    pub(super) fn measure(&mut self) {
        let known = self.before.len().saturating_sub(2).min(self.messages.len());
        self.before.truncate(known + 1);
        for message in self.messages.from(known) {
            let before = self.before.last().copied().unwrap_or(0);
            self.before.push(before + size::of_message(message, self.most_of_text));
        }
    }

    /// The messages of a request.
    pub(crate) fn request(&self) -> MessageList {
        self.messages.request()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes_before(self.messages.request_len())
    }

    /// Bytes of everything before this message.
    pub(crate) fn bytes_before(&self, message: usize) -> usize {
        self.before.get(message).or(self.before.last()).copied().unwrap_or(0)
    }

    /// What the provider counted for the last whole turn tells how many bytes a token has. `head` is
    /// the size of what is sent before the messages.
    pub(crate) fn gauge(&self, head: usize) -> Gauge {
        let Some((at, usage)) = self.counted else {
            return Gauge::UNKNOWN;
        };
        let tokens = usage.input.saturating_add(usage.cache_read).saturating_add(usage.cache_write);
        Gauge::of(head + self.bytes_before(at), tokens)
    }
}
