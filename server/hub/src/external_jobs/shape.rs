//! Jobs of any server that speaks the requests which `docs/operating.md` describes: one starts a job, others at its
//! address say how it stands, give its log, and end it.

use super::client::ServiceClient;
use super::failure::JobFailure;
use super::follow::Looked;
use super::kept_log::{More, taken};
use super::rows::JobRow;
use super::start::Begun;
use crate::outbound::Target;
use protocol::ExternalJobId;
use protocol::view::ExternalJobState;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// Bytes of a log that are read in one look, and in the last one.
const AT_ONCE: usize = 512 * 1024;
const AT_LAST: usize = 4 * 1024 * 1024;
/// Characters of what it says of itself, and of an id.
const LONGEST_WORDS: usize = 200;
const LONGEST_ID: usize = 200;

/// How far the log was read.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Cursor {
    at: u64,
}

/// Whether it is there, and lets its jobs be seen.
pub(super) async fn look_around(client: &ServiceClient) -> Result<(), JobFailure> {
    client.get(&client.at("/jobs")?).await.map(|_| ())
}

pub(super) async fn start(
    client: &ServiceClient,
    job: &str,
    input: &Map<String, Value>,
    id: &ExternalJobId,
) -> Result<Begun, JobFailure> {
    let target = client.at("/jobs")?;
    let body = json!({ "job": job, "input": input, "key": id });
    let reply = client.post(&target, Some(&body), Some(&id.0)).await?;
    let there = match (&reply.location, name_of(&reply.body["id"])) {
        (Some(location), _) => client.own(&target, location)?,
        (None, Some(id)) => client.at(&format!("/jobs/{id}"))?,
        (None, None) => {
            return Err(JobFailure::NotAsDescribed("it says neither an id nor an address of the job."));
        }
    };
    Ok(Begun { handle: there.url().as_str().to_owned(), link: link(client, &reply.body) })
}

pub(super) async fn look(client: &ServiceClient, row: &JobRow) -> Result<Looked, JobFailure> {
    let target = Target::parse(&row.handle)?;
    let body = client.get(&target).await?.body;
    let state = match body["state"].as_str() {
        Some("queued") => ExternalJobState::Queued,
        Some("running") => ExternalJobState::Running,
        Some("succeeded") => ExternalJobState::Succeeded,
        Some("failed") => ExternalJobState::Failed,
        Some("cancelled") => ExternalJobState::Cancelled,
        _ => return Err(JobFailure::NotAsDescribed("it says no state that there is.")),
    };
    let progress = match &body["progress"] {
        Value::Number(percent) => format!("{percent} %"),
        Value::String(words) => client.told(words, LONGEST_WORDS),
        _ => String::new(),
    };
    let mut looked = Looked {
        state,
        why: client.told(body["why"].as_str().unwrap_or_default(), LONGEST_WORDS),
        progress,
        link: link(client, &body),
        exit_code: body["exit_code"].as_i64(),
        result: body.get("result").filter(|result| !result.is_null()).map(Value::to_string),
        cursor: row.cursor.clone(),
        ..Looked::default()
    };
    match read_on(client, &target, row, state.is_over()).await {
        Ok((said, cursor)) => (looked.said, looked.cursor) = (said, cursor),
        // How the job stands is known all the same.
        Err(failure @ JobFailure::LogElsewhere(_)) => looked.add_why(Some(failure.to_string())),
        Err(failure) => return Err(failure),
    }
    Ok(looked)
}

pub(super) async fn cancel(client: &ServiceClient, row: &JobRow) -> Result<(), JobFailure> {
    match client.delete(&Target::parse(&row.handle)?).await {
        // It has ended by itself, which the next look shows.
        Ok(_) | Err(JobFailure::Refused { status: 409, .. }) => Ok(()),
        Err(failure) => Err(failure),
    }
}

async fn read_on(
    client: &ServiceClient,
    job: &Target,
    row: &JobRow,
    is_over: bool,
) -> Result<(String, String), JobFailure> {
    let mut cursor: Cursor = serde_json::from_str(&row.cursor).unwrap_or_default();
    let most = if is_over { AT_LAST } else { AT_ONCE };
    let target = Target::parse(&format!("{}/log", job.url().as_str().trim_end_matches('/')))?;
    let mut said = String::new();
    if let Some(part) = client.log(&target, cursor.at, most).await? {
        let more = if is_over { More::No } else { More::Comes };
        let (taken, text) = taken(&part.bytes, more);
        cursor.at += taken as u64;
        said = text;
        if is_over && !part.is_whole {
            said.push_str("\n… More of this log is not read.\n");
        }
    }
    Ok((said, serde_json::to_string(&cursor).unwrap_or_default()))
}

fn link(client: &ServiceClient, body: &Value) -> String {
    client.link(body["link"].as_str().unwrap_or_default())
}

/// A name that is one part of an address.
fn name_of(id: &Value) -> Option<String> {
    let id = match id {
        Value::String(id) => id.clone(),
        Value::Number(id) => id.to_string(),
        _ => return None,
    };
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let is_name = !id.is_empty() && id.len() <= LONGEST_ID && id.bytes().all(is_letter);
    (is_name && !id.bytes().all(|byte| byte == b'.')).then_some(id)
}
