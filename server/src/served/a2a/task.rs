//! A run as a task: the shapes that go out.

use hub::clock::rfc3339;
use hub::{ProgramRun, RunEnd, RunState};
use protocol::log::Outcome;
use protocol::{ConversationId, RunId};
use serde_json::{Value, json};

const WAITS: &str = "It waits for its person, who answers on a page of the hub.";

/// Which task, of which context.
#[derive(Clone, Debug)]
pub(super) struct TaskName {
    pub(super) run: RunId,
    pub(super) conversation: ConversationId,
}

/// Whether what was said goes with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Artifacts {
    With,
    Without,
}

impl TaskName {
    pub(super) fn task(&self, state: &RunState, at: i64, artifacts: Artifacts) -> Value {
        let TaskName { run, conversation } = self;
        let mut task = json!({ "id": run, "contextId": conversation, "status": self.status(state, at) });
        if let RunState::Over(RunEnd { text, .. }) = state
            && !text.is_empty()
            && artifacts == Artifacts::With
        {
            task["artifacts"] = json!([artifact(text)]);
        }
        task
    }

    /// That it is so by now, for whoever follows.
    pub(super) fn status_update(&self, state: &RunState, at: i64) -> Value {
        let TaskName { run, conversation } = self;
        json!({ "statusUpdate": {
            "taskId": run, "contextId": conversation, "status": self.status(state, at),
        } })
    }

    pub(super) fn artifact_update(&self, text: &str, is_more: bool) -> Value {
        let TaskName { run, conversation } = self;
        json!({ "artifactUpdate": {
            "taskId": run, "contextId": conversation, "artifact": artifact(text), "append": is_more,
        } })
    }

    fn status(&self, state: &RunState, at: i64) -> Value {
        let (word, said) = match state {
            RunState::Works => ("TASK_STATE_WORKING", None),
            // Nothing that a program says lets it go on.
            RunState::Waits => ("TASK_STATE_WORKING", Some(WAITS.to_owned())),
            RunState::Asks(question) => ("TASK_STATE_INPUT_REQUIRED", Some(question.clone())),
            RunState::Over(end) => {
                let word = match end.outcome {
                    Outcome::Completed => "TASK_STATE_COMPLETED",
                    Outcome::Stopped => "TASK_STATE_CANCELED",
                    Outcome::RoundLimit | Outcome::Failed { .. } | Outcome::Interrupted { .. } => {
                        "TASK_STATE_FAILED"
                    }
                };
                (word, end.trouble())
            }
        };
        let mut status = json!({ "state": word, "timestamp": rfc3339(at) });
        if let Some(text) = said {
            let TaskName { run, conversation } = self;
            status["message"] = json!({
                "messageId": format!("{run}-{}", word.to_ascii_lowercase()),
                "role": "ROLE_AGENT",
                "taskId": run,
                "contextId": conversation,
                "parts": [{ "text": text }],
            });
        }
        status
    }
}

impl From<&ProgramRun> for TaskName {
    fn from(run: &ProgramRun) -> Self {
        Self { run: run.run.clone(), conversation: run.conversation.clone() }
    }
}

fn artifact(text: &str) -> Value {
    json!({ "artifactId": "answer", "name": "answer", "parts": [{ "text": text }] })
}
