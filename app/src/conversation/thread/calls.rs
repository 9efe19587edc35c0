//! Calls of tools on their way.

use super::{Body, Change, Progress, Thread};
use protocol::CallId;
use protocol::hub::CallProgress;
use protocol::model::ToolResult;

impl Thread {
    pub(super) fn advance(&mut self, call: &CallId, next: Progress) -> Vec<Change> {
        let Some(item) = self.calls.get(call).map(|place| &mut self.settled[*place]) else {
            return Vec::new();
        };
        let Body::Tool { progress, .. } = &mut item.body else { return Vec::new() };
        match progress {
            Progress::Written | Progress::Asked | Progress::Waiting | Progress::Running(_) => {
                *progress = next
            }
            Progress::Finished { .. } | Progress::Dropped => return Vec::new(),
        }
        vec![Change::Item(item.key.clone())]
    }

    /// How far a call is that runs.
    pub(super) fn tell(&mut self, call: &CallId, told: &CallProgress) -> Vec<Change> {
        let Some(item) = self.calls.get(call).map(|place| &mut self.settled[*place]) else {
            return Vec::new();
        };
        let Body::Tool { progress: Progress::Running(known), .. } = &mut item.body else { return Vec::new() };
        *known = Some(told.clone());
        vec![Change::Item(item.key.clone())]
    }

    pub(super) fn refuse(&mut self, call: &CallId, why: &str) -> Vec<Change> {
        let result = ToolResult {
            call: call.clone(),
            name: String::new(),
            content: why.to_owned(),
            media: Vec::new(),
            is_error: true,
        };
        self.advance(call, Progress::Finished { result, millis: 0 })
    }
}
