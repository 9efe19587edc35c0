//! The tools with which an agent has work done in steps.

use super::ToolError;
use crate::gateway::Caller;
use crate::pipelines::PipelineStatus;
use agent::tools::ResolvedCall;
use protocol::PipelineId;
use protocol::view::{PipelineDraft, TaskState};
use serde::Deserialize;
use serde_json::{Value, json};

/// Characters of a result that are given.
const RESULT: usize = 4_000;

#[derive(Deserialize)]
struct Status {
    id: Option<PipelineId>,
    task: Option<String>,
    wait_seconds: Option<i64>,
}

#[derive(Deserialize)]
struct Cancel {
    id: PipelineId,
}

pub(super) async fn create(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let draft = PipelineDraft::deserialize(call.input())?;
    let id = caller.hub.pipelines().make_for(caller, draft).await?;
    Ok(told(&caller.hub.pipelines().status(caller.agent, &id, 0).await?, None).to_string())
}

pub(super) async fn status(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let Status { id, task, wait_seconds } = Status::deserialize(call.input())?;
    let Some(id) = id else {
        let made = caller.hub.pipelines().led_by(caller.owner, caller.agent).await?;
        let made: Vec<Value> = made
            .iter()
            .map(|card| json!({ "id": card.id, "title": card.title, "state": card.state, "done": card.done, "tasks": card.tasks }))
            .collect();
        return Ok(json!({ "pipelines": made }).to_string());
    };
    let status = caller.hub.pipelines().status(caller.agent, &id, wait_seconds.unwrap_or(0)).await?;
    if let Some(task) = &task
        && !status.view.tasks.iter().any(|one| one.id == *task)
    {
        return Err(ToolError(format!("It has no task {task}.")));
    }
    Ok(told(&status, task.as_deref()).to_string())
}

pub(super) async fn cancel(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let Cancel { id } = Cancel::deserialize(call.input())?;
    caller.hub.pipelines().cancel(caller.agent, &id).await?;
    Ok(told(&caller.hub.pipelines().status(caller.agent, &id, 0).await?, None).to_string())
}

fn told(status: &PipelineStatus, chosen: Option<&str>) -> Value {
    let PipelineStatus { view, untrusted } = status;
    let tasks: Vec<Value> = view
        .tasks
        .iter()
        .map(|task| {
            let mut told = json!({ "id": task.id, "state": task.state });
            if !matches!(task.state, TaskState::Waiting | TaskState::Running) {
                told["activity"] = json!(task.activity);
            }
            if chosen == Some(task.id.as_str()) {
                told["result"] = json!(task.result.chars().take(RESULT).collect::<String>());
                told["agent"] = json!(task.agent);
                told["conversation"] = json!(task.conversation);
            }
            told
        })
        .collect();
    let address = format!("/pipelines/{}", view.card.id);
    let mut told = json!({
        "id": view.card.id,
        "title": view.card.title,
        "address": address,
        "state": view.card.state,
        "tasks": tasks,
    });
    if let Some(budget) = view.card.budget {
        told["budget"] = json!(budget.to_string());
        told["spent"] = json!(view.card.cost.to_string());
    }
    if *untrusted {
        told["by"] = json!("others");
    }
    told
}
