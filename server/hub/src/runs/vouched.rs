//! What a loop may append, wherever it runs: what the hub streamed to it, and words of its own that
//! are marked as such. Outcomes of tools, usage and what people said are written by the hub alone.

use super::Execution;
use crate::error::{Error, Result};
use protocol::log::EntryBody;

/// Longest text of the loop's own, in bytes. A summary is the longest.
const OWN_WORDS: usize = 64 * 1024;

impl Execution {
    pub(super) fn require_vouched(&self, body: &EntryBody) -> Result<()> {
        let vouched = match body {
            EntryBody::Block { turn, index, block } => self.streamed().vouches_for(*turn, *index, block),
            EntryBody::TurnFinished { turn, stop } => {
                let streamed = self.streamed();
                streamed.turn == *turn && streamed.stop == Some(*stop)
            }
            EntryBody::Retrying { turn, failure } => self.streamed().failed_with(*turn, failure),
            EntryBody::Steered { seq, .. } => self.hub().is_unread(&self.agent, *seq),
            EntryBody::NotRun { text, .. }
            | EntryBody::Notice { text, .. }
            | EntryBody::Summary { text, .. } => text.len() <= OWN_WORDS,
            EntryBody::Digested { .. } | EntryBody::Clipped { .. } => true,
            EntryBody::Message { .. }
            | EntryBody::RunStarted { .. }
            | EntryBody::ToolStarted { .. }
            | EntryBody::ToolFinished { .. }
            | EntryBody::Used { .. }
            | EntryBody::RunFinished { .. }
            | EntryBody::Skin { .. }
            | EntryBody::State { .. }
            | EntryBody::ToolCreated { .. }
            | EntryBody::ToolDeleted { .. }
            | EntryBody::Permission { .. } => false,
        };
        if vouched {
            return Ok(());
        }
        Err(Error::invalid("A loop may only append what the model really said, and short words of its own."))
    }
}
