//! Model calls in the background, once a run has ended: the name of a conversation, and what of it is worth
//! remembering. Nobody waits for them, a cheap model answers, and what they cost stands on the meter of the agent as
//! that of the run does. And the one call that a person makes before there is an agent: for a proposal of one.

mod call;
mod choose;
mod exchange;
mod memories;
mod proposal;
mod settings;
mod title;

use crate::Hub;
use crate::access::Scoped;
use crate::error::Result;
use crate::log::EntryScope;
use crate::runs::Model;
use crate::store::query;
use protocol::{AgentId, ConversationId, PipelineId, RunId, ScheduleId, UserId};
use tracing::{Instrument, info_span};

/// Which model calls are made for the viewer in the background.
#[derive(Clone, Copy, Debug)]
pub struct OwnSideCalls<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn side_calls(&self) -> OwnSideCalls<'a> {
        OwnSideCalls { scoped: *self }
    }
}

/// Model calls in the background.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SideCalls<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub(crate) fn side_calls(&self) -> SideCalls<'_> {
        SideCalls { hub: self }
    }
}

impl Hub {
    fn usual_side_calls(&self) -> Usual {
        self.0.side_calls
    }
}

/// Whether they are made for those who have not said.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Usual(pub(crate) bool);

/// A run that has given its answer.
pub(crate) struct AnsweredRun {
    pub(crate) owner: UserId,
    pub(crate) agent: AgentId,
    pub(crate) conversation: ConversationId,
    pub(crate) run: RunId,
    /// The one that answered.
    pub(crate) model: Model,
    pub(crate) schedule: Option<ScheduleId>,
    pub(crate) pipeline: Option<PipelineId>,
    /// It has a memory, and a person spoke to it.
    pub(crate) remembers: bool,
    /// What stood in its prompt of that.
    pub(crate) memories: String,
}

impl AnsweredRun {
    fn place(&self) -> EntryScope {
        EntryScope {
            agent: self.agent.clone(),
            conversation: Some(self.conversation.clone()),
            run: Some(self.run.clone()),
        }
    }
}

impl SideCalls<'_> {
    /// Begins what is to be done after it, and returns.
    pub(crate) fn begin(self, answered: AnsweredRun) {
        let hub = self.hub.clone();
        let span = info_span!(parent: None, "side_calls", run.id = %answered.run, agent.id = %answered.agent);
        let calls = async move {
            if let Err(error) = hub.side_calls().make(&answered).await {
                let failure = error.into_failure();
                tracing::warn!(run.id = %answered.run, "what follows a run in the background was not done: {failure}");
            }
        };
        self.hub.tasks().spawn(calls.instrument(span));
    }

    async fn make(self, answered: &AnsweredRun) -> Result<()> {
        let settings = self.settings_of(&answered.owner).await?;
        if !self.is_for_a_person(&answered.run).await? {
            return Ok(());
        }
        if settings.titles {
            self.name(answered).await?;
        }
        if settings.memories && answered.remembers {
            self.remember(answered).await?;
        }
        Ok(())
    }

    /// Whether no agent asked for it, and the loop did not think by itself.
    async fn is_for_a_person(self, run: &RunId) -> Result<bool> {
        query("SELECT 1 FROM runs WHERE id = $1 AND ambient = 0 AND chain IS NULL", (run,))
            .exists(self.hub.store().read())
            .await
    }
}
