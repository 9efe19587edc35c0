//! One run of an agent at a time, and one that begins: whoever wants to begin another one waits until it
//! is known what became of the first.

use super::{ActiveRuns, Execution};
use crate::Hub;
use crate::error::Result;
use crate::runs::Runs;
use protocol::{AgentId, RunId};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// Who has the agent's one run.
pub(super) enum RunOwner {
    /// It is about to begin, until this is over.
    ToBegin(RunId, CancellationToken),
    Begun(Arc<Execution>),
}

/// The right to begin the agent's run, given back when it is dropped.
pub(super) struct Beginning {
    hub: Hub,
    agent: AgentId,
    run: RunId,
    over: CancellationToken,
}

enum StartTurn {
    Own(Beginning),
    After(CancellationToken),
    Taken(Arc<Execution>),
}

impl RunOwner {
    pub(super) fn execution(&self) -> Option<&Arc<Execution>> {
        match self {
            Self::ToBegin(..) => None,
            Self::Begun(execution) => Some(execution),
        }
    }

    fn run(&self) -> &RunId {
        match self {
            Self::ToBegin(run, _) => run,
            Self::Begun(execution) => &execution.run,
        }
    }
}

impl ActiveRuns {
    /// What is over when it is known what became of a run that is about to begin.
    pub(super) fn beginning(&self, agent: &AgentId) -> Option<CancellationToken> {
        match self.lock().get(agent) {
            Some(RunOwner::ToBegin(_, over)) => Some(over.clone()),
            Some(RunOwner::Begun(_)) | None => None,
        }
    }

    /// Whether this process looks after the run, or is about to begin it.
    pub(super) fn knows(&self, agent: &AgentId, run: &RunId) -> bool {
        self.lock().get(agent).is_some_and(|held| held.run() == run)
    }
}

impl Runs<'_> {
    /// The right to begin this run, once nobody else begins one. `None`: another one is under way. One that
    /// is over and whose end is not written yet is ended first. When the hub closes nothing is begun any more:
    /// the next process does.
    pub(super) async fn turn_to_begin(self, agent: &AgentId, run: &RunId) -> Result<Option<Beginning>> {
        while !self.hub.tasks().is_closing() {
            match self.turn(agent, run) {
                StartTurn::Own(beginning) => return Ok(Some(beginning)),
                StartTurn::After(over) => over.cancelled().await,
                StartTurn::Taken(execution) if execution.is_finishing() => execution.end_now().await?,
                StartTurn::Taken(_) => return Ok(None),
            }
        }
        Ok(None)
    }

    fn turn(self, agent: &AgentId, run: &RunId) -> StartTurn {
        let mut held = self.hub.active_runs().lock();
        match held.get(agent) {
            Some(RunOwner::ToBegin(_, over)) => StartTurn::After(over.clone()),
            Some(RunOwner::Begun(execution)) => StartTurn::Taken(Arc::clone(execution)),
            None => {
                let over = CancellationToken::new();
                held.insert(agent.clone(), RunOwner::ToBegin(run.clone(), over.clone()));
                StartTurn::Own(Beginning {
                    hub: self.hub.clone(),
                    agent: agent.clone(),
                    run: run.clone(),
                    over,
                })
            }
        }
    }
}

impl Beginning {
    pub(super) fn run(&self) -> &RunId {
        &self.run
    }

    /// The run has begun.
    pub(super) fn ends_with(self, execution: Arc<Execution>) {
        self.hub.active_runs().insert(execution);
    }
}

impl Drop for Beginning {
    fn drop(&mut self) {
        let mut held = self.hub.active_runs().lock();
        if let Some(RunOwner::ToBegin(run, _)) = held.get(&self.agent)
            && *run == self.run
        {
            held.remove(&self.agent);
        }
        drop(held);
        self.over.cancel();
    }
}
