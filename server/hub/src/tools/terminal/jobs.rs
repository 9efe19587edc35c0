//! Commands in the background: each is attended by a task of the hub, which keeps what it changed when it ends.

use super::keep::{AllKept, Keeper, Kept};
use super::{Began, allowed, go_on, order_of, skills, way_out};
use crate::Hub;
use crate::clock::Moment;
use crate::gateway::{Beginner, Caller};
use crate::terminal::{Job, Last, Left, NewJob, UnderWay};
use crate::tools::ToolError;
use crate::tools::files::{InRoom, fill, mark, not_run};
use agent::tools::{LONGEST_JOB_SECONDS, LONGEST_JOB_WAIT, ResolvedCall, USUAL_JOB_SECONDS};
use protocol::CallId;
use protocol::view::JobEnding;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// How often it is looked whether a job may still run.
const LOOKS_MS: i64 = 5_000;
/// Between two times at which pages are told that it said more.
const BETWEEN_SHOWING_MS: i64 = 2_000;
/// Seconds to wait for what a job says to its input, and to a stop.
const USUAL_WAIT: i64 = 2;
const TO_STOP: Duration = Duration::from_secs(15);
/// Characters of a command in a list.
const NAMED: usize = 200;

pub(super) async fn begin(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let mut order = order_of(call, USUAL_JOB_SECONDS, LONGEST_JOB_SECONDS)?;
    let began = go_on(caller, call, &mut order).await?;
    let hub = caller.hub;
    hub.spaces().require_for(caller.root).await?;
    let allowed = allowed(caller).await?;
    let lifetime = allowed.at_most(order.timeout);
    let number = hub.terminal_jobs().note_begun(caller.root, &order.command).await?;
    let begun = async {
        let room = hub.terminal().job_room(&allowed).await.map_err(not_run)?;
        let room = room.with(way_out::of(caller).await?);
        let InRoom { folders, untrusted, left_out } = fill(caller, &room).await?;
        let in_room = skills::put(caller, &room).await?;
        let untrusted = untrusted || in_room.by_strangers || began == Began::ByStrangers;
        let new = NewJob { agent: caller.root.clone(), number, folders: folders.clone(), untrusted };
        let under_way = hub.terminal().begin(room, new, &order, hub.clock()).await.map_err(not_run)?;
        Ok((under_way, By { beginner: caller.beginner(), call: call.id().clone() }, left_out, in_room))
    };
    let (under_way, by, left_out, in_room) = match begun.await {
        Ok(begun) => begun,
        Err(error) => {
            hub.terminal_jobs().forget(caller.root, number).await?;
            return Err(error);
        }
    };
    hub.terminal_jobs().changed(caller.owner);
    hub.tasks().spawn(see_to(hub.clone(), under_way, by, lifetime));
    let mut answer = json!({ "job": number, "running": true, "ends_after_s": lifetime.as_secs() });
    left_out.tell(&mut answer);
    in_room.tell(&mut answer);
    Ok(answer.to_string())
}

/// In whose name and by which call what a job changed is kept.
struct By {
    beginner: Beginner,
    call: CallId,
}

/// Until it has ended, and what it changed is kept.
async fn see_to(hub: Hub, under_way: UnderWay, by: By, lifetime: Duration) {
    let job = Arc::clone(&under_way.job);
    let owner = by.beginner.owner.clone();
    let attended = under_way.attend(hub.clock(), lifetime);
    tokio::pin!(attended);
    let (mut is_closing, mut looked) = (false, job.began);
    let mut next_look = job.began.plus_ms(LOOKS_MS);
    let (mut shown, mut shown_at) = (0, job.began);
    let ending = loop {
        tokio::select! {
            ending = &mut attended => break ending,
            () = hub.tasks().closing(), if !is_closing => {
                is_closing = true;
                job.stop(JobEnding::HubEnded);
            }
            () = has_more_to_show(&hub, &job, shown, shown_at) => {
                (shown, shown_at) = (job.said(), hub.moment());
                hub.terminal_jobs().changed(&owner);
            }
            () = hub.clock().until(next_look) => {
                let now = hub.moment();
                next_look = now.plus_ms(LOOKS_MS);
                let counted = hub.terminal_allowance().note(&by.beginner.owner, ms_between(looked, now)).await;
                if counted.is_ok() {
                    looked = now;
                }
                // Without an answer it is looked at again.
                if let Ok(false) = hub.terminal_jobs().note_running(&job).await {
                    job.stop(JobEnding::NotAllowedAnyMore);
                }
            }
        }
    };
    if let Err(error) =
        hub.terminal_allowance().note(&by.beginner.owner, ms_between(looked, hub.moment())).await
    {
        tracing::warn!("how long a job ran was not counted: {error}");
    }
    let told = match ending {
        JobEnding::Exceeded { .. } | JobEnding::NotAllowedAnyMore | JobEnding::NotRun { .. } => {
            Ok(Kept::default())
        }
        JobEnding::Exited { .. }
        | JobEnding::Killed { .. }
        | JobEnding::TimeOver
        | JobEnding::StoppedByPerson
        | JobEnding::StoppedByAgent
        | JobEnding::HubEnded => keep(&job, by, At::ItsEnd).await,
    };
    let mut untold = json!({});
    match told {
        Ok(told) => told.tell(&mut untold),
        Err(ToolError(why)) => untold["not_kept"] = json!([{ "path": "/", "why": why }]),
    }
    job.note_untold(untold);
    if let Some(changes) = job.changes().await {
        changes.are_all();
    }
    if let Err(error) = hub.terminal_jobs().note_ended(&job, &ending).await {
        tracing::warn!("the end of a job was not noted: {error}");
    }
    job.close(ending, hub.moment());
    hub.terminal_jobs().changed(&owner);
}

/// Returns when it has said more than this, a while after pages were told so last.
async fn has_more_to_show(hub: &Hub, job: &Job, shown: u64, shown_at: Moment) {
    job.has_news(Some(shown)).await;
    hub.clock().until(shown_at.plus_ms(BETWEEN_SHOWING_MS)).await;
}

fn ms_between(earlier: Moment, later: Moment) -> u64 {
    u64::try_from(later.ms_since(earlier)).unwrap_or(0)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    ItsEnd,
    WhileItRuns,
}

/// Keeps what it changed since that was done last.
async fn keep(job: &Job, by: By, at: At) -> Result<Kept, ToolError> {
    let Some(changes) = job.changes().await else { return Ok(Kept::default()) };
    let left: Left = match at {
        At::ItsEnd => changes.at_its_end().await,
        At::WhileItRuns => changes.while_it_runs().await,
    }
    .map_err(|error| ToolError(format!("What the job changed was not kept: {error}.")))?;
    // Not before: what it reached meanwhile may be in what was read.
    let (By { beginner, call }, folders, untrusted) = (by, job.folders.clone(), job.is_untrusted());
    let AllKept { told, files } = Keeper { beginner, call, folders, untrusted }.keep(left).await?;
    for (mount, files) in files {
        changes.note_kept(mount, files);
    }
    Ok(told)
}

pub(super) async fn output(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let job = match find(caller, call).await? {
        Found::Here(job) => job,
        Found::Gone(answer) => return Ok(answer.to_string()),
    };
    let from = number(call, "from").and_then(|from| u64::try_from(from).ok());
    let _ = tokio::time::timeout(wait(call, 0), job.has_news(from)).await;
    told(caller, call, &job, from).await
}

pub(super) async fn input(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let job = match find(caller, call).await? {
        Found::Here(job) => job,
        Found::Gone(answer) => return Err(ToolError(format!("It runs no more: {answer}"))),
    };
    let text = call.input().get("text").and_then(Value::as_str).unwrap_or_default();
    let is_last = call.input().get("end_input").and_then(Value::as_bool).unwrap_or_default();
    let last = if is_last { Last::Yes } else { Last::No };
    let written = job.write(text, last).await;
    written.map_err(|why| ToolError(format!("It was not written to job {}: {why}.", job.number)))?;
    let _ = tokio::time::timeout(wait(call, USUAL_WAIT), job.has_news(None)).await;
    told(caller, call, &job, None).await
}

pub(super) async fn stop(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let job = match find(caller, call).await? {
        Found::Here(job) => job,
        Found::Gone(answer) => return Ok(answer.to_string()),
    };
    job.stop(JobEnding::StoppedByAgent);
    let _ = tokio::time::timeout(TO_STOP, job.has_ended()).await;
    told(caller, call, &job, None).await
}

pub(super) async fn list(caller: &Caller<'_>) -> Result<String, ToolError> {
    let jobs = caller.hub.terminal_jobs().of(caller.root, 0).await?;
    let jobs: Vec<Value> = jobs
        .into_iter()
        .map(|job| {
            let command: String = job.command.chars().take(NAMED).collect();
            let mut line = json!({
                "job": job.number, "command": command, "seconds": job.age_s, "running": job.ending.is_none(),
            });
            if let Some(ending) = &job.ending {
                tell_ending(&mut line, ending);
            }
            line
        })
        .collect();
    Ok(json!({ "jobs": jobs }).to_string())
}

enum Found {
    Here(Arc<Job>),
    /// What is known of one that ended before.
    Gone(Value),
}

async fn find(caller: &Caller<'_>, call: &ResolvedCall) -> Result<Found, ToolError> {
    let Some(wanted) = number(call, "job").and_then(|job| u32::try_from(job).ok()) else {
        return Err(ToolError("Say in `job` which one: list names them.".to_owned()));
    };
    let jobs = caller.hub.terminal_jobs();
    if let Some(job) = jobs.find(caller.root, wanted) {
        return Ok(Found::Here(job));
    }
    let known = jobs.of(caller.root, 0).await?.into_iter().find(|job| job.number == wanted);
    let job =
        known.ok_or_else(|| ToolError(format!("There is no job {wanted}: list names those there are.")))?;
    let mut answer = json!({
        "job": job.number, "running": false, "seconds": job.age_s, "output": "", "last_lines": job.last,
        "left_out": "its output, which is not there any more",
    });
    tell_ending(&mut answer, job.ending.as_ref().unwrap_or(&JobEnding::HubEnded));
    mark(&mut answer, jobs.was_untrusted(caller.root, wanted).await?);
    Ok(Found::Gone(answer))
}

fn number(call: &ResolvedCall, field: &str) -> Option<i64> {
    call.input().get(field).and_then(Value::as_i64)
}

fn wait(call: &ResolvedCall, usual: i64) -> Duration {
    Duration::from_secs(number(call, "wait_s").unwrap_or(usual).clamp(0, LONGEST_JOB_WAIT).unsigned_abs())
}

/// What it said, how it is, and what it changed since somebody was told last.
async fn told(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    job: &Job,
    from: Option<u64>,
) -> Result<String, ToolError> {
    let ending = job.ending();
    let mut answer = match ending {
        Some(_) => job.take_untold().unwrap_or_else(|| json!({})),
        None => {
            let by = By { beginner: caller.beginner(), call: call.id().clone() };
            let mut answer = json!({});
            let kept = keep(job, by, At::WhileItRuns).await?;
            kept.tell(&mut answer);
            answer
        }
    };
    let part = job.read(from);
    answer["job"] = job.number.into();
    answer["running"] = ending.is_none().into();
    answer["seconds"] = job.seconds(caller.hub.moment()).into();
    answer["output"] = part.text.into();
    if part.left_out > 0 {
        answer["left_out"] = format!("{} bytes before this, which are not kept", part.left_out).into();
    }
    if let Some(byte) = part.read_on_from {
        answer["read_on_from"] = byte.into();
    }
    if let Some(ending) = ending {
        tell_ending(&mut answer, ending);
    }
    way_out::tell(&mut answer, &job.traffic.reached());
    mark(&mut answer, job.is_untrusted());
    Ok(answer.to_string())
}

fn tell_ending(answer: &mut Value, ending: &JobEnding) {
    match ending {
        JobEnding::Exited { code } => answer["exit_code"] = (*code).into(),
        ending => answer["ended"] = format!("it {}", ending.words()).into(),
    }
}
