//! What a tab that drives a run says, and what becomes of the run when its socket is gone.

use super::Execution;
use super::hand_over::NextDriver;
use crate::clock::Moment;
use crate::error::Result;
use crate::live::{Tab, TabLink};
use crate::runs::Runs;
use protocol::hub::HubFrame;
use protocol::log::Outcome;
use protocol::run::{RunAsk, RunReply};
use protocol::{AgentId, Failure, FailureKind, RunId};
use protocol::{told, words};
use std::sync::Arc;
use std::time::Duration;

/// How long a run waits for a tab that has lost its connection.
const RECONNECT_GRACE: Duration = Duration::from_secs(90);

impl Tab {
    /// What the driver of a browser-home run in this tab asks for. Believed only with its lease.
    pub async fn run_ask(&self, run: &RunId, token: &str, received: u64, ask: RunAsk) {
        let Some(execution) = self.driven(run, token) else { return self.refuse_ask() };
        if !execution.holder().take(self.link().key, received) {
            return self.refuse_ask();
        }
        let mut patience = self.hub().tasks().patience();
        let error = loop {
            match execution.do_ask(token, ask.clone()).await {
                Ok(()) => return,
                Err(error) if execution.is_driven_with(token) => {
                    if !patience.outlasts(&error).await {
                        break error;
                    }
                }
                Err(error) => break error,
            }
        };
        if !execution.is_driven_with(token) {
            return self.refuse_ask();
        }
        if execution.waits_for_next_process(&error) {
            return;
        }
        let failure = error.into_failure();
        let why = told!("The loop in the browser did something it may not: {failure}");
        self.send(&HubFrame::Refused { failure });
        execution.force_finish(Outcome::Interrupted { why }).await;
    }

    /// The tab that drove this run is back, and has so many of its replies.
    pub fn rejoin(&self, run: &RunId, token: &str, received: u64) {
        let is_back = self
            .driven(run, token)
            .is_some_and(|execution| execution.holder().rejoin(run, Arc::clone(self.link()), received));
        // To a hub that has been away the page was shown first, and so it may have the run again.
        let has_it_anew = || {
            let own = self.hub().active_runs().owned_by(self.link().key);
            own.iter().any(|execution| execution.run == *run)
        };
        if !is_back && !has_it_anew() {
            self.send(&HubFrame::Run { run: run.clone(), taken: 0, reply: RunReply::Lost });
        }
    }

    /// The page goes away for good: its runs do not wait for it.
    pub fn leave(&self) {
        self.link().go_for_good();
        self.hub().runs().tab_gone(self.link());
    }

    fn driven(&self, run: &RunId, token: &str) -> Option<Arc<Execution>> {
        let execution = self.hub().active_runs().leased(run, token)?;
        (execution.owner == self.viewer().me.id && execution.holder().is_of(&self.link().id))
            .then_some(execution)
    }

    /// Whoever drove was told that the lease is gone. This ask was on its way then.
    fn refuse_ask(&self) {
        let words = "This tab does not drive the run, or the run is over.";
        self.send(&HubFrame::Refused { failure: Failure::new(FailureKind::Conflict, words) });
    }
}

impl Execution {
    async fn do_ask(self: &Arc<Self>, token: &str, ask: RunAsk) -> Result<()> {
        match ask {
            RunAsk::Credit { count } => {
                self.add_credit(count);
                Ok(())
            }
            RunAsk::Effect { effect } => self.perform(token, effect).await,
            RunAsk::Told { turn, event } => self.take_reported_event(token, turn, event).await,
            RunAsk::AsideTold { turn, purpose, usage } => self.aside_told(token, turn, purpose, usage).await,
            RunAsk::Hold { call, tokens, aside } => self.hold_for_device(token, call, tokens, aside).await,
            RunAsk::KeyWanted { lack } => self.wait_for_key(token, lack).await,
        }
    }
}

impl Runs<'_> {
    /// The tab is back and shows the agent's page. If it was told of a run just when its connection broke, it is told
    /// again, under the same lease: what it may have begun by then has reached nobody.
    pub(crate) async fn tell_again(self, agent: &AgentId, link: &Arc<TabLink>) {
        let Some(execution) = self.hub.active_runs().active(agent) else { return };
        // Nobody who says something waits for what a run writes.
        if !execution.holder().may_not_know(link) {
            return;
        }
        let _one_at_a_time = execution.writing.lock().await;
        if !execution.holder().may_not_know(link) {
            return;
        }
        let token = execution.holder().token.clone();
        match self.transcript(execution.conversation(), &execution.spec).await {
            Ok(transcript) => execution.begin(token, NextDriver::Tab(Arc::clone(link)), transcript).await,
            Err(error) => {
                let failure = error.into_failure();
                tracing::warn!(run.id = %execution.run, "a tab was not told again of its run: {failure}");
            }
        }
    }

    /// The socket of a tab is gone: the runs that it drove wait a while for it to come back.
    pub(crate) fn tab_gone(self, tab: &TabLink) {
        for execution in self.hub.active_runs().owned_by(tab.key) {
            let Some(absence) = execution.holder().part(tab.key, self.hub.now()) else { continue };
            let until = execution.waits_until(absence.since);
            let is_for_good = tab.is_gone_for_good();
            let tasks = self.hub.tasks().clone();
            self.hub.tasks().spawn(async move {
                let why = if is_for_good {
                    words!("The tab that ran this agent was closed.")
                } else {
                    tokio::select! {
                        () = tasks.closing() => return,
                        () = execution.ended() => return,
                        () = tokio::time::sleep(RECONNECT_GRACE) => {}
                        () = execution.is_answered_in_another_page(absence) => {}
                        () = execution.hub().clock().until(until.unwrap_or(Moment(i64::MAX))) => {}
                    }
                    words!("The tab that ran this agent lost its connection and did not come back.")
                };
                if !execution.holder().is_still(absence) {
                    return;
                }
                if until.is_some() || execution.has_waited_for_a_person(absence).await {
                    execution.leave_seat(absence).await;
                } else {
                    execution.give_up();
                    execution.force_finish(Outcome::Interrupted { why: why.to_owned() }).await;
                }
            });
        }
    }
}
