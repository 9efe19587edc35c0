//! How a delegation stands, for a person.

use crate::prelude::{say, t};
use protocol::view::{ChainBeginning, DelegationState, DelegationView};

pub fn state(state: DelegationState) -> &'static str {
    t(match state {
        DelegationState::Queued => "Waits for its turn",
        DelegationState::Running => "At work",
        DelegationState::Completed => "Done",
        DelegationState::Failed => "Failed",
        DelegationState::Stopped => "Stopped",
        DelegationState::TimedOut => "Took too long",
        DelegationState::OverBudget => "Over its budget",
    })
}

/// The dot that stands for it, as for agents.
pub fn dot(state: DelegationState) -> &'static str {
    match state {
        DelegationState::Queued => "waiting",
        DelegationState::Running => "running",
        DelegationState::Completed => "idle",
        DelegationState::Failed
        | DelegationState::Stopped
        | DelegationState::TimedOut
        | DelegationState::OverBudget => "error",
    }
}

/// With what the chain began that it is a part of.
pub fn beginning(of: &DelegationView) -> String {
    let agent = &of.begun_with;
    match of.begun_by {
        ChainBeginning::Conversation => say!("Begun in a conversation with {agent}"),
        ChainBeginning::Program => say!("Begun by a program that asked {agent}"),
        ChainBeginning::Schedule => say!("Begun by a schedule of {agent}"),
        ChainBeginning::Thought => say!("Begun by what {agent} thought by itself"),
        ChainBeginning::Pipeline => t("Begun by a pipeline").to_owned(),
        ChainBeginning::Unknown => t("Begun with an agent that is gone or somebody else's").to_owned(),
    }
}
