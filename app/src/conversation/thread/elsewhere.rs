//! Other conversations of the same agent. Of what happens there this one shows how the agent is, and what it
//! costs.

use super::{Change, Thread};
use protocol::ConversationId;
use protocol::approval::Asker;
use protocol::log::{DeviceWait, Entry, EntryBody};
use protocol::view::Status;

impl Thread {
    /// Whether the entry belongs to another conversation. What the agent's page asks is asked in each.
    pub fn is_elsewhere(&self, entry: &Entry) -> bool {
        let (Some(own), Some(its)) = (&self.conversation, &entry.conversation) else { return false };
        let is_of_page = match &entry.body {
            EntryBody::ApprovalAsked { approval } => approval.asker == Asker::Page,
            EntryBody::ApprovalSettled { approval, .. } => self.open().any(|open| open.id == *approval),
            _ => false,
        };
        own != its && !is_of_page
    }

    /// The conversation that the agent is at work in, if it is another.
    pub fn elsewhere(&self) -> Option<&ConversationId> {
        self.elsewhere.as_ref()
    }

    pub(super) fn take_elsewhere(&mut self, entry: &Entry) -> Vec<Change> {
        match &entry.body {
            EntryBody::RunStarted { .. } => {
                self.elsewhere.clone_from(&entry.conversation);
                self.status = Status::Running;
            }
            EntryBody::RunFinished { outcome, .. } => {
                self.elsewhere = None;
                self.status = Status::after(outcome);
            }
            EntryBody::ApprovalAsked { .. }
            | EntryBody::DeviceWait { wait: DeviceWait::Begun { .. }, .. } => {
                self.status = Status::Waiting;
            }
            EntryBody::ApprovalSettled { .. }
            | EntryBody::DeviceWait { wait: DeviceWait::Ended { .. }, .. } => {
                self.status = Status::Running;
            }
            EntryBody::Used { usage, cost, .. } => self.spend(usage, *cost),
            EntryBody::Moved { home, only_run: false, .. } => self.home = *home,
            _ => {}
        }
        Vec::new()
    }
}
