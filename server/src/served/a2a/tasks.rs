//! Tasks that a program began before.

use super::super::rpc::{INVALID_PARAMS, RpcError};
use super::Asker;
use super::refusal::{is_over, no_task};
use hub::clock::from_rfc3339;
use hub::{Error, ListedState, ProgramRun, RunState, RunsWanted, TaskArtifacts, TaskName};
use protocol::{ConversationId, RunId};
use serde_json::{Value, json};

/// Tasks of a page.
const MOST_TASKS: u64 = 50;

impl Asker {
    pub(super) async fn task(&self, params: &Value) -> Result<Value, RpcError> {
        let run = self.found(&params["id"]).await?;
        Ok(TaskName::from(&run).task(&run.state, run.at, TaskArtifacts::With))
    }

    pub(super) async fn cancel(&self, params: &Value) -> Result<Value, RpcError> {
        let run = self.found(&params["id"]).await?;
        if matches!(run.state, RunState::Over(_)) {
            return Err(is_over());
        }
        self.runs().stop(&self.agent.id, &run.run).await?;
        self.task(params).await
    }

    /// The newest first. The token of a page is where the one before it ended.
    pub(super) async fn list(&self, params: &Value) -> Result<Value, RpcError> {
        let invalid = |words: &str| RpcError::new(INVALID_PARAMS, words);
        let size = match &params["pageSize"] {
            Value::Null => MOST_TASKS,
            size => size.as_u64().filter(|size| *size > 0).ok_or_else(|| invalid("pageSize is 1 to 50."))?,
        };
        let size = usize::try_from(size.min(MOST_TASKS)).unwrap_or(1);
        let before = match params["pageToken"].as_str().unwrap_or_default() {
            "" => None,
            token => Some(place(token).ok_or_else(|| invalid("There is no such page."))?),
        };
        let before = before.as_ref().map(|(at, run)| (*at, run));
        let context = params["contextId"].as_str().filter(|context| !context.is_empty());
        let context = context.map(ConversationId::from);
        let state = match Status::named(params["status"].as_str().unwrap_or_default()) {
            Some(Status::Any) => None,
            Some(Status::Only(state)) => Some(state),
            Some(Status::Never) => {
                return Ok(json!({ "tasks": [], "nextPageToken": "", "pageSize": size, "totalSize": 0 }));
            }
            None => return Err(invalid("There is no such status.")),
        };
        let since = &params["statusTimestampAfter"];
        let after = since.as_str().and_then(from_rfc3339);
        if after.is_none() && !since.is_null() {
            return Err(invalid("statusTimestampAfter is a time like 2026-11-24T09:30:00Z."));
        }
        let wanted = RunsWanted { conversation: context.as_ref(), state, since: after };
        let found = self.runs().list(&self.agent.id, wanted, before, size).await?;
        let next = match found.last() {
            Some(last) if found.len() == size => format!("{}.{}", last.at, last.run),
            _ => String::new(),
        };
        let artifacts = match params["includeArtifacts"] == json!(true) {
            true => TaskArtifacts::With,
            false => TaskArtifacts::Without,
        };
        let shown = found.iter().map(|run| TaskName::from(run).task(&run.state, run.at, artifacts));
        let tasks: Vec<Value> = shown.collect();
        let total = self.runs().count(&self.agent.id, wanted).await?;
        Ok(json!({ "tasks": tasks, "nextPageToken": next, "pageSize": size, "totalSize": total }))
    }

    pub(super) async fn found(&self, id: &Value) -> Result<ProgramRun, RpcError> {
        let run = RunId(id.as_str().unwrap_or_default().to_owned());
        self.runs().find(&self.agent.id, &run).await.map_err(|error| match error {
            Error::NotFound(_) => no_task(),
            error => error.into(),
        })
    }
}

/// How tasks are that a program wants to see.
enum Status {
    Any,
    Only(ListedState),
    /// No task here ever is so.
    Never,
}

impl Status {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "" | "TASK_STATE_UNSPECIFIED" => Self::Any,
            "TASK_STATE_WORKING" => Self::Only(ListedState::Works),
            "TASK_STATE_INPUT_REQUIRED" => Self::Only(ListedState::Asks),
            "TASK_STATE_COMPLETED" => Self::Only(ListedState::Completed),
            "TASK_STATE_CANCELED" => Self::Only(ListedState::Stopped),
            "TASK_STATE_FAILED" => Self::Only(ListedState::Failed),
            "TASK_STATE_SUBMITTED" | "TASK_STATE_REJECTED" | "TASK_STATE_AUTH_REQUIRED" => Self::Never,
            _ => return None,
        })
    }
}

fn place(token: &str) -> Option<(i64, RunId)> {
    let (at, run) = token.split_once('.')?;
    Some((at.parse().ok()?, RunId(run.to_owned())))
}
