//! Workflows of a repository, over the API of GitHub Actions: dispatched, found, looked at, read and cancelled.

mod logs;
mod told;

use super::client::ServiceClient;
use super::failure::JobFailure;
use super::follow::Looked;
use super::rows::{JobRow, ServiceRow};
use super::start::Begun;
use crate::clock::rfc3339;
use crate::outbound::Target;
use protocol::ExternalJobId;
use protocol::view::OfferedJob;
use serde_json::{Map, Value, json};

/// By how much the clock there may be behind ours.
const CLOCKS_MS: i64 = 30_000;
/// Before that a run that is seen may be somebody else's, and ours yet to come.
const TO_SETTLE_MS: i64 = 10_000;
/// What an older API says of a field that it does not know.
const DETAILS: &str = "return_run_details";

/// Whether the repository is there, and the token lets its workflows be seen.
pub(super) async fn look_around(client: &ServiceClient, service: &ServiceRow) -> Result<(), JobFailure> {
    let reply = client.get(&repository(client, service, "/actions/workflows?per_page=1")?).await?;
    match reply.body.get("workflows") {
        Some(Value::Array(_)) => Ok(()),
        _ => Err(JobFailure::NotAsDescribed("it names no workflows.")),
    }
}

pub(super) async fn start(
    client: &ServiceClient,
    service: &ServiceRow,
    offered: &OfferedJob,
    input: &Map<String, Value>,
    id: &ExternalJobId,
) -> Result<Begun, JobFailure> {
    let mut inputs: Map<String, Value> =
        input.iter().map(|(name, value)| (name.clone(), text(value))).collect();
    if !offered.id_input.is_empty() {
        inputs.insert(offered.id_input.clone(), id.0.clone().into());
    }
    let target = workflow(client, service, &offered.name, "/dispatches")?;
    let body = json!({ "ref": offered.branch, "inputs": inputs, DETAILS: true });
    let reply = match client.post(&target, Some(&body), None).await {
        // It does nothing where it does not know a field.
        Err(JobFailure::Refused { words, .. }) if words.contains(DETAILS) => {
            let body = json!({ "ref": offered.branch, "inputs": inputs });
            client.post(&target, Some(&body), None).await?
        }
        reply => reply?,
    };
    Ok(match reply.body["workflow_run_id"].as_u64() {
        Some(run) => Begun {
            handle: run.to_string(),
            link: client.link(reply.body["html_url"].as_str().unwrap_or_default()),
        },
        // It did not say which run, and is looked through for it.
        None => Begun::default(),
    })
}

/// The run that was dispatched, among those of its workflow since then. `taken` are those of other jobs.
pub(super) async fn find(
    client: &ServiceClient,
    service: &ServiceRow,
    row: &JobRow,
    taken: &[String],
    now: i64,
) -> Result<Option<Begun>, JobFailure> {
    let Some(offered) = service.offered(&row.job) else {
        return Err(JobFailure::NotAsDescribed("this job is not among those of the service any more."));
    };
    let since = row.started_at.saturating_sub(CLOCKS_MS);
    let since = rfc3339(since - since.rem_euclid(1000));
    let query: String = url::form_urlencoded::Serializer::new(String::new())
        .append_pair("event", "workflow_dispatch")
        .append_pair("branch", &offered.branch)
        .append_pair("created", &format!(">={since}"))
        .append_pair("per_page", "50")
        .finish();
    let target = workflow(client, service, &offered.name, &format!("/runs?{query}"))?;
    let reply = client.get(&target).await?;
    let runs =
        reply.body["workflow_runs"].as_array().ok_or(JobFailure::NotAsDescribed("it names no runs."))?;
    let free = runs.iter().filter_map(|run| Some((run["id"].as_u64()?.to_string(), run)));
    let free: Vec<(String, &Value)> = free.filter(|(id, _)| !taken.contains(id)).collect();
    let begun = |(handle, run): &(String, &Value)| Begun {
        handle: handle.clone(),
        link: client.link(run["html_url"].as_str().unwrap_or_default()),
    };
    if !offered.id_input.is_empty() {
        let names = |run: &Value| {
            ["display_title", "name"]
                .iter()
                .any(|field| run[*field].as_str().is_some_and(|name| name.contains(&row.id.0)))
        };
        return Ok(free.iter().find(|(_, run)| names(run)).map(begun));
    }
    if now.saturating_sub(row.started_at) < TO_SETTLE_MS {
        return Ok(None);
    }
    match free.as_slice() {
        [] => Ok(None),
        [one] => Ok(Some(begun(one))),
        _ => Err(JobFailure::NotAsDescribed(
            "several runs of this workflow began at that time, and nothing says which is this one. Give the workflow an \
             input that takes an id and stands in its run-name, and name it with the service.",
        )),
    }
}

/// How the run stands, and what it said since it was looked at last.
pub(super) async fn look(
    client: &ServiceClient,
    service: &ServiceRow,
    row: &JobRow,
) -> Result<Looked, JobFailure> {
    let run = client.get(&of_run(client, service, row, "")?).await?.body;
    let jobs = client.get(&of_run(client, service, row, "/jobs?per_page=50")?).await?.body;
    let jobs = told::jobs(client, &jobs)?;
    let mut looked = told::standing(client, &run, &jobs)?;
    let read = logs::read_on(client, service, row, &jobs, looked.state.is_over()).await?;
    looked.said = read.said;
    looked.cursor = read.cursor;
    looked.is_read = read.is_read;
    looked.add_why(read.problem);
    if looked.state.is_over() {
        let artifacts = client.get(&of_run(client, service, row, "/artifacts?per_page=30")?).await?.body;
        looked.result = Some(told::result(client, &run, &jobs, &artifacts).to_string());
    }
    Ok(looked)
}

pub(super) async fn cancel(
    client: &ServiceClient,
    service: &ServiceRow,
    row: &JobRow,
) -> Result<(), JobFailure> {
    match client.post(&of_run(client, service, row, "/cancel")?, None, None).await {
        // It has ended by itself, which the next look shows.
        Ok(_) | Err(JobFailure::Refused { status: 409, .. }) => Ok(()),
        Err(failure) => Err(failure),
    }
}

fn repository(client: &ServiceClient, service: &ServiceRow, path: &str) -> Result<Target, JobFailure> {
    client.at(&format!("/repos/{}{path}", service.view.repository))
}

fn workflow(
    client: &ServiceClient,
    service: &ServiceRow,
    file: &str,
    path: &str,
) -> Result<Target, JobFailure> {
    repository(client, service, &format!("/actions/workflows/{file}{path}"))
}

fn of_run(
    client: &ServiceClient,
    service: &ServiceRow,
    row: &JobRow,
    path: &str,
) -> Result<Target, JobFailure> {
    repository(client, service, &format!("/actions/runs/{}{path}", row.handle))
}

/// An input as a workflow takes it: a text.
fn text(value: &Value) -> Value {
    match value {
        Value::String(_) | Value::Bool(_) => value.clone(),
        other => other.to_string().into(),
    }
}
