//! Wakes who tells programs as soon as a task has come further.

use crate::log::Observer;
use protocol::RunId;
use protocol::log::{Entry, EntryBody};
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Notify;

#[derive(Clone, Default)]
pub(super) struct PushSignal(Arc<Inner>);

#[derive(Default)]
struct Inner {
    rung: Notify,
    further: Mutex<HashSet<RunId>>,
}

impl PushSignal {
    pub(super) async fn heard(&self) {
        self.0.rung.notified().await;
    }

    pub(super) fn ring(&self) {
        self.0.rung.notify_one();
    }

    /// Those that came further since this was asked last.
    pub(super) fn further(&self) -> HashSet<RunId> {
        std::mem::take(&mut *self.0.further.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Observer for PushSignal {
    fn committed(&self, entries: &[Entry]) {
        let goes_further = |entry: &&Entry| {
            matches!(
                entry.body,
                EntryBody::ApprovalAsked { .. }
                    | EntryBody::ApprovalSettled { .. }
                    | EntryBody::RunFinished { .. }
            )
        };
        let runs: Vec<RunId> =
            entries.iter().filter(goes_further).filter_map(|entry| entry.run.clone()).collect();
        if runs.is_empty() {
            return;
        }
        self.0.further.lock().unwrap_or_else(PoisonError::into_inner).extend(runs);
        self.ring();
    }
}
