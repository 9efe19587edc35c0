//! Runs that wait for a person. They outlive the process, and the tab that drove them: whoever answers,
//! from wherever, the run goes on, in a browser as soon as a page of the agent is open.

use super::Execution;
use super::hand_over::Destination;
use super::lease::Driven;
use super::lease_holder::{Absence, LeaseHolder};
use crate::approvals;
use crate::clock::new_secret;
use crate::error::Result;
use crate::runs::Runs;
use protocol::AgentId;
use protocol::agent::Home;
use protocol::log::Outcome;
use std::sync::Arc;
use std::time::Duration;

/// How long a run waits for a page of its agent when nothing else keeps it waiting.
const PAGE_GRACE: Duration = Duration::from_secs(90);

impl Execution {
    pub(crate) async fn waits_for_a_person(&self) -> bool {
        self.waits_for_key() || approvals::is_open(self.hub().store(), &self.run).await.unwrap_or(false)
    }

    /// Whether it waited for a person when its tab went, who may have answered meanwhile.
    pub(super) async fn has_waited_for_a_person(&self, absence: Absence) -> bool {
        let answered = approvals::were_taken_since(self.hub().store(), &self.run, absence.since);
        self.waits_for_a_person().await || answered.await.unwrap_or(false)
    }

    /// The tab that drove is gone, and the run goes on without one until another page of the agent is open.
    pub(super) async fn leave_seat(self: &Arc<Self>, absence: Absence) {
        if let Err(error) = self.empty_seat(absence).await {
            let failure = error.into_failure();
            tracing::warn!(run.id = %self.run, "run {} keeps its lease: {failure}", self.run);
            return;
        }
        self.hub().runs().seat_parked_run(&self.agent).await;
        self.wait_for_a_page();
    }

    async fn empty_seat(&self, absence: Absence) -> Result<()> {
        let _one_at_a_time = self.writing.lock().await;
        if !self.holder().is_still(absence) {
            return Ok(());
        }
        let (former, token) = (self.holder().token.clone(), new_secret());
        let driven = Driven { home: Home::Browser, by: None };
        let mut appending = self.hub().log().appending().await?;
        appending.require_lease(&self.run, &former).await?;
        appending.pass_lease(&self.run, &token, &driven).await?;
        self.hub().log().commit(appending).await?;
        *self.holder() = LeaseHolder::empty(token);
        Ok(())
    }

    /// Ends the run when it has nothing more to wait for and no page of the agent has opened.
    pub(super) fn wait_for_a_page(self: &Arc<Self>) {
        let execution = Arc::clone(self);
        self.hub().tasks().spawn(async move {
            let tasks = execution.hub().tasks();
            loop {
                let next = execution.hub().approvals().expire_of(&execution.run).await;
                let Ok(Some(until)) = next else { break };
                tokio::select! {
                    () = tasks.closing() => return,
                    () = execution.ended() => return,
                    () = execution.hub().clock().until(until) => {}
                }
            }
            tokio::select! {
                () = tasks.closing() => return,
                () = execution.ended() => return,
                () = tokio::time::sleep(PAGE_GRACE) => {}
            }
            if execution.holder().is_empty() {
                execution.give_up();
                let why = "This agent lives in the browser, and no page of it was open to go on. Open it and retry.";
                execution.force_finish(Outcome::Interrupted { why: why.to_owned() }).await;
            }
        });
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
        if let Err(error) = execution.give_to(Destination::Tab(stage.key)).await {
            let failure = error.into_failure();
            tracing::warn!(run.id = %execution.run, "run {} found no driver: {failure}", execution.run);
        }
    }
}
