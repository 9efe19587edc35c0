//! How a run begins and ends.

use super::streaming::Streaming;
use super::{Body, Change, DeviceWaitEnd, Key, Note, Progress, Thread};
use crate::prelude::{key, t};
use protocol::LimitOf;
use protocol::log::{Driver, Entry, Outcome};
use protocol::view::Status;

const UNVERIFIED: &str =
    key!("A browser called the model and told the hub what it said. The hub did not hear it itself.");

impl Thread {
    pub(super) fn start_run(
        &mut self,
        entry: &Entry,
        driver: Option<&Driver>,
        unverified: bool,
    ) -> Vec<Change> {
        self.driver = driver.cloned();
        self.settled.append(&mut self.waiting);
        self.run.clone_from(&entry.run);
        self.status = Status::Running;
        self.retry = None;
        self.is_ambient = false;
        self.repair = None;
        self.calls.clear();
        self.steered.clear();
        self.turn = 0;
        let mut changes = self.order_if(Streaming::clear);
        if unverified {
            changes.extend(self.note(entry, Note::Unverified, t(UNVERIFIED)));
        }
        changes
    }

    pub(super) fn finish_run(
        &mut self,
        entry: &Entry,
        outcome: &Outcome,
        stopped_by: Option<LimitOf>,
    ) -> Vec<Change> {
        let mut changes = self.order_if(Streaming::clear);
        changes.extend(self.settle_read(u32::MAX));
        self.turn = 0;
        self.run = None;
        self.driver = None;
        self.status = Status::after(outcome);
        changes.extend(self.end_waits(|_| true, &DeviceWaitEnd::Nobody));
        let mut open: Vec<usize> = self.calls.drain().map(|(_, place)| place).collect();
        open.sort_unstable();
        for place in open {
            if let Body::Tool {
                progress: progress @ (Progress::Asked | Progress::Waiting | Progress::Running(_)),
                ..
            } = &mut self.settled[place].body
            {
                *progress = Progress::Dropped;
                changes.push(Change::Item(self.settled[place].key.clone()));
            }
        }
        match outcome {
            Outcome::Completed => changes.extend(self.end_answer(entry)),
            Outcome::Stopped | Outcome::RoundLimit | Outcome::Failed { .. } | Outcome::Interrupted { .. } => {
                let key = Key::Entry(entry.seq);
                self.retry = (outcome.can_retry() && !self.is_ambient).then(|| key.clone());
                let body = Body::Ended { outcome: outcome.clone(), stopped_by };
                changes.extend(self.settle(entry, key, body, String::new()));
            }
        }
        if !self.waiting.is_empty() {
            self.settled.append(&mut self.waiting);
            changes.push(Change::Order);
        }
        changes
    }

    /// The last words of the run are its answer.
    fn end_answer(&mut self, entry: &Entry) -> Option<Change> {
        let run = entry.run.as_ref()?;
        let mut own = self.settled.iter_mut().rev().take_while(|item| item.key.is_of(run));
        let last = own.find(|item| matches!(item.body, Body::Text { .. }))?;
        last.body = Body::Text { streaming: false, ends: Some(run.clone()) };
        Some(Change::Item(last.key.clone()))
    }
}
