//! Runs that wait for a person, or for a browser. They outlive the process, and the tab that drove them: whoever
//! answers, from wherever, the run goes on, in a browser as soon as a page of the agent is open.

use super::Execution;
use super::hand_over::{Destination, Moves};
use super::lease::Driven;
use super::lease_holder::{Absence, LeaseHolder};
use crate::approvals;
use crate::clock::new_secret;
use crate::error::Result;
use crate::runs::Runs;
use protocol::AgentId;
use protocol::agent::Home;
use protocol::run::RunReply;
use std::sync::Arc;
use std::time::Duration;

/// Between looks for an answer to a run whose tab is lost.
const LOOKS: Duration = Duration::from_secs(1);
/// Before the store is asked again to take that nobody drives.
const AGAIN: Duration = Duration::from_secs(2);

impl Execution {
    pub(crate) async fn waits_for_a_person(&self) -> bool {
        self.waits_for_key() || approvals::is_open(self.hub().store(), &self.run).await.unwrap_or(false)
    }

    /// Whether it waited for a person when its tab went, who may have answered meanwhile.
    pub(super) async fn has_waited_for_a_person(&self, absence: Absence) -> bool {
        let answered = approvals::were_taken_since(self.hub().store(), &self.run, absence.since);
        self.waits_for_a_person().await || answered.await.unwrap_or(false)
    }

    /// Returns once a person has answered what the run waited for when its tab went, and has a page open in which it
    /// can go on: nobody who says yes on the phone waits for a laptop that was closed.
    pub(super) async fn is_answered_in_another_page(&self, absence: Absence) {
        loop {
            tokio::time::sleep(LOOKS).await;
            let pages = self.hub().live().pages(&self.agent, None);
            if pages.is_empty() || self.waits_for_a_person().await {
                continue;
            }
            let fit = self.fit_to_go_on().await;
            if pages.iter().any(|tab| fit.takes(tab)) && self.has_waited_for_a_person(absence).await {
                return;
            }
        }
    }

    /// The tab that drove is gone for good or for too long, and the run waits without one for another page of the
    /// agent.
    pub(super) async fn leave_seat(self: &Arc<Self>, absence: Absence) {
        loop {
            match self.empty_seat(absence).await {
                Ok(true) => break,
                Ok(false) => return,
                Err(error) => {
                    let failure = error.into_failure();
                    tracing::warn!(run.id = %self.run, "run {} keeps its lease: {failure}", self.run);
                }
            }
            tokio::select! {
                () = self.hub().tasks().closing() => return,
                () = self.ended() => return,
                () = tokio::time::sleep(AGAIN) => {}
            }
        }
        self.hub().runs().seat_parked_run(&self.agent).await;
        self.wait_for_a_page(absence.since);
    }

    /// `false`: the tab is back, or the run has another driver.
    async fn empty_seat(&self, absence: Absence) -> Result<bool> {
        let _one_at_a_time = self.writing.lock().await;
        if !self.holder().is_still(absence) {
            return Ok(false);
        }
        let (former, token) = (self.holder().token.clone(), new_secret());
        let driven = Driven { home: Home::Browser, by: None };
        let mut appending = self.hub().log().appending().await?;
        appending.require_lease(&self.run, &former).await?;
        appending.pass_lease(&self.run, &token, &driven).await?;
        appending.note_undriven(&self.run, absence.since).await?;
        self.hub().log().commit(appending).await?;
        let mut former = std::mem::replace(&mut *self.holder(), LeaseHolder::empty(token));
        // It may have come back in this moment.
        former.reply(&self.run, RunReply::Lost);
        self.give_up_reply().await;
        Ok(true)
    }

    /// Nobody is there to hear what the model says: whoever drives next asks again. Whoever calls it holds `writing`.
    async fn give_up_reply(&self) {
        self.slots.end().await;
        self.hub().live().void(&self.agent, &self.run, self.streamed().turn);
        if let Err(error) = self.book_usage().await {
            tracing::error!(run.id = %self.run, error = ?error, "what a call used was not booked");
        }
    }
}

impl Runs<'_> {
    /// A page of the agent is open: if its run has no driver, it goes on there. One that waits for a key
    /// goes on where that key is.
    pub(crate) async fn seat_parked_run(self, agent: &AgentId) {
        let Some(execution) = self.hub.active_runs().active(agent) else { return };
        if !execution.holder().is_empty() {
            return;
        }
        let fit = execution.fit_to_go_on().await;
        let Some(stage) = self.hub.live().pages(agent, None).into_iter().find(|tab| fit.takes(tab)) else {
            return;
        };
        // Two pages may be opened at once.
        let _one_at_a_time = execution.writing.lock().await;
        if !execution.holder().is_empty() {
            return;
        }
        if let Err(error) = execution.give_to(Destination::Tab(stage.key), Moves::Agent).await {
            let failure = error.into_failure();
            tracing::warn!(run.id = %execution.run, "run {} found no driver: {failure}", execution.run);
        }
    }
}
