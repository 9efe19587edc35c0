//! `terminal`: a command in a room of its own, and what it did to the agent's files; and commands in the background.

mod jobs;
mod keep;
mod long_output;
mod skills;
mod way_out;

use super::ToolError;
use super::files::{InRoom, OWN_FILES, fill, mark, not_run};
use crate::files::{FilePath, Mount};
use crate::gateway::Caller;
use crate::terminal::{Allowed, Ended, HEAD, Order, Output, Ran, Session};
use agent::tools::{LONGEST_SECONDS, ResolvedCall, USUAL_SECONDS, WORKSPACE};
use keep::{Keeper, Kept};
use serde_json::{Value, json};
use std::time::Duration;

/// Characters of a folder that is gone.
const LONGEST_FOLDER: usize = 100;

pub(super) async fn perform(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let is_in_background = call.input().get("background").and_then(Value::as_bool).unwrap_or_default();
    match call.input().get("action").and_then(Value::as_str) {
        None | Some("run") if is_in_background => jobs::begin(caller, call).await,
        None | Some("run") => run(caller, call).await,
        Some("output") => jobs::output(caller, call).await,
        Some("input") => jobs::input(caller, call).await,
        Some("stop") => jobs::stop(caller, call).await,
        Some("list") => jobs::list(caller).await,
        Some(other) => Err(ToolError(format!("terminal has no action {other}."))),
    }
}

async fn run(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let mut order = order_of(call, USUAL_SECONDS, LONGEST_SECONDS)?;
    let began = go_on(caller, call, &mut order).await?;
    caller.hub.spaces().require_for(caller.root).await?;
    let room = caller.hub.terminal().turn(&allowed(caller).await?).await.map_err(not_run)?;
    // Once more: others of the same person ran while this one waited.
    order.timeout = allowed(caller).await?.at_most(order.timeout);
    let room = room.with(way_out::of(caller).await?);
    let InRoom { folders, untrusted, left_out } = fill(caller, &room).await?;
    let in_room = skills::put(caller, &room).await?;
    let untrusted = untrusted || in_room.by_strangers;
    let timed = caller.hub.terminal_allowance().timed(caller.owner);
    let ran = room.run(&order).await.map_err(not_run)?;
    drop(timed);
    let Ran { ended, millis, mut output, left, session, reached } = ran;
    let untrusted = untrusted || began == Began::ByStrangers || !reached.places.is_empty();
    let kept = match ended {
        Ended::Exceeded(_) => Kept::default(),
        Ended::Exited(_) | Ended::Killed(_) | Ended::TimedOut | Ended::Stopped => {
            Keeper { beginner: caller.beginner(), call: call.id().clone(), folders, untrusted }
                .keep(left)
                .await?
                .told
        }
    };
    let filed = output.filed.take();
    let mut answer = answer(ended, millis, output, kept);
    if let Some(filed) = filed {
        long_output::keep(caller, call, filed, untrusted).await.tell(&mut answer);
    }
    way_out::tell(&mut answer, &reached);
    left_out.tell(&mut answer);
    in_room.tell(&mut answer);
    if let Some(name) = session_of(call) {
        match session {
            // What it did to the files stands, and nobody should do it again for this.
            Some(session) => {
                if let Err(ToolError(why)) = hand_on(caller, name, session, untrusted, &mut answer).await {
                    answer["session"] = format!("it is as it was before: {why}").into();
                }
            }
            None => {
                answer["session"] = "it is as it was before: the command did not come to its own end".into()
            }
        }
    }
    mark(&mut answer, untrusted);
    Ok(answer.to_string())
}

/// Whether strangers may have written what a command begins with beside its files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Began {
    ByNobodyElse,
    ByStrangers,
}

fn session_of(call: &ResolvedCall) -> Option<&str> {
    call.input().get("session").and_then(Value::as_str).filter(|name| !name.is_empty())
}

/// Begins where the last command of its session ended, if it has one.
async fn go_on(caller: &Caller<'_>, call: &ResolvedCall, order: &mut Order) -> Result<Began, ToolError> {
    let Some(name) = session_of(call) else { return Ok(Began::ByNobodyElse) };
    let Some((session, untrusted)) = caller.hub.terminal_sessions().get(caller.root, name).await? else {
        order.session = Some(Session::default());
        return Ok(Began::ByNobodyElse);
    };
    let says_where = call.input().get("path").and_then(Value::as_str).is_some_and(|path| !path.is_empty());
    if !says_where && within_a_mount(&session.folder) {
        order.workdir.clone_from(&session.folder);
    }
    order.session = Some(session);
    Ok(if untrusted { Began::ByStrangers } else { Began::ByNobodyElse })
}

/// Keeps what the next command of the session begins with.
async fn hand_on(
    caller: &Caller<'_>,
    name: &str,
    mut session: Session,
    untrusted: bool,
    answer: &mut Value,
) -> Result<(), ToolError> {
    if !within_a_mount(&session.folder) {
        let folder: String =
            session.folder.chars().filter(|c| !c.is_control()).take(LONGEST_FOLDER).collect();
        answer["session"] =
            format!("the next command begins in {OWN_FILES}, for {folder} is gone with the room").into();
        session.folder = OWN_FILES.to_owned();
    }
    Ok(caller.hub.terminal_sessions().put(caller.root, name, &session, untrusted).await?)
}

/// Leave to run a command, or why there is none.
pub(super) async fn allowed(caller: &Caller<'_>) -> Result<Allowed, ToolError> {
    caller.hub.terminal_allowance().of(caller.owner).await?.map_err(not_run)
}

fn order_of(call: &ResolvedCall, usual_s: i64, longest_s: i64) -> Result<Order, ToolError> {
    let text = |field| call.input().get(field).and_then(Value::as_str).unwrap_or_default();
    if text("command").trim().is_empty() {
        return Err(ToolError("Say in `command` what is to be run.".to_owned()));
    }
    let workdir = match text("path") {
        "" => OWN_FILES.to_owned(),
        path => match within_a_mount(path) {
            true => path.to_owned(),
            false => {
                return Err(ToolError(format!(
                    "A command begins in a folder of {OWN_FILES} or {WORKSPACE}."
                )));
            }
        },
    };
    let seconds = call.input().get("timeout_s").and_then(Value::as_i64).unwrap_or(usual_s);
    let timeout = Duration::from_secs(seconds.clamp(1, longest_s).unsigned_abs());
    Ok(Order { command: text("command").to_owned(), workdir, timeout, output: HEAD, session: None })
}

fn within_a_mount(path: &str) -> bool {
    Mount::ALL.iter().any(|mount| match path.strip_prefix(mount.path()) {
        Some("") => true,
        Some(below) => below.strip_prefix('/').is_some_and(|below| FilePath::check(below).is_ok()),
        None => false,
    })
}

fn answer(ended: Ended, millis: u64, output: Output, kept: Kept) -> Value {
    let mut answer = json!({ "seconds": Value::from(millis as f64 / 1000.0), "output": output.text });
    match ended {
        Ended::Exited(code) => answer["exit_code"] = code.into(),
        Ended::Killed(signal) => answer["ended"] = format!("killed by signal {signal}").into(),
        Ended::Stopped => answer["ended"] = "it was ended".into(),
        Ended::TimedOut => answer["ended"] = "its time was over, and it was ended".into(),
        Ended::Exceeded(what) => {
            answer["ended"] = format!("{what}, and was ended; nothing that it changed was kept").into()
        }
    }
    if output.left_out > 0 {
        answer["left_out"] = json!(format!("{} bytes in the middle of the output", output.left_out));
        // By its name the last, so that it is what is cut of a result that is too long for a model.
        answer["whole_output"] = output.whole.into();
    }
    kept.tell(&mut answer);
    answer
}
