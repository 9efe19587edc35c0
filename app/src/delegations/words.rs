//! How a delegation stands, for a person.

use crate::prelude::t;
use protocol::view::DelegationState;

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
