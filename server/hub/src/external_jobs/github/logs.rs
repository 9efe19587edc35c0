//! The logs of a run's jobs, one after the other: of each what was said since it was read last. While one runs, an
//! API may have nothing of it yet.

use super::told::RunJob;
use super::{ServiceClient, ServiceRow, repository};
use crate::external_jobs::failure::JobFailure;
use crate::external_jobs::kept_log::{More, taken};
use crate::external_jobs::rows::JobRow;
use serde::{Deserialize, Serialize};

/// Bytes of logs that are read in one look, and in the last one.
const AT_ONCE: usize = 512 * 1024;
const AT_LAST: usize = 4 * 1024 * 1024;
/// Logs that are asked for in one look.
const MOST_REQUESTS: usize = 12;
/// How often a log is asked for that is not there although its job is over.
const MOST_TRIES: u32 = 4;

/// How far the logs were read.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Cursor {
    done: Vec<u64>,
    /// The job whose log is read right now, and the byte to read on from.
    job: u64,
    at: u64,
    tries: u32,
}

pub(super) struct Read {
    pub(super) said: String,
    pub(super) cursor: String,
    /// Whether there is no more to come.
    pub(super) is_read: bool,
    /// Why nothing can be read.
    pub(super) problem: Option<String>,
}

pub(super) async fn read_on(
    client: &ServiceClient,
    service: &ServiceRow,
    row: &JobRow,
    jobs: &[RunJob],
    is_over: bool,
) -> Result<Read, JobFailure> {
    let mut cursor: Cursor = serde_json::from_str(&row.cursor).unwrap_or_default();
    let mut left = if is_over { AT_LAST } else { AT_ONCE };
    let mut said = String::new();
    for _ in 0..MOST_REQUESTS {
        // The one that was begun with comes to its end first.
        let next = jobs.iter().find(|job| job.id == cursor.job && !cursor.done.contains(&job.id));
        let next = next.or_else(|| jobs.iter().find(|job| job.has_begun && !cursor.done.contains(&job.id)));
        let Some(job) = next else { return Ok(read(said, &cursor, is_over)) };
        if job.id != cursor.job {
            cursor = Cursor { job: job.id, at: 0, tries: 0, ..cursor };
        }
        if left == 0 {
            if is_over {
                said.push_str("… More of this log is not read. It is on the page of the run.\n");
            }
            return Ok(read(said, &cursor, is_over));
        }
        let is_job_over = job.is_over || is_over;
        let target = repository(client, service, &format!("/actions/jobs/{}/logs", job.id))?;
        let part = match client.log(&target, cursor.at, left).await {
            // How the run stands is known all the same.
            Err(failure @ JobFailure::LogElsewhere(_)) => {
                return Ok(Read { problem: Some(failure.to_string()), ..read(said, &cursor, is_over) });
            }
            part => part?,
        };
        let Some(part) = part else {
            if !is_job_over {
                break;
            }
            cursor.tries += 1;
            // Behind the last byte there is nothing, as some servers say.
            if cursor.at == 0 && cursor.tries < MOST_TRIES {
                return Ok(read(said, &cursor, false));
            }
            cursor.done.push(job.id);
            continue;
        };
        let is_last = is_job_over && part.is_whole;
        let (taken, text) = taken(&part.bytes, if is_last { More::No } else { More::Comes });
        if taken > 0 && cursor.at == 0 {
            said.push_str(&format!("== {} ==\n", job.name));
        }
        said.push_str(&text);
        cursor.at += taken as u64;
        left = left.saturating_sub(part.bytes.len());
        if is_last {
            if !said.is_empty() && !said.ends_with('\n') {
                said.push('\n');
            }
            cursor.done.push(job.id);
        } else if !is_job_over {
            break;
        }
    }
    let is_left = jobs.iter().any(|job| job.has_begun && !cursor.done.contains(&job.id));
    Ok(read(said, &cursor, is_over && !is_left))
}

fn read(said: String, cursor: &Cursor, is_read: bool) -> Read {
    Read { said, cursor: serde_json::to_string(cursor).unwrap_or_default(), is_read, problem: None }
}
