//! Runs: one at a time for each agent, under a lease. What starts them, who drives them, and how
//! they end, whoever drives.

mod ambient;
mod answering;
mod asides;
mod definition;
mod device_key;
mod device_waits;
mod devices_told;
mod driver;
mod execution;
mod hand_over;
mod inputs;
mod lease;
mod model_call;
mod moving;
mod once;
mod page_emits;
mod page_errors;
mod paid;
mod parked;
mod recovery;
mod rule_wakes;
mod seat;
mod slots;
mod start;
mod streamed;
mod tab_driver;
mod told;
mod vouched;

pub(crate) use definition::Definition;
pub(crate) use device_waits::Offered;
pub(crate) use execution::{Execution, refusal};
pub(crate) use inputs::in_words;
pub use once::LONGEST_WAIT;
pub(crate) use start::Asked;

use crate::Hub;
use crate::live::TabKey;
use ambient::Ambient;
use inputs::Waiting;
use protocol::hub::RunReply;
use protocol::log::Outcome;
use protocol::{AgentId, RunId, ScheduleId, TokenId};
use rule_wakes::RuleWakes;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long a driver has to end its run after Stop before the hub ends it.
const STOP_GRACE: Duration = Duration::from_secs(1);

#[derive(Default)]
pub(crate) struct Runs {
    active: Mutex<HashMap<AgentId, Arc<Execution>>>,
    waiting: Mutex<HashMap<AgentId, Waiting>>,
    ambient: Ambient,
    rule_wakes: RuleWakes,
}

impl Runs {
    pub(crate) fn active(&self, agent: &AgentId) -> Option<Arc<Execution>> {
        self.lock().get(agent).cloned()
    }

    pub(crate) fn is_active(&self, agent: &AgentId) -> bool {
        self.lock().contains_key(agent)
    }

    /// The run with this id, if this token is its lease.
    pub(crate) fn leased(&self, run: &RunId, token: &str) -> Option<Arc<Execution>> {
        self.lock()
            .values()
            .find(|execution| execution.run == *run && execution.is_driven_with(token))
            .cloned()
    }

    fn owned_by(&self, tab: TabKey) -> Vec<Arc<Execution>> {
        self.lock().values().filter(|execution| execution.seat().socket() == Some(tab)).cloned().collect()
    }

    fn all(&self) -> Vec<Arc<Execution>> {
        self.lock().values().cloned().collect()
    }

    fn insert(&self, execution: Arc<Execution>) {
        self.lock().insert(execution.agent.clone(), execution);
    }

    fn remove(&self, agent: &AgentId) {
        self.lock().remove(agent);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<AgentId, Arc<Execution>>> {
        self.active.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<AgentId, Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Execution {
    /// Returns when it has ended.
    async fn stop(&self) {
        self.give_up();
        self.reply(RunReply::Stop);
        if tokio::time::timeout(STOP_GRACE, self.ended()).await.is_err() {
            self.force_finish(Outcome::Stopped).await;
        }
    }
}

impl Hub {
    /// Stops the agent's run, if there is one, and returns when it has ended.
    pub(crate) async fn stop_run(&self, agent: &AgentId) {
        if let Some(execution) = self.runs.active(agent) {
            execution.stop().await;
        }
    }

    /// Stops this very run, if it still goes on.
    pub(crate) async fn stop_only(&self, agent: &AgentId, run: &RunId) {
        if let Some(execution) = self.runs.active(agent).filter(|execution| execution.run == *run) {
            execution.stop().await;
        }
    }

    /// Stops what the program with this token had asked for.
    pub(crate) async fn stop_runs_for(&self, token: &TokenId) {
        for execution in self.runs.all() {
            if execution.asked_by.as_ref() == Some(token) {
                execution.stop().await;
            }
        }
    }

    /// Ends what this schedule began.
    pub(crate) async fn stop_runs_of(&self, schedule: &ScheduleId) {
        for execution in self.runs.all() {
            if execution.scheduled_by.as_ref() == Some(schedule) {
                execution.stop().await;
            }
        }
    }

    /// Ends every run of this process, so that it can stop. One that waits for a person waits on.
    pub(crate) async fn stop_all_runs(&self) {
        for execution in self.runs.all() {
            if execution.waits_for_a_person().await {
                continue;
            }
            execution.give_up();
            execution.force_finish(Outcome::Interrupted { why: "The hub was stopped.".to_owned() }).await;
        }
    }
}
