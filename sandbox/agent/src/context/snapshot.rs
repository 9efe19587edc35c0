//! What the log says up to some entry, kept: going on from it is the same as reading the log from its
//! beginning, and costs what came since.

use super::history::History;
use protocol::RunId;
use protocol::log::{Entry, EntryBody, Sender};
use protocol::run::RunSpec;
use serde::{Deserialize, Serialize};

/// A conversation as far as it was read.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Snapshot {
    /// The rest after which what was said before is left out, in milliseconds.
    clear_after_ms: Option<u64>,
    /// When the newest entry was written, but for what the hub says by itself, in Unix milliseconds.
    at: Option<i64>,
    history: History,
}

impl Snapshot {
    /// The form of its JSON. One of another form is of no use, and the log is read again. A browser with the loop
    /// of another form could not go on either: with this number rises [`protocol::VERSION`].
    pub const FORM: u32 = 1;

    /// Nothing was read. What was said before a rest of `clear_after_ms` will be left out.
    pub fn new(clear_after_ms: Option<u64>) -> Self {
        Self { clear_after_ms, ..Self::default() }
    }

    /// One that was kept as JSON; without any, nothing was read.
    pub fn parse(kept: Option<&str>, spec: &RunSpec) -> serde_json::Result<Self> {
        kept.map_or_else(|| Ok(Self::new(spec.clear_after_ms)), serde_json::from_str)
    }

    /// Reads the next entry of the conversation.
    pub fn take(&mut self, entry: &Entry) {
        // It is no reason to begin anew, nor to go on with what rested.
        if let EntryBody::Message { from, text, attachments } = &entry.body
            && matches!(from, Sender::Devices | Sender::Todo | Sender::Rating | Sender::Context { .. })
        {
            self.history.add_message(entry.seq, from, text, attachments);
            return;
        }
        let rested = self.at.replace(entry.at).map(|last| entry.at.saturating_sub(last));
        match &entry.body {
            EntryBody::Message { from, text, attachments } => {
                let rested = rested.and_then(|rested| u64::try_from(rested).ok());
                if self.clear_after_ms.is_some_and(|longest| rested.is_some_and(|rested| rested >= longest)) {
                    self.history.clear();
                }
                self.history.add_message(entry.seq, from, text, attachments);
            }
            body => self.history.add(entry.run.as_ref(), body),
        }
    }

    pub fn take_all(mut self, entries: &[Entry]) -> Self {
        entries.iter().for_each(|entry| self.take(entry));
        self
    }

    /// The conversation as `run` sees it, which is the last one in it or about to begin.
    pub(crate) fn seen_by(self, run: &RunId) -> History {
        self.history.seen_by(run)
    }
}
