//! Where a program wants to be told how a task goes on.

use super::super::rpc::{INVALID_PARAMS, RpcError};
use super::Asker;
use super::refusal::{no_push, unsupported};
use hub::{RunState, TaskPushDraft, TaskPushView};
use serde_json::{Value, json};

impl Asker {
    pub(super) async fn create_push(&self, params: &Value) -> Result<Value, RpcError> {
        let push = self.runs().check_push(push_draft(params)?)?;
        let run = self.found(&params["taskId"]).await?;
        if let RunState::Over(_) = run.state {
            return Err(unsupported("The task is over: nothing more is told of it."));
        }
        Ok(shown(&self.runs().push(&self.agent.id, &run.run, &push, &run.state).await?))
    }

    pub(super) async fn find_push(&self, params: &Value) -> Result<Value, RpcError> {
        let all = self.pushes(params).await?;
        all.iter().find(|push| params["id"] == push.id.as_str()).map(shown).ok_or_else(no_push)
    }

    /// There are so few that they are one page.
    pub(super) async fn list_pushes(&self, params: &Value) -> Result<Value, RpcError> {
        let configs: Vec<Value> = self.pushes(params).await?.iter().map(shown).collect();
        Ok(json!({ "configs": configs, "nextPageToken": "" }))
    }

    pub(super) async fn delete_push(&self, params: &Value) -> Result<Value, RpcError> {
        let run = self.found(&params["taskId"]).await?;
        let id = params["id"].as_str().unwrap_or_default();
        self.runs().forget_push(&self.agent.id, &run.run, id).await?;
        Ok(json!({}))
    }

    async fn pushes(&self, params: &Value) -> Result<Vec<TaskPushView>, RpcError> {
        let run = self.found(&params["taskId"]).await?;
        Ok(self.runs().pushes(&self.agent.id, &run.run).await?)
    }
}

pub(super) fn push_draft(wanted: &Value) -> Result<TaskPushDraft<'_>, RpcError> {
    let authentication = &wanted["authentication"];
    Ok(TaskPushDraft {
        id: text(&wanted["id"], "id")?,
        url: text(&wanted["url"], "url")?,
        token: text(&wanted["token"], "token")?,
        scheme: text(&authentication["scheme"], "authentication.scheme")?,
        credentials: text(&authentication["credentials"], "authentication.credentials")?,
    })
}

fn text<'a>(value: &'a Value, name: &str) -> Result<&'a str, RpcError> {
    match value {
        Value::Null => Ok(""),
        Value::String(text) => Ok(text.as_str()),
        _ => Err(RpcError::new(INVALID_PARAMS, format!("{name} is a text."))),
    }
}

/// Without what the program proves itself by: that leaves for the address and for nowhere else.
fn shown(push: &TaskPushView) -> Value {
    json!({ "id": push.id, "taskId": push.run, "url": push.url })
}
