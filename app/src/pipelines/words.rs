//! How a pipeline and a task stand, for a person.

use crate::prelude::{say, t};
use crate::ui::dollars;
use protocol::view::{PipelineCard, PipelineState, TaskState};

pub fn pipeline(state: PipelineState) -> &'static str {
    t(match state {
        PipelineState::Ready => "Not started",
        PipelineState::Running => "At work",
        PipelineState::Completed => "Done",
        PipelineState::Failed => "Not all done",
        PipelineState::OverBudget => "Over budget",
        PipelineState::Unpriced => "A price is missing",
        PipelineState::Stopped => "Stopped",
    })
}

/// The dot that stands for it, as for agents.
pub fn pipeline_dot(state: PipelineState, asks: bool) -> &'static str {
    match state {
        PipelineState::Running if asks => "waiting",
        PipelineState::Running => "running",
        PipelineState::Ready | PipelineState::Completed => "idle",
        PipelineState::Failed
        | PipelineState::OverBudget
        | PipelineState::Unpriced
        | PipelineState::Stopped => "error",
    }
}

/// What it cost, and may cost at most.
pub fn spent(card: &PipelineCard) -> String {
    let cost = dollars(card.cost);
    match card.budget {
        Some(budget) => say!("{cost} of {budget}", budget = dollars(budget)),
        None => cost,
    }
}

pub fn task(state: TaskState) -> &'static str {
    t(match state {
        TaskState::Waiting => "Waits",
        TaskState::Running => "At work",
        TaskState::Asking => "Asks you",
        TaskState::Completed => "Done",
        TaskState::Failed => "Failed",
        TaskState::Skipped => "Skipped",
        TaskState::Stopped => "Stopped",
    })
}

/// The name of the state for styles.
pub fn task_key(state: TaskState) -> &'static str {
    match state {
        TaskState::Waiting => "waiting",
        TaskState::Running => "running",
        TaskState::Asking => "asking",
        TaskState::Completed => "completed",
        TaskState::Failed => "failed",
        TaskState::Skipped => "skipped",
        TaskState::Stopped => "stopped",
    }
}
