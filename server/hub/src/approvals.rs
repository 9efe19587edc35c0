//! Calls that wait for a person. Each is a row, shown on every device as entries of the log, answered
//! once from any of them, and gone on with once. Whether a call needs a person is the gateway's to say.

mod answer;
mod ask;
mod hash;
mod rows;
mod settle;

pub(crate) use ask::Question;
pub(crate) use hash::hash_of;
pub(crate) use settle::{is_open, take};

use crate::access::Scoped;
use crate::error::Result;
use protocol::ApprovalId;
use protocol::approval::ApprovalView;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// The calls of this process that wait, each with what wakes it.
#[derive(Default)]
pub(crate) struct Approvals(Mutex<HashMap<ApprovalId, Arc<Notify>>>);

impl Approvals {
    fn listen(&self, id: &ApprovalId) -> Arc<Notify> {
        Arc::clone(self.lock().entry(id.clone()).or_default())
    }

    /// Wakes the call that waits for this one, if it does so here.
    fn tell(&self, id: &ApprovalId) {
        if let Some(waiting) = self.lock().remove(id) {
            waiting.notify_waiters();
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ApprovalId, Arc<Notify>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Scoped<'_> {
    /// Everything that waits for this person, the oldest first.
    pub async fn approvals(&self) -> Result<Vec<ApprovalView>> {
        rows::open(&self.hub.store, &self.viewer.me.id, self.hub.now()).await
    }
}
