//! How a run ends when the model has said its last word, and the failures that the loop itself
//! finds.

use crate::context::Turn;
use protocol::log::Outcome;
use protocol::model::{ModelFailure, ModelFailureKind, StopReason};

/// The outcome after a whole reply without tool calls.
pub(super) fn of_reply(stop: StopReason, turn: &Turn) -> Outcome {
    let (kind, message) = match stop {
        StopReason::Refusal => (
            ModelFailureKind::Refused,
            "The model refused to answer. Say it in another way, or choose another model.",
        ),
        StopReason::ContextFull => (
            ModelFailureKind::ContextTooLong,
            "The conversation is longer than the model can take in. Start a new one, or choose a model with a larger context.",
        ),
        StopReason::EndTurn
        | StopReason::ToolUse
        | StopReason::MaxTokens
        | StopReason::StopSequence
        | StopReason::Other => {
            if !turn.is_empty() {
                return Outcome::Completed;
            }
            (
                ModelFailureKind::Malformed,
                "The model sent an empty reply. Try again, or choose another model.",
            )
        }
    };
    Outcome::Failed { failure: failure(kind, message) }
}

/// The provider says that the reply is whole, but a block of it is not.
pub(super) fn cut() -> ModelFailure {
    failure(ModelFailureKind::Cut, "The reply broke off in the middle. Try again.")
}

fn failure(kind: ModelFailureKind, message: &str) -> ModelFailure {
    ModelFailure { kind, message: message.to_owned(), retry_after_ms: None }
}
