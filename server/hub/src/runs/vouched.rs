//! What a loop may append, wherever it runs: what the hub streamed to it, and words of its own that
//! are marked as such. Outcomes of tools, usage and what people said are written by the hub alone.

use super::Execution;
use crate::error::{Error, Result};
use protocol::log::{Class, EntryBody, LoopEvent, ReplyEvent};
use std::sync::atomic::Ordering;

/// Longest entry of the loop's own, in bytes of JSON. A summary is the longest.
const OWN_WORDS: usize = 128 * 1024;
/// All of them together, in one run.
const ALL_OWN_WORDS: usize = 4 * 1024 * 1024;

impl Execution {
    pub(super) fn require_vouched(&self, body: &EntryBody) -> Result<()> {
        let vouched = match body.class() {
            Class::Reply(ReplyEvent::Block { turn, index, block }) => {
                self.streamed().vouches_for(turn, index, block)
            }
            Class::Reply(ReplyEvent::Finished { turn, stop }) => {
                let streamed = self.streamed();
                streamed.turn == turn && streamed.stop == Some(stop)
            }
            Class::Reply(ReplyEvent::Retrying { turn, failure }) => {
                self.streamed().failed_with(turn, failure) && self.has_room_for(body)
            }
            Class::Loop(LoopEvent::Steered { seq, .. }) => self.hub().runs().is_unread(&self.agent, seq),
            Class::Loop(LoopEvent::NotRun { .. } | LoopEvent::Notice { .. }) | Class::Compaction(_) => {
                self.has_room_for(body)
            }
            // Which model answers, for instance, is for the hub to say.
            Class::HubNotice { .. }
            | Class::Said { .. }
            | Class::Run(_)
            | Class::Call(_)
            | Class::Used { .. }
            | Class::Agent(_) => false,
        };
        if vouched {
            return Ok(());
        }
        Err(Error::invalid("A loop may only append what the model really said, and short words of its own."))
    }

    /// A loop in a browser may be replaced by anything: it does not get to fill the log.
    fn has_room_for(&self, body: &EntryBody) -> bool {
        let Ok(size) = serde_json::to_vec(body).map(|json| json.len()) else { return false };
        size <= OWN_WORDS && self.own_words.fetch_add(size, Ordering::Relaxed) + size <= ALL_OWN_WORDS
    }
}
