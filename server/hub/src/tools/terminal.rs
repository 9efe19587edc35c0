//! `terminal`: a command in a room of its own, and what it did to the agent's files.

use super::ToolError;
use super::files::{OWN_FILES, author, in_room};
use crate::agents;
use crate::error::Error;
use crate::files::{self, FilePath};
use crate::gateway::Caller;
use crate::store::{Transaction, query};
use crate::terminal::{Change, Content, Ended, Left, Order, Output, Ran, TerminalError};
use agent::tools::{LONGEST_SECONDS, ResolvedCall, USUAL_SECONDS};
use protocol::view::Role;
use serde_json::{Value, json};
use std::time::Duration;

/// Files of each kind that are named.
const NAMED: usize = 15;

pub(super) async fn run(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let order = order_of(call)?;
    caller.hub.spaces().require_for(caller.root).await?;
    let role: Role = query("SELECT role FROM users WHERE id = $1", (caller.owner,))
        .fetch_one(caller.hub.store().read())
        .await?;
    let not_run = |error: TerminalError| ToolError(format!("The command was not run: {error}."));
    let turn = caller.hub.terminal().turn(caller.owner, role).await.map_err(not_run)?;
    let ran = turn.run(&order, in_room(caller).await?).await.map_err(not_run)?;
    let Ran { ended, millis, output, left } = ran;
    let kept = match ended {
        Ended::Exceeded(_) => Kept::default(),
        Ended::Exited(_) | Ended::Killed(_) | Ended::TimedOut => keep(caller, left).await?,
    };
    Ok(answer(ended, millis, output, kept).to_string())
}

fn order_of(call: &ResolvedCall) -> Result<Order, ToolError> {
    let text = |field| call.input().get(field).and_then(Value::as_str).unwrap_or_default();
    let workdir = match text("path") {
        "" => OWN_FILES.to_owned(),
        path => {
            let below = path.strip_prefix(OWN_FILES).unwrap_or("/..");
            let within = below.strip_prefix('/').map(FilePath::check);
            match (below, within) {
                ("", _) | (_, Some(Ok(_))) => path.to_owned(),
                (_, Some(Err(_)) | None) => {
                    return Err(ToolError(format!("A command begins in a folder of {OWN_FILES}.")));
                }
            }
        }
    };
    let seconds = call.input().get("timeout_s").and_then(Value::as_i64).unwrap_or(USUAL_SECONDS);
    let timeout = Duration::from_secs(seconds.clamp(1, LONGEST_SECONDS).unsigned_abs());
    Ok(Order { command: text("command").to_owned(), workdir, timeout })
}

/// What of a room became part of the agent's files.
#[derive(Default)]
struct Kept {
    changed: Vec<Value>,
    deleted: Vec<String>,
    not_kept: Vec<Value>,
    not_named: usize,
}

/// Keeps the changes in one transaction, each as a version.
async fn keep(caller: &Caller<'_>, left: Left) -> Result<Kept, ToolError> {
    let Left { changes, not_kept, not_named } = left;
    let mut kept = Kept { not_named, ..Kept::default() };
    for (path, why) in not_kept {
        kept.leave_out(&path, why);
    }
    let all: Vec<String> = changes.iter().map(|change| whole(&change.path)).collect();
    let changes = caller.writable(changes, |change| whole(&change.path)).await?;
    let permitted: Vec<String> = changes.iter().map(|change| whole(&change.path)).collect();
    for path in all.iter().filter(|path| !permitted.contains(path)) {
        kept.not_kept.push(json!({ "path": path, "why": "a rule of your person's says so" }));
    }
    if changes.is_empty() {
        return Ok(kept);
    }
    let mut tx = caller.hub.store().write().await?;
    agents::lock(&mut tx, caller.root).await?;
    for change in changes {
        kept.take(&mut tx, caller, change).await?;
    }
    tx.commit().await?;
    Ok(kept)
}

impl Kept {
    fn leave_out(&mut self, path: &str, why: &str) {
        self.not_kept.push(json!({ "path": format!("{OWN_FILES}/{path}"), "why": why }));
    }

    async fn take(
        &mut self,
        tx: &mut Transaction,
        caller: &Caller<'_>,
        change: Change,
    ) -> Result<(), ToolError> {
        let (Change { path, content }, now) = (change, caller.hub.now());
        let done = match content {
            Content::Written(bytes) => {
                let put = files::put(tx, caller.root, &path, &bytes, &author(caller), now).await;
                put.map(|version| self.changed.push(json!({ "path": whole(&path), "version": version })))
            }
            Content::Deleted => {
                let deleted = files::delete(tx, caller.root, &path, &author(caller), now).await;
                deleted.map(|()| self.deleted.push(whole(&path)))
            }
        };
        match done {
            // Somebody else deleted it meanwhile.
            Ok(()) | Err(Error::NotFound(_)) => Ok(()),
            Err(Error::Limit(why)) => {
                self.leave_out(path.as_str(), &why);
                Ok(())
            }
            Err(error) => Err(error.into()),
        }
    }
}

fn whole(path: &FilePath) -> String {
    format!("{OWN_FILES}/{path}")
}

fn answer(ended: Ended, millis: u64, output: Output, kept: Kept) -> Value {
    let mut answer = json!({ "seconds": Value::from(millis as f64 / 1000.0), "output": output.text });
    match ended {
        Ended::Exited(code) => answer["exit_code"] = code.into(),
        Ended::Killed(signal) => answer["ended"] = format!("killed by signal {signal}").into(),
        Ended::TimedOut => answer["ended"] = "its time was over, and it was ended".into(),
        Ended::Exceeded(what) => {
            answer["ended"] = format!("{what}, and was ended; nothing that it changed was kept").into()
        }
    }
    if output.left_out > 0 {
        answer["left_out"] = json!(format!("{} bytes in the middle of the output", output.left_out));
    }
    let Kept { changed, deleted, not_kept, not_named } = kept;
    list(&mut answer, "changed", changed, 0);
    list(&mut answer, "deleted", deleted.into_iter().map(Value::from).collect(), 0);
    list(&mut answer, "not_kept", not_kept, not_named);
    answer
}

/// So many of them, and how many there are besides.
fn list(answer: &mut Value, name: &str, mut all: Vec<Value>, besides: usize) {
    let besides = besides + all.len().saturating_sub(NAMED);
    all.truncate(NAMED);
    if besides > 0 {
        answer[format!("{name}_besides")] = besides.into();
    }
    if !all.is_empty() {
        answer[name] = all.into();
    }
}
