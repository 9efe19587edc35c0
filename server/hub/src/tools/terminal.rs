//! `terminal`: a command in a room of its own, and what it did to the agent's files; and commands in the background.

mod jobs;
mod keep;

use super::ToolError;
use super::files::{InRoom, OWN_FILES, fill, mark, not_run};
use crate::files::{FilePath, Mount};
use crate::gateway::Caller;
use crate::store::query;
use crate::terminal::{Ended, HEAD, Order, Output, Ran};
use agent::tools::{LONGEST_SECONDS, ResolvedCall, USUAL_SECONDS, WORKSPACE};
use keep::{Keeper, Kept};
use protocol::view::Role;
use serde_json::{Value, json};
use std::time::Duration;

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
    let order = order_of(call, USUAL_SECONDS, LONGEST_SECONDS)?;
    caller.hub.spaces().require_for(caller.root).await?;
    let role = role_of(caller).await?;
    let room = caller.hub.terminal().turn(caller.owner, role).await.map_err(not_run)?;
    let InRoom { folders, untrusted } = fill(caller, &room).await?;
    let ran = room.run(&order).await.map_err(not_run)?;
    let Ran { ended, millis, output, left } = ran;
    let kept = match ended {
        Ended::Exceeded(_) => Kept::default(),
        Ended::Exited(_) | Ended::Killed(_) | Ended::TimedOut | Ended::Stopped => {
            Keeper { beginner: caller.beginner(), call: call.id().clone(), folders, untrusted }
                .keep(left)
                .await?
                .told
        }
    };
    let mut answer = answer(ended, millis, output, kept);
    mark(&mut answer, untrusted);
    Ok(answer.to_string())
}

pub(super) async fn role_of(caller: &Caller<'_>) -> Result<Role, ToolError> {
    let role = query("SELECT role FROM users WHERE id = $1", (caller.owner,));
    Ok(role.fetch_one(caller.hub.store().read()).await?)
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
    Ok(Order { command: text("command").to_owned(), workdir, timeout, output: HEAD })
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
    }
    kept.tell(&mut answer);
    answer
}
