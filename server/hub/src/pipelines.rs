//! Graphs of tasks. A task is a delegation under the chain of its pipeline, or a question to the person; what comes
//! of it and what begins after it is one commit, so a process that dies leaves nothing out and does nothing twice.

mod advance;
mod answer;
mod budget;
mod draft;
mod made;
mod own;
mod ready;
mod rows;
mod view;

use crate::Hub;
use crate::access::Scoped;
pub(crate) use made::PipelineStatus;
use tokio::sync::Notify;

/// Of one person. What is over has to go before another one is made.
const KEPT: i64 = 100;
/// Of these, those that agents made.
const KEPT_OF_AGENTS: i64 = 50;

/// The viewer's pipelines.
#[derive(Clone, Copy, Debug)]
pub struct OwnPipelines<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn pipelines(&self) -> OwnPipelines<'a> {
        OwnPipelines { scoped: *self }
    }
}

/// Everybody's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pipelines<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub(crate) fn pipelines(&self) -> Pipelines<'_> {
        Pipelines { hub: self }
    }

    fn pipelines_changed(&self) -> &Notify {
        &self.0.pipelines.over
    }
}

#[derive(Default)]
pub(crate) struct InMemory {
    /// One of them is over.
    over: Notify,
}
