//! The ends of a run that the loop itself finds, in words for a person.

use crate::garbage::Defect;
use protocol::log::Outcome;
use protocol::model::{ModelFailure, ModelFailureKind, StopReason};
use protocol::{told, words};

/// The outcome after a reply that was refused or did not fit.
pub(super) fn of_stop(stop: StopReason) -> Outcome {
    match stop {
        StopReason::Refusal => failed(
            ModelFailureKind::Refused,
            words!("The model refused to answer. Say it in another way, or choose another model."),
        ),
        StopReason::ContextFull => failed(
            ModelFailureKind::ContextTooLong,
            words!(
                "The conversation is longer than the model can take in. Start a new one, or choose a model with a larger context."
            ),
        ),
        StopReason::EndTurn
        | StopReason::ToolUse
        | StopReason::MaxTokens
        | StopReason::StopSequence
        | StopReason::Other => Outcome::Completed,
    }
}

pub(super) fn empty() -> Outcome {
    failed(
        ModelFailureKind::Malformed,
        words!("The model sent an empty reply, twice. Try again, or choose another model."),
    )
}

/// The reply's words are none.
pub(super) fn unreadable(defect: Defect) -> ModelFailure {
    let message = match defect {
        Defect::Repeats => {
            words!("The model's reply went round in circles. Try again, or choose another model.")
        }
        Defect::Binary => words!("The model's reply was no text. Try again, or choose another model."),
        Defect::Mojibake => {
            words!(
                "The model's reply came with its letters garbled. Try again, or choose another model or provider."
            )
        }
    };
    failure(ModelFailureKind::Malformed, message)
}

/// A hook is against the run.
pub(super) fn denied(reason: &str) -> ModelFailure {
    failure(ModelFailureKind::Refused, &told!("A hook of this agent stopped the run: {reason}"))
}

/// The provider says that the reply is whole, but a block of it is not.
pub(super) fn cut() -> ModelFailure {
    failure(ModelFailureKind::Cut, words!("The reply broke off in the middle. Try again."))
}

fn failed(kind: ModelFailureKind, message: &str) -> Outcome {
    Outcome::Failed { failure: failure(kind, message) }
}

fn failure(kind: ModelFailureKind, message: &str) -> ModelFailure {
    ModelFailure { kind, message: message.to_owned(), retry_after_ms: None }
}
