//! `terminal`: a command in a room of its own, and what it did to the agent's files.

use super::ToolError;
use super::files::{InRoom, OWN_FILES, folder, in_room, mark, written};
use crate::error::Error;
use crate::files::{self, FilePath, Mount, Written, digest_of};
use crate::gateway::Caller;
use crate::store::{Transaction, query};
use crate::terminal::{Change, Content, Ended, Left, Order, Output, Ran, TerminalError};
use agent::tools::{LONGEST_SECONDS, ResolvedCall, USUAL_SECONDS, WORKSPACE};
use protocol::FolderId;
use protocol::view::Role;
use serde_json::{Value, json};
use std::collections::BTreeMap;
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
    let InRoom { files, folders, untrusted } = in_room(caller).await?;
    let ran = turn.run(&order, files).await.map_err(not_run)?;
    let Ran { ended, millis, output, left } = ran;
    let kept = match ended {
        Ended::Exceeded(_) => Kept::default(),
        Ended::Exited(_) | Ended::Killed(_) | Ended::TimedOut => {
            keep(caller, call, left, &folders, untrusted).await?
        }
    };
    let mut answer = answer(ended, millis, output, kept);
    mark(&mut answer, untrusted);
    Ok(answer.to_string())
}

fn order_of(call: &ResolvedCall) -> Result<Order, ToolError> {
    let text = |field| call.input().get(field).and_then(Value::as_str).unwrap_or_default();
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
    let seconds = call.input().get("timeout_s").and_then(Value::as_i64).unwrap_or(USUAL_SECONDS);
    let timeout = Duration::from_secs(seconds.clamp(1, LONGEST_SECONDS).unsigned_abs());
    Ok(Order { command: text("command").to_owned(), workdir, timeout })
}

fn within_a_mount(path: &str) -> bool {
    Mount::ALL.iter().any(|mount| match path.strip_prefix(mount.path()) {
        Some("") => true,
        Some(below) => below.strip_prefix('/').is_some_and(|below| FilePath::check(below).is_ok()),
        None => false,
    })
}

/// What of a room became part of the agent's files.
#[derive(Default)]
struct Kept {
    changed: Vec<Value>,
    deleted: Vec<String>,
    not_kept: Vec<Value>,
    not_named: usize,
}

/// Keeps the changes in one transaction, each as a version. What a command made of something that strangers may have
/// written, they may have written too.
async fn keep(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    left: Left,
    folders: &BTreeMap<Mount, FolderId>,
    untrusted: bool,
) -> Result<Kept, ToolError> {
    let Left { changes, not_kept, not_named } = left;
    let mut kept = Kept { not_named, ..Kept::default() };
    for (path, why) in not_kept {
        kept.leave_out(path, why);
    }
    let all: Vec<String> = changes.iter().map(whole).collect();
    let changes = caller.writable(changes, whole).await?;
    let permitted: Vec<String> = changes.iter().map(whole).collect();
    for path in all.iter().filter(|path| !permitted.contains(path)) {
        kept.leave_out(path.clone(), "a rule of your person's says so");
    }
    let mut by_mount = BTreeMap::<Mount, Vec<Change>>::new();
    for change in changes {
        by_mount.entry(change.mount).or_default().push(change);
    }
    let mut places = Vec::new();
    for (mount, changes) in by_mount {
        let Some(folder) = folder(caller, mount).await?.filter(|now| folders.get(&mount) == Some(now)) else {
            changes
                .iter()
                .for_each(|change| kept.leave_out(whole(change), "it is not your workspace any more"));
            continue;
        };
        let written = written(caller, call, mount).await?.made_of(untrusted);
        places.push((folder, written, changes));
    }
    // In the order in which whoever works in several folders locks them.
    places.sort_by(|(one, ..), (other, ..)| one.cmp(other));
    let mut tx = caller.hub.store().write().await?;
    for (folder, written, changes) in places {
        files::lock(&mut tx, &folder, written.at).await?;
        for change in changes {
            kept.take(&mut tx, &folder, change, &written).await?;
        }
    }
    tx.commit().await?;
    Ok(kept)
}

impl Kept {
    fn leave_out(&mut self, path: String, why: &str) {
        self.not_kept.push(json!({ "path": path, "why": why }));
    }

    async fn take(
        &mut self,
        tx: &mut Transaction,
        folder: &FolderId,
        change: Change,
        written: &Written,
    ) -> Result<(), ToolError> {
        let whole = whole(&change);
        let Change { mount, path, before, content } = change;
        let there = files::now_there(tx, folder, &path).await?.map(|(_, digest)| digest);
        let is_same = match &content {
            Content::Written(bytes) => there.as_ref() == Some(&digest_of(bytes)),
            Content::Deleted => there.is_none(),
        };
        if there != before && !is_same {
            self.leave_out(whole, "it was changed meanwhile by somebody else");
            return Ok(());
        }
        let done = match content {
            Content::Written(bytes) => {
                let put = files::put(tx, folder, &path, &bytes, written).await;
                put.map(|version| {
                    let mut changed = json!({ "path": &whole, "version": version });
                    if mount == Mount::Workspace {
                        changed["workspace"] = folder.0.clone().into();
                    }
                    self.changed.push(changed);
                })
            }
            Content::Deleted => {
                let deleted = files::delete(tx, folder, &path, written).await;
                deleted.map(|()| self.deleted.push(whole.clone()))
            }
        };
        match done {
            // Somebody else deleted it meanwhile.
            Ok(()) | Err(Error::NotFound(_)) => Ok(()),
            Err(Error::Limit(why)) => {
                self.leave_out(whole, &why);
                Ok(())
            }
            Err(error) => Err(error.into()),
        }
    }
}

fn whole(change: &Change) -> String {
    format!("{}/{}", change.mount.path(), change.path)
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
