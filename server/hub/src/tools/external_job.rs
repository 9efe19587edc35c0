//! `external_job`: jobs elsewhere, started, followed, read and cancelled.

use super::ToolError;
use crate::external_jobs::{JobRequest, JobStanding};
use crate::gateway::Caller;
use agent::tools::{LOG_PART, LONGEST_LOG_WAIT, ResolvedCall};
use protocol::view::{ExternalJobView, JobServiceView};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::time::Duration;

#[derive(Deserialize)]
struct Input {
    #[serde(default)]
    action: String,
    #[serde(default)]
    service: String,
    #[serde(default)]
    job: String,
    #[serde(default)]
    input: Map<String, Value>,
    number: Option<u32>,
    from: Option<u64>,
    #[serde(default)]
    wait_s: i64,
}

pub(super) async fn perform(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let input = Input::deserialize(call.input())?;
    match input.action.as_str() {
        "list" => list(caller).await,
        "start" => start(caller, call, input).await,
        "status" => status(caller, input).await,
        "log" => log(caller, input).await,
        "cancel" => cancel(caller, call, input).await,
        other => Err(ToolError(format!("external_job has no action {other}."))),
    }
}

async fn list(caller: &Caller<'_>) -> Result<String, ToolError> {
    let jobs = caller.hub.external_jobs();
    let services: Vec<Value> = jobs.services(caller.owner).await?.iter().map(offered).collect();
    let own: Vec<Value> = jobs.of(caller.owner, caller.agent).await?.iter().map(briefly).collect();
    Ok(json!({ "services": services, "yours": own }).to_string())
}

async fn start(caller: &Caller<'_>, call: &ResolvedCall, input: Input) -> Result<String, ToolError> {
    let request = JobRequest { service: &input.service, job: &input.job, input: input.input };
    let job = caller.hub.external_jobs().start(caller, call.elsewhere(), request).await?;
    let mut told = briefly(&job);
    told["then"] = "You are told when it has ended.".into();
    Ok(told.to_string())
}

async fn status(caller: &Caller<'_>, input: Input) -> Result<String, ToolError> {
    let number = number(&input)?;
    let first = standing(caller, number).await?;
    let before = (first.view.state, first.view.progress.clone());
    let is_new = |now: &JobStanding| (now.view.state, now.view.progress.clone()) != before;
    let now = wait_for(caller, number, first, input.wait_s, is_new).await?;
    let mut told = briefly(&now.view);
    if let Some(result) = &now.result {
        told["result"] = serde_json::from_str(result).unwrap_or_else(|_| result.clone().into());
    }
    told["log_bytes"] = now.said().into();
    was_seen(caller, &now).await?;
    Ok(told.to_string())
}

async fn log(caller: &Caller<'_>, input: Input) -> Result<String, ToolError> {
    let number = number(&input)?;
    let first = standing(caller, number).await?;
    let from = input.from.unwrap_or(0);
    let is_new = |now: &JobStanding| now.said() > from;
    let now = match is_new(&first) {
        true => first,
        false => wait_for(caller, number, first, input.wait_s, is_new).await?,
    };
    let part = now.log(input.from, LOG_PART);
    let mut told = briefly(&now.view);
    told["log"] = part.text.into();
    told["from"] = part.from.into();
    told["read_on_from"] = part.next.into();
    if part.left_out > 0 {
        told["left_out"] = format!("{} bytes before this, which are not kept", part.left_out).into();
    }
    if part.next < now.said() {
        told["more"] = true.into();
    }
    was_seen(caller, &now).await?;
    Ok(told.to_string())
}

async fn cancel(caller: &Caller<'_>, call: &ResolvedCall, input: Input) -> Result<String, ToolError> {
    let number = number(&input)?;
    caller.hub.external_jobs().cancel(caller.owner, caller.agent, number, call.elsewhere()).await?;
    let told = json!({ "number": number, "cancelled": true, "then": "You are told when it has ended." });
    Ok(told.to_string())
}

fn number(input: &Input) -> Result<u32, ToolError> {
    input.number.ok_or_else(|| ToolError("Say in `number` which job: list names yours.".to_owned()))
}

async fn standing(caller: &Caller<'_>, number: u32) -> Result<JobStanding, ToolError> {
    Ok(caller.hub.external_jobs().standing(caller.owner, caller.agent, number).await?)
}

/// How the job stands as soon as it is so, it has ended, or the time is over.
async fn wait_for(
    caller: &Caller<'_>,
    number: u32,
    first: JobStanding,
    wait_s: i64,
    is_so: impl Fn(&JobStanding) -> bool,
) -> Result<JobStanding, ToolError> {
    /// Another node may have looked at it.
    const LOOK: Duration = Duration::from_secs(2);
    if wait_s <= 0 || first.view.state.is_over() {
        return Ok(first);
    }
    let waiting = async {
        loop {
            let _ = tokio::time::timeout(LOOK, caller.hub.external_jobs().news()).await;
            let now = standing(caller, number).await?;
            if now.view.state.is_over() || is_so(&now) {
                return Ok(now);
            }
        }
    };
    let most = Duration::from_secs(wait_s.min(LONGEST_LOG_WAIT).unsigned_abs());
    match tokio::time::timeout(most, waiting).await {
        Ok(now) => now,
        Err(_) => standing(caller, number).await,
    }
}

/// Whoever has read that it ended is not told so once more.
async fn was_seen(caller: &Caller<'_>, now: &JobStanding) -> Result<(), ToolError> {
    if now.view.state.is_over() {
        caller.hub.external_jobs().was_seen(caller.owner, &now.view.id).await?;
    }
    Ok(())
}

fn offered(service: &JobServiceView) -> Value {
    let jobs: Vec<&str> = service.jobs.iter().map(|job| job.name.as_str()).collect();
    let mut told = json!({ "service": service.name, "kind": service.kind, "jobs": jobs });
    if !service.repository.is_empty() {
        told["repository"] = service.repository.clone().into();
    }
    told
}

fn briefly(job: &ExternalJobView) -> Value {
    let ExternalJobView { number, service, job: name, state, why, progress, link, exit_code, .. } = job;
    let mut told = json!({ "number": number, "service": service, "job": name, "state": state });
    for (field, text) in [("why", why), ("progress", progress)] {
        if !text.is_empty() {
            told[field] = text.clone().into();
        }
    }
    if let Some(link) = link {
        told["link"] = link.clone().into();
    }
    if let Some(code) = exit_code {
        told["exit_code"] = (*code).into();
    }
    if job.is_cancelled && !state.is_over() {
        told["cancelled"] = true.into();
    }
    told
}
