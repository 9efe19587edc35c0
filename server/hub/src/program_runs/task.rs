//! A run as a task of A2A: the shapes in which programs are told of it, whether they ask or not.

use super::{ProgramRun, RunEnd, RunState};
use crate::clock::rfc3339;
use protocol::log::Outcome;
use protocol::{ConversationId, RunId};
use serde_json::{Value, json};

const WAITS: &str = "It waits for its person, who answers on a page of the hub.";

/// Which task, of which context.
#[derive(Clone, Debug)]
pub struct TaskName {
    pub run: RunId,
    pub conversation: ConversationId,
}

/// Whether what was said goes with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskArtifacts {
    With,
    Without,
}

impl TaskName {
    pub fn task(&self, state: &RunState, at: i64, artifacts: TaskArtifacts) -> Value {
        let TaskName { run, conversation } = self;
        let mut task = json!({ "id": run, "contextId": conversation, "status": self.status(state, at) });
        if let RunState::Over(RunEnd { text, .. }) = state
            && !text.is_empty()
            && artifacts == TaskArtifacts::With
        {
            task["artifacts"] = json!([artifact(text)]);
        }
        task
    }

    /// That it is so by now, for whoever follows.
    pub fn status_update(&self, state: &RunState, at: i64) -> Value {
        let TaskName { run, conversation } = self;
        json!({ "statusUpdate": {
            "taskId": run, "contextId": conversation, "status": self.status(state, at),
        } })
    }

    pub fn artifact_update(&self, text: &str, is_more: bool) -> Value {
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
