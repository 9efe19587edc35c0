//! A run at home in a browser that no browser drives: it waits for a page of its agent. If none opens it ends, or the
//! hub goes on with it after the time that its person chose.

use super::Execution;
use super::hand_over::Destination;
use crate::clock::Moment;
use protocol::log::Outcome;
use protocol::{told, words};
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

/// How long a run waits for a page of its agent when nothing else keeps it waiting, and its person chose no time.
const PAGE_GRACE: Duration = Duration::from_secs(90);
/// Before a move that the store did not take is tried again.
const AGAIN: Duration = Duration::from_secs(2);

impl Execution {
    /// Until when the run waits for a browser, without one since then. Absent: its person chose no time.
    pub(super) fn waits_until(&self, since: i64) -> Option<Moment> {
        let patience_ms = self.hub_after_ms?;
        let left_ms = self.hub().clock().left_ms(since.saturating_add(patience_ms), patience_ms);
        Some(self.hub().moment().plus_ms(left_ms))
    }

    /// Nobody drives, since then: sees to it that the run goes on or ends, if no page takes it before.
    pub(super) fn wait_for_a_page(self: &Arc<Self>, since: i64) {
        let execution = Arc::clone(self);
        let (until, lease) = (self.waits_until(since), self.holder().token.clone());
        self.hub().tasks().spawn(async move {
            tokio::select! {
                () = execution.hub().tasks().closing() => return,
                () = execution.ended() => return,
                () = execution.outwait(until) => {}
            }
            match until {
                Some(_) if execution.spec.on_device.is_none() => execution.go_on_in_hub(&lease).await,
                Some(_) | None => execution.end_without_a_page(&lease).await,
            }
        });
    }

    /// Returns when there is nothing more to wait for.
    async fn outwait(&self, until: Option<Moment>) {
        let clock = self.hub().clock();
        match until {
            // A question may be answered when the hub drives as well.
            Some(until) if self.spec.on_device.is_none() => {
                let questions = async {
                    self.outwait_questions().await;
                    pending::<()>().await
                };
                tokio::select! {
                    () = clock.until(until) => {}
                    () = questions => {}
                }
            }
            Some(until) => {
                self.outwait_questions().await;
                clock.until(until).await;
            }
            None => {
                self.outwait_questions().await;
                tokio::time::sleep(PAGE_GRACE).await;
            }
        }
    }

    /// Lets questions expire that the last process asked: nobody else does.
    async fn outwait_questions(&self) {
        while let Ok(Some(next)) = self.hub().approvals().expire_of(&self.run).await {
            self.hub().clock().until(next).await;
        }
    }

    async fn go_on_in_hub(self: &Arc<Self>, lease: &str) {
        loop {
            let moved = {
                let _one_at_a_time = self.writing.lock().await;
                if self.is_finishing() || !self.is_without_driver(lease) {
                    return;
                }
                self.give_to(Destination::Hub, self.moves_to_hub()).await
            };
            let Err(error) = moved else { return };
            let failure = error.into_failure();
            tracing::warn!(run.id = %self.run, "run {} does not go on in the hub yet: {failure}", self.run);
            tokio::select! {
                () = self.hub().tasks().closing() => return,
                () = self.ended() => return,
                () = tokio::time::sleep(AGAIN) => {}
            }
        }
    }

    async fn end_without_a_page(&self, lease: &str) {
        if !self.is_without_driver(lease) {
            return;
        }
        self.give_up();
        self.force_finish(Outcome::Interrupted { why: self.why_no_page_ends_it() }).await;
    }

    /// Whether nobody has driven since the run has this lease.
    fn is_without_driver(&self, lease: &str) -> bool {
        let holder = self.holder();
        holder.is_empty() && holder.token == lease
    }

    fn why_no_page_ends_it(&self) -> String {
        let on_device = self.spec.on_device.as_ref().filter(|_| self.hub_after_ms.is_some());
        match on_device.map(|on_device| &on_device.key) {
            None => words!("This agent lives in the browser, and no page of it was open to go on. Open it and retry.").to_owned(),
            Some(None) => words!("No page of this agent was open in time, and the hub cannot go on in its place: its model is on a device. Open it and retry.").to_owned(),
            Some(Some(slot)) => told!(
                "No page of this agent was open in time, and the hub cannot go on in its place: the key of {name} is kept on your devices. Open it and retry.",
                name = slot.name
            ),
        }
    }
}
