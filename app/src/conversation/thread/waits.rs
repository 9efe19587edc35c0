//! What waits: for the person's answer, or for a device.

use super::{Body, Change, DeviceWaitEnd, Key, Progress, Thread};
use protocol::approval::{Approval, ApprovalOutcome, Asker};
use protocol::log::{DeviceWanted, Entry};
use protocol::view::Status;
use protocol::{ApprovalId, CallId};

impl Thread {
    pub(super) fn ask(&mut self, entry: &Entry, approval: &Approval) -> Vec<Change> {
        let mut changes = Vec::new();
        if approval.asker == Asker::Model {
            self.status = Status::Waiting;
            changes = self.advance(&approval.call.id, Progress::Waiting);
        }
        self.open.push(self.settled.len());
        let body = Body::Approval { approval: Box::new(approval.clone()), settled: None };
        changes.extend(self.settle(entry, Key::Entry(entry.seq), body, String::new()));
        changes
    }

    pub(super) fn settle_approval(&mut self, id: &ApprovalId, ended: &ApprovalOutcome) -> Vec<Change> {
        let is_it = |place: &usize| matches!(&self.settled[*place].body, Body::Approval { approval, .. } if approval.id == *id);
        let Some(at) = self.open.iter().position(is_it) else { return Vec::new() };
        let place = self.open.remove(at);
        let item = &mut self.settled[place];
        let mut changes = vec![Change::Item(item.key.clone())];
        if let Body::Approval { approval, settled } = &mut item.body {
            *settled = Some(ended.clone());
            if approval.asker == Asker::Model {
                let call = approval.call.id.clone();
                changes.extend(self.advance(&call, Progress::Asked));
            }
        }
        self.go_on();
        changes
    }

    pub(super) fn end_waits(&mut self, is_over: impl Fn(&Body) -> bool, end: &DeviceWaitEnd) -> Vec<Change> {
        let settled = &mut self.settled;
        let mut changes = Vec::new();
        self.waits.retain(|place| {
            let item = &mut settled[*place];
            let over = is_over(&item.body);
            if over && let Body::Device { ended, .. } = &mut item.body {
                *ended = Some(end.clone());
                changes.push(Change::Item(item.key.clone()));
            }
            !over
        });
        self.go_on();
        changes
    }

    /// The agent is at work again, unless something of its run waits.
    fn go_on(&mut self) {
        let is_asked = self.open().any(|approval| approval.asker == Asker::Model);
        if self.run.is_some() && self.waits.is_empty() && !is_asked {
            self.status = Status::Running;
        }
    }

    pub(super) fn begin_wait(
        &mut self,
        entry: &Entry,
        call: &CallId,
        wanted: &DeviceWanted,
        until: i64,
    ) -> Vec<Change> {
        self.status = Status::Waiting;
        let mut changes = self.advance(call, Progress::Waiting);
        self.waits.push(self.settled.len());
        let (call, wanted) = (call.clone(), wanted.clone());
        let body = Body::Device { call, wanted, until, ended: None };
        changes.extend(self.settle(entry, Key::Entry(entry.seq), body, String::new()));
        changes
    }

    pub(super) fn end_wait(&mut self, call: &CallId, by: Option<&str>) -> Vec<Change> {
        let end = by.map(str::to_owned).map_or(DeviceWaitEnd::Nobody, DeviceWaitEnd::Found);
        let is_it = |body: &Body| matches!(body, Body::Device { call: own, .. } if own == call);
        let mut changes = self.end_waits(is_it, &end);
        changes.extend(self.advance(call, Progress::Running(None)));
        changes
    }
}
