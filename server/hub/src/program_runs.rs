//! Runs that other programs ask of a person's agents. By whatever door they come, what they say is a program's
//! words, a run of its own answers, and what it uses is counted for their token.

mod answering;
mod asking;
mod found;
mod offered;
mod pushes;
mod task;
mod words;

pub use asking::{Asked, AskedRun, Place, WhenGone};
pub use found::{ListedState, ProgramRun, RunState, RunsWanted};
pub use offered::OfferedAgent;
pub(crate) use pushes::InMemory;
pub use pushes::{TaskPush, TaskPushDraft, TaskPushView};
pub use task::{TaskArtifacts, TaskName};
pub use words::{RunEnd, RunWord, RunWords};

use crate::Hub;
use crate::access::{Program, Scoped};
use crate::error::{Error, Result};
use protocol::AgentId;

/// What this program may ask of agents.
#[derive(Clone, Copy, Debug)]
pub struct ProgramRuns<'a> {
    hub: &'a Hub,
    program: &'a Program,
}

impl Hub {
    pub fn program_runs<'a>(&'a self, program: &'a Program) -> ProgramRuns<'a> {
        ProgramRuns { hub: self, program }
    }
}

impl<'a> ProgramRuns<'a> {
    fn person(&self) -> Scoped<'a> {
        self.hub.for_viewer(&self.program.viewer)
    }

    /// Fails with [`Error::Forbidden`] where the token is good for models alone.
    pub(crate) fn require(self) -> Result<()> {
        if self.program.may_ask_agents() {
            return Ok(());
        }
        Err(Error::Forbidden(
            "This token is for models only. An agent acts with all that it may do, so calling one takes a token for agents: make one on the account page.",
        ))
    }
    /// The same where it does not open this agent, which is then as one that is not there.
    fn require_opened(self, agent: &AgentId) -> Result<()> {
        self.require()?;
        if self.program.opens(agent) { Ok(()) } else { Err(Error::NotFound("agent")) }
    }
}
