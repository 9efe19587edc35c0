//! Runs: one at a time for each agent, under a lease. What starts them, who drives them, and how
//! they end, whoever drives.

mod asides;
mod definition;
mod driver;
mod execution;
mod inputs;
mod lease;
mod model_call;
mod once;
mod recovery;
mod start;
mod streamed;
mod told;
mod vouched;

pub(crate) use execution::{Execution, refusal};
pub use once::LONGEST_WAIT;

use crate::Hub;
use crate::live::TabKey;
use inputs::Waiting;
use protocol::hub::RunReply;
use protocol::log::Outcome;
use protocol::{AgentId, RunId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long a driver has to end its run after Stop before the hub ends it.
const STOP_GRACE: Duration = Duration::from_secs(1);

#[derive(Default)]
pub(crate) struct Runs {
    active: Mutex<HashMap<AgentId, Arc<Execution>>>,
    waiting: Mutex<HashMap<AgentId, Waiting>>,
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
        self.lock().values().find(|execution| execution.run == *run && execution.token == token).cloned()
    }

    fn owned_by(&self, tab: TabKey) -> Vec<Arc<Execution>> {
        self.lock().values().filter(|execution| execution.tab == Some(tab)).cloned().collect()
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

impl Hub {
    /// Stops the agent's run, if there is one, and returns when it has ended.
    pub(crate) async fn stop_run(&self, agent: &AgentId) {
        let Some(execution) = self.runs.active(agent) else { return };
        execution.give_up();
        execution.reply(RunReply::Stop).await;
        if tokio::time::timeout(STOP_GRACE, execution.ended()).await.is_err() {
            execution.force_finish(Outcome::Stopped).await;
        }
    }

    /// Ends every run of this process, so that it can stop.
    pub(crate) async fn stop_all_runs(&self) {
        for execution in self.runs.all() {
            execution.give_up();
            execution.force_finish(Outcome::Interrupted { why: "The hub was stopped.".to_owned() }).await;
        }
    }

    /// The socket of a tab is gone: its browser-home runs have no driver any more.
    pub(crate) fn tab_gone(&self, tab: TabKey) {
        let orphans = self.runs.owned_by(tab);
        if orphans.is_empty() {
            return;
        }
        tokio::spawn(async move {
            for execution in orphans {
                execution.give_up();
                let why = "The tab that ran this agent was closed or lost its connection.".to_owned();
                execution.force_finish(Outcome::Interrupted { why }).await;
            }
        });
    }
}
