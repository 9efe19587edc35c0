//! The hub's driver: the loop here, its effects performed by the execution beside it.

use super::Execution;
use super::transcript::Transcript;
use agent::Input;
use futures_util::future::BoxFuture;
use protocol::log::Outcome;
use protocol::model::{ModelFailure, ModelFailureKind};
use protocol::run::RunReply;
use protocol::told;
use std::sync::Arc;
use tokio::sync::mpsc;

/// Drives the run to its end. Boxed, because the end of one run starts the next.
pub(super) fn drive(
    execution: Arc<Execution>,
    token: String,
    transcript: Transcript,
    replies: mpsc::UnboundedReceiver<RunReply>,
) -> BoxFuture<'static, ()> {
    Box::pin(follow(execution, token, transcript, replies))
}

async fn follow(
    execution: Arc<Execution>,
    token: String,
    transcript: Transcript,
    mut replies: mpsc::UnboundedReceiver<RunReply>,
) {
    let mut run = transcript.resume(execution.run.clone(), execution.spec.clone());
    tracing::debug!(run.id = %execution.run, "taken up at {:016x}", run.fingerprint());
    let mut input = Some(Input::Resumed);
    loop {
        let effects = input.map_or_else(Vec::new, |input| run.handle(input));
        for effect in effects {
            if let Err(error) = execution.perform(&token, effect).await {
                if !execution.is_driven_with(&token) || execution.waits_for_next_process(&error) {
                    return;
                }
                let failure = error.into_failure();
                tracing::warn!(run.id = %execution.run, "run {} cannot go on: {failure}", execution.run);
                let failure = ModelFailure {
                    kind: ModelFailureKind::Server,
                    message: told!("The hub could not go on: {failure}"),
                    retry_after_ms: None,
                };
                execution.force_finish(Outcome::Failed { failure }).await;
                return;
            }
        }
        if run.is_finished() {
            return;
        }
        let Some(reply) = replies.recv().await else { return };
        if reply == RunReply::Lost {
            tracing::debug!(run.id = %execution.run, "left at {:016x}", run.fingerprint());
            return;
        }
        input = Input::from_reply(reply);
    }
}
