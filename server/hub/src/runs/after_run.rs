//! What goes on when a run has ended.

use super::Execution;
use super::steering::Waiting;
use crate::runs::Runs;
use protocol::hub::HubFrame;
use protocol::log::Outcome;
use std::sync::atomic::Ordering;
use tracing::{Instrument, info_span};

impl Runs<'_> {
    /// Answers whoever asked, and goes on with what waited, from a task of its own: the next run may end
    /// before this one's caller does, and that caller may be gone.
    pub(super) fn run_ended(self, ended: &Execution) {
        let asker = self.hub.active_runs().waiting().get_mut(&ended.agent).and_then(|waiting| {
            waiting.notes.clear();
            waiting.asker.take()
        });
        let (hub, agent, schedule) = (self.hub.clone(), ended.agent.clone(), ended.scheduled_by.clone());
        let (run, owner) = (ended.run.clone(), ended.owner.clone());
        let is_stopped =
            ended.outcome.get() == Some(&Outcome::Stopped) && !ended.is_paused.load(Ordering::Relaxed);
        if let Some(answered) = ended.answered() {
            self.hub.side_calls().begin(answered);
        }
        // Not within the run: one after the other would be within all that were before it.
        let span = info_span!(parent: None, "after_run", run.id = %run, agent.id = %agent);
        let go_on = async move {
            if let Some((tab, id)) = asker
                && let Some(tab) = hub.live().tab(tab)
            {
                let answer = hub.runs().final_answer(&run).await;
                tab.send(&HubFrame::Answered { id, answer });
            }
            let unread = hub.active_runs().waiting().get(&agent).and_then(Waiting::next_unread);
            let next = async {
                // What was said in a conversation that is deleted waits for nobody.
                let begun = match unread {
                    Some(unread) => hub.runs().begin_for(&agent, unread.tab).await?,
                    None => None,
                };
                match begun {
                    Some(_) => Ok(()),
                    None => hub.runs().wake(&agent).await,
                }
            };
            if let Err(error) = next.await {
                let failure = error.into_failure();
                tracing::warn!(agent.id = %agent, "what waited for agent {agent} could not start: {failure}");
                hub.active_runs().keeper.left_undone();
            }
            if let Err(error) = hub.delegations().run_ended(&owner, &run, is_stopped).await {
                let failure = error.into_failure();
                tracing::warn!(run.id = %run, "what agents asked each other does not go on: {failure}");
            }
            if let Err(error) = hub.schedules().let_schedules_run(&agent, schedule.as_ref()).await {
                let failure = error.into_failure();
                tracing::warn!(agent.id = %agent, "schedules of agent {agent} wait on: {failure}");
            }
            if let Err(error) = hub.runs().arm_ambient_run(&agent).await {
                let failure = error.into_failure();
                tracing::warn!(agent.id = %agent, "agent {agent} will not think by itself: {failure}");
            }
        };
        self.hub.tasks().spawn(go_on.instrument(span));
    }
}
