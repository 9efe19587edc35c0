//! What is being put together while a history is told to a model.

use super::messages::Messages;
use protocol::RunId;
use protocol::log::Mark;
use protocol::model::Usage;

pub(super) struct Telling {
    pub(super) messages: Messages,
    /// Where each turn begins, as a number of messages.
    pub(super) marks: Vec<(Mark, usize)>,
    /// Where the replies stand of which the provider counted the tokens.
    pub(super) replies: Vec<(usize, Usage)>,
    /// Results before this place are told as digests.
    pub(super) digest_until: Option<Mark>,
    pub(super) result_chars: usize,
    /// Whether the model that reads this is the one that reasoned.
    pub(super) keep_reasoning: bool,
}

impl Telling {
    /// A turn begins here.
    pub(super) fn mark(&mut self, mark: Mark) {
        if self.digest_until.as_ref().is_some_and(|until| until.run == mark.run && until.turn <= mark.turn) {
            self.digest_until = None;
        }
        self.marks.push((mark, self.messages.len()));
    }

    /// A run ends here.
    pub(super) fn pass(&mut self, run: &RunId) {
        if self.digest_until.as_ref().is_some_and(|until| until.run == *run) {
            self.digest_until = None;
        }
    }
}
