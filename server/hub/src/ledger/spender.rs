//! For whom money is held and spent: a run, in one of its slots, or a call outside of runs, a program's, one of speech,
//! or one that is made for a person and no agent of theirs.

use protocol::model::Purpose;
use protocol::{AgentId, PipelineId, RunId, ScheduleId, TokenId};

#[derive(Clone, Debug)]
pub(crate) enum Spender {
    Run {
        /// Who pays: of a sub-agent the agent at the top.
        agent: AgentId,
        run: RunId,
        slot: Slot,
        /// Of the program that the run answers.
        token: Option<TokenId>,
        /// Whose words the run answers.
        schedule: Option<ScheduleId>,
        /// The one that the run is a part of.
        pipeline: Option<PipelineId>,
    },
    Program {
        token: TokenId,
        /// The call's own id.
        call: String,
    },
    /// What a person says or hears in a conversation.
    Speech {
        /// Who pays: of a sub-agent the agent at the top.
        agent: AgentId,
        call: String,
    },
    /// What is done for a person, whichever of their agents has something of it.
    Person { call: String },
}

/// A run has one call of each kind under way at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    Turn,
    Aside,
    /// Once the run has ended.
    Background,
    /// A search that the provider of a model makes itself.
    Search,
}

impl Spender {
    /// The slot of a call outside of runs.
    pub(super) const OUTSIDE: &str = "program";

    pub(super) fn agent(&self) -> Option<&AgentId> {
        match self {
            Self::Run { agent, .. } | Self::Speech { agent, .. } => Some(agent),
            Self::Program { .. } | Self::Person { .. } => None,
        }
    }

    pub(super) fn token(&self) -> Option<&TokenId> {
        match self {
            Self::Run { token, .. } => token.as_ref(),
            Self::Program { token, .. } => Some(token),
            Self::Speech { .. } | Self::Person { .. } => None,
        }
    }

    pub(super) fn schedule(&self) -> Option<&ScheduleId> {
        match self {
            Self::Run { schedule, .. } => schedule.as_ref(),
            Self::Program { .. } | Self::Speech { .. } | Self::Person { .. } => None,
        }
    }

    pub(super) fn pipeline(&self) -> Option<&PipelineId> {
        match self {
            Self::Run { pipeline, .. } => pipeline.as_ref(),
            Self::Program { .. } | Self::Speech { .. } | Self::Person { .. } => None,
        }
    }

    /// What a hold is found by.
    pub(super) fn caller(&self) -> &str {
        match self {
            Self::Run { run, .. } => &run.0,
            Self::Program { call, .. } | Self::Speech { call, .. } | Self::Person { call } => call,
        }
    }

    pub(super) fn slot(&self) -> &'static str {
        match self {
            Self::Run { slot, .. } => slot.name(),
            Self::Program { .. } | Self::Speech { .. } | Self::Person { .. } => Self::OUTSIDE,
        }
    }
}

impl Slot {
    pub(super) fn of(aside: Option<Purpose>) -> Self {
        match aside {
            None => Self::Turn,
            Some(Purpose::Summary | Purpose::Plan) => Self::Aside,
            Some(Purpose::Title | Purpose::Memories) => Self::Background,
            Some(Purpose::Search) => Self::Search,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Turn => "turn",
            Self::Aside => "aside",
            Self::Background => "background",
            Self::Search => "search",
        }
    }
}
