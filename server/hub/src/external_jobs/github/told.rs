//! What GitHub says of a run and its jobs, in our words.

use crate::external_jobs::client::ServiceClient;
use crate::external_jobs::failure::JobFailure;
use crate::external_jobs::follow::Looked;
use protocol::view::ExternalJobState;
use serde_json::{Value, json};

/// Jobs of a run that are looked at, and artifacts that are named.
const MOST_JOBS: usize = 50;
const MOST_ARTIFACTS: usize = 30;
/// Characters of a name.
const LONGEST_NAME: usize = 100;

/// A job of a run.
#[derive(Clone, Debug)]
pub(super) struct RunJob {
    pub(super) id: u64,
    pub(super) name: String,
    pub(super) is_over: bool,
    pub(super) has_begun: bool,
    pub(super) conclusion: String,
    /// The step that it is at, how many there are, and what that one is called.
    step: Option<(usize, usize, String)>,
}

pub(super) fn jobs(client: &ServiceClient, body: &Value) -> Result<Vec<RunJob>, JobFailure> {
    let jobs = body["jobs"].as_array().ok_or(JobFailure::NotAsDescribed("it names no jobs of the run."))?;
    let name = |value: &Value| client.told(value["name"].as_str().unwrap_or_default(), LONGEST_NAME);
    let read = |job: &Value| {
        let steps = job["steps"].as_array().map(Vec::as_slice).unwrap_or_default();
        let at = steps.iter().position(|step| step["status"] == "in_progress");
        Some(RunJob {
            id: job["id"].as_u64()?,
            name: name(job),
            is_over: job["status"] == "completed",
            has_begun: matches!(job["status"].as_str(), Some("in_progress" | "completed")),
            conclusion: word(&job["conclusion"]),
            step: at.map(|at| (at + 1, steps.len(), name(&steps[at]))),
        })
    };
    Ok(jobs.iter().take(MOST_JOBS).filter_map(read).collect())
}

/// How the run stands, without what it says.
pub(super) fn standing(client: &ServiceClient, run: &Value, jobs: &[RunJob]) -> Result<Looked, JobFailure> {
    let status =
        run["status"].as_str().ok_or(JobFailure::NotAsDescribed("it does not say how the run stands."))?;
    let conclusion = word(&run["conclusion"]);
    let (state, why) = match (status, conclusion.as_str()) {
        ("in_progress", _) => (ExternalJobState::Running, String::new()),
        ("completed", "success" | "neutral" | "skipped") => (ExternalJobState::Succeeded, String::new()),
        ("completed", "cancelled") => (ExternalJobState::Cancelled, String::new()),
        ("completed", "timed_out") => (ExternalJobState::Failed, "It ran for too long there.".to_owned()),
        ("completed", "action_required") => {
            (ExternalJobState::Failed, "Somebody has to do something there first.".to_owned())
        }
        ("completed", "startup_failure") => (
            ExternalJobState::Failed,
            "It could not be begun. Look whether the workflow is in order.".to_owned(),
        ),
        ("completed", "failure" | "stale") => (ExternalJobState::Failed, failed(jobs)),
        ("completed", _) => {
            return Err(JobFailure::NotAsDescribed("the run is over, and it does not say how it ended."));
        }
        ("waiting" | "action_required", _) => {
            (ExternalJobState::Queued, "It waits for somebody's yes there.".to_owned())
        }
        // Queued, requested, pending, and what may be added to these.
        _ => (ExternalJobState::Queued, String::new()),
    };
    Ok(Looked {
        state,
        why,
        progress: progress(state, jobs),
        link: client.link(run["html_url"].as_str().unwrap_or_default()),
        ..Looked::default()
    })
}

/// What came of it: how it ended, its jobs, and what it leaves, by name and size.
pub(super) fn result(client: &ServiceClient, run: &Value, jobs: &[RunJob], artifacts: &Value) -> Value {
    let artifacts = artifacts["artifacts"].as_array().map(Vec::as_slice).unwrap_or_default();
    let artifacts: Vec<Value> = artifacts
        .iter()
        .take(MOST_ARTIFACTS)
        .map(|one| {
            let name = client.told(one["name"].as_str().unwrap_or_default(), LONGEST_NAME);
            json!({
                "name": name,
                "bytes": one["size_in_bytes"].as_u64().unwrap_or_default(),
                "expired": one["expired"].as_bool().unwrap_or_default(),
            })
        })
        .collect();
    let jobs: Vec<Value> =
        jobs.iter().map(|job| json!({ "name": job.name, "conclusion": job.conclusion })).collect();
    json!({ "conclusion": word(&run["conclusion"]), "jobs": jobs, "artifacts": artifacts })
}

fn failed(jobs: &[RunJob]) -> String {
    let failed: Vec<&str> =
        jobs.iter().filter(|job| job.conclusion == "failure").map(|job| job.name.as_str()).take(5).collect();
    match failed.as_slice() {
        [] => "It failed there.".to_owned(),
        names => format!("Failed: {}.", names.join(", ")),
    }
}

fn progress(state: ExternalJobState, jobs: &[RunJob]) -> String {
    if state != ExternalJobState::Running {
        return String::new();
    }
    let done = jobs.iter().filter(|job| job.is_over).count();
    let all = format!("{done} of {} jobs done", jobs.len());
    let at = jobs.iter().find(|job| job.has_begun && !job.is_over);
    match at.and_then(|job| Some((&job.name, job.step.as_ref()?))) {
        Some((job, (step, steps, name))) => format!("{all}; {job}: step {step} of {steps}, {name}"),
        None => all,
    }
}

/// One of the words that GitHub has for it.
fn word(value: &Value) -> String {
    let word = value.as_str().unwrap_or_default();
    let is_one = word.len() <= 30 && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    if is_one { word.to_owned() } else { String::new() }
}
