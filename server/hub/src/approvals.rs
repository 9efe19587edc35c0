//! Calls that wait for a person: for a yes, or for an answer to what the agent asks by them. Each is a row, shown on every device as entries of the log, answered
//! once from any of them, and gone on with once. Whether a call needs a person is the gateway's to say.

mod answer;
mod ask;
mod from_notification;
mod hash;
mod in_words;
mod question;
mod reply;
mod resolve;
mod rows;

use crate::Hub;
use crate::cluster::Signal;
pub(crate) use ask::{AFTERWARDS, AGAIN, ApprovalResult, Question};
pub(crate) use hash::hash_of;
pub(crate) use in_words::{asked_in_words, in_words};
pub(crate) use question::read as question_in;
pub(crate) use resolve::{is_open, take, were_taken_since};

use crate::access::Scoped;
use crate::error::Result;
use protocol::approval::ApprovalView;
use protocol::{ApprovalId, UserId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// Questions to the viewer about calls of tools.
#[derive(Clone, Copy, Debug)]
pub struct OwnApprovals<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn approvals(&self) -> OwnApprovals<'a> {
        OwnApprovals { scoped: *self }
    }
}

/// Questions to people about calls of tools.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Approvals<'a> {
    hub: &'a Hub,
}

impl Approvals<'_> {
    /// Wakes the call that waits for this one, on whichever node it does.
    async fn settled(self, id: &ApprovalId, owner: &UserId) {
        self.hub.waiters().tell(id);
        if !self.hub.cluster().has(owner) {
            self.hub.cluster().tell(Signal::Answered { approval: id.clone() }).await;
        }
    }

    /// Any of them may have been settled unheard: who waits looks again.
    pub(crate) fn look_again(self) {
        self.hub.waiters().tell_all();
    }

    /// It was settled on another node.
    pub(crate) fn heard(self, id: &ApprovalId) {
        self.hub.waiters().tell(id);
    }
}

impl Hub {
    pub(crate) fn approvals(&self) -> Approvals<'_> {
        Approvals { hub: self }
    }

    fn waiters(&self) -> &Waiters {
        &self.0.approvals
    }
}

impl Approvals<'_> {
    /// How many questions to people are open.
    pub(crate) async fn waiting(self) -> Result<u64> {
        rows::open_count(self.hub.store(), self.hub.now()).await
    }
}

/// The calls of this process that wait, each with what wakes it.
#[derive(Default)]
pub(crate) struct Waiters(Mutex<HashMap<ApprovalId, Arc<Notify>>>);

impl Waiters {
    fn listen(&self, id: &ApprovalId) -> Arc<Notify> {
        Arc::clone(self.lock().entry(id.clone()).or_default())
    }

    /// Wakes the call that waits for this one, if it does so here.
    fn tell(&self, id: &ApprovalId) {
        if let Some(waiting) = self.lock().remove(id) {
            waiting.notify_waiters();
        }
    }

    fn tell_all(&self) {
        for (_, waiting) in self.lock().drain() {
            waiting.notify_waiters();
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ApprovalId, Arc<Notify>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OwnApprovals<'_> {
    /// Everything that waits for this person, the oldest first.
    pub async fn list(self) -> Result<Vec<ApprovalView>> {
        rows::open(self.scoped.hub.store(), &self.scoped.viewer.me.id, self.scoped.hub.now()).await
    }
}
