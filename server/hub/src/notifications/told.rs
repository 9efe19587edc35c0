//! Wakes who sends as soon as something that may be told is committed.

use crate::log::Observer;
use protocol::log::{Entry, EntryBody};
use std::sync::Arc;
use tokio::sync::Notify;

#[derive(Clone, Default)]
pub(super) struct ToldSignal(Arc<Notify>);

impl ToldSignal {
    pub(super) async fn heard(&self) {
        self.0.notified().await;
    }

    pub(super) fn ring(&self) {
        self.0.notify_one();
    }
}

impl Observer for ToldSignal {
    fn committed(&self, entries: &[Entry]) {
        let may_be_told = |entry: &Entry| {
            matches!(
                entry.body,
                EntryBody::ApprovalAsked { .. }
                    | EntryBody::DeviceWait { .. }
                    | EntryBody::RunFinished { .. }
            )
        };
        if entries.iter().any(may_be_told) {
            self.ring();
        }
    }
}
