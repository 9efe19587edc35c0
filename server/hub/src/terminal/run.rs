//! One command, from its room to what came of it.

use super::folder::{Files, Folder, Left};
use super::ground::Ground;
use super::output::{Kept, Output};
use super::{Terminal, TerminalError, confine, watch};
use crate::fair_queue::Permit;
use protocol::UserId;
use protocol::view::Role;
use rustix::process::{Pid, Signal, kill_process};
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::AsyncReadExt;
use tokio::process::{Child, Command};
use tokio::time::{sleep, timeout};

/// Bytes of what `bwrap` itself says.
const COMPLAINT: u64 = 1000;
/// How long what was ended may take to be gone.
const TO_END: Duration = Duration::from_secs(5);

/// What is to be run.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    pub(crate) command: String,
    /// Where it begins, from the root. It comes to be if it is not there.
    pub(crate) workdir: String,
    pub(crate) timeout: Duration,
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    Exited(i32),
    /// The number of the signal.
    Killed(i32),
    TimedOut,
    /// It took more than it may have.
    Exceeded(&'static str),
}

/// What came of a command.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) ended: Ended,
    pub(crate) millis: u64,
    pub(crate) output: Output,
    pub(crate) left: Left,
}

/// Leave to run one command. Given back when it is dropped.
pub(crate) struct Turn {
    ground: Arc<Ground>,
    _place: Permit<UserId>,
}

impl Terminal {
    /// Waits until a command of somebody's agent may be run. What it works on is read after that, so that those who
    /// wait hold nothing.
    pub(crate) async fn turn(&self, owner: &UserId, role: Role) -> Result<Turn, TerminalError> {
        if !self.whose.includes(role) {
            return Err(TerminalError::NotForThem);
        }
        let ground = self.ground().await.map_err(TerminalError::NotHere)?;
        let place = self.queue.enter(owner).await.map_err(|_| TerminalError::Busy)?;
        Ok(Turn { ground, _place: place })
    }
}

impl Turn {
    /// Whoever stops waiting for the command ends it, and what it did is lost.
    pub(crate) async fn run(self, order: &Order, files: Files) -> Result<Ran, TerminalError> {
        in_room(&self.ground, order, files).await
    }
}

pub(super) async fn in_room(ground: &Arc<Ground>, order: &Order, files: Files) -> Result<Ran, TerminalError> {
    let (slot, workdir) = (ground.slot(), order.workdir.clone());
    let folder = off_thread(move || Folder::make(slot, &files, &workdir)).await??;
    let begun = Instant::now();
    let (ended, output) = attend(start(ground, &folder, order)?, &folder, order.timeout).await?;
    let millis = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    let left = off_thread(move || folder.read_back()).await?;
    let left = left.map_err(|error| TerminalError::NoRoom(error.to_string()))?;
    Ok(Ran { ended, millis, output, left })
}

async fn off_thread<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, TerminalError> {
    tokio::task::spawn_blocking(work).await.map_err(|error| TerminalError::NoRoom(error.to_string()))
}

/// The room ends with the thread that starts it, so that is one of the runtime's own.
fn start(ground: &Ground, folder: &Folder, order: &Order) -> Result<Child, TerminalError> {
    let mut bwrap = Command::new("bwrap");
    bwrap
        .args(confine::arguments(ground, folder, &order.workdir, &order.command))
        .env_clear()
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    if let Some(user) = folder.user() {
        bwrap.uid(user).gid(user);
    }
    bwrap.spawn().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => TerminalError::NotHere("bubblewrap is not installed".to_owned()),
        _ => TerminalError::NoRoom(error.to_string()),
    })
}

/// Waits until nothing runs in the room any more.
async fn attend(
    mut child: Child,
    folder: &Folder,
    limit: Duration,
) -> Result<(Ended, Output), TerminalError> {
    let pipes = child.stdout.take().zip(child.stderr.take());
    let (said, complaint) = pipes.expect("both were asked for");
    let process = child.id().unwrap_or_default();
    let mut kept = Kept::default();
    let whole = async {
        kept.read(said).await?;
        child.wait().await
    };
    let ended = tokio::select! {
        status = whole => ended(status.map_err(|error| TerminalError::NoRoom(error.to_string()))?),
        () = sleep(limit) => Ended::TimedOut,
        what = watch::exceeds(process, folder.path().to_owned()) => Ended::Exceeded(what),
    };
    if matches!(ended, Ended::TimedOut | Ended::Exceeded(_)) {
        end(&mut child, process).await;
    }
    let output = kept.output();
    if output.text.is_empty() && ended != Ended::Exited(0) {
        // The command's own errors are in its output: this is of whoever made the room.
        let mut complained = String::new();
        let mut complaint = complaint.take(COMPLAINT);
        let read = complaint.read_to_string(&mut complained);
        let is_read = timeout(Duration::from_secs(1), read).await.is_ok_and(|read| read.is_ok());
        if is_read && complained.starts_with("bwrap: ") {
            return Err(TerminalError::NoRoom(complained.trim().to_owned()));
        }
    }
    Ok((ended, output))
}

/// Ends the first process within, and with it all others: the one outside is let see that.
async fn end(child: &mut Child, process: u32) {
    for first in watch::children_of(process) {
        let first = i32::try_from(first).ok().and_then(Pid::from_raw);
        if let Some(first) = first {
            // It may have ended by itself.
            let _ = kill_process(first, Signal::KILL);
        }
    }
    if timeout(TO_END, child.wait()).await.is_err() {
        let _ = child.kill().await;
    }
}

fn ended(status: ExitStatus) -> Ended {
    match (status.code(), status.signal()) {
        // As shells say it, and `bwrap` after them.
        (Some(code), _) if code > 128 && code < 128 + 65 => Ended::Killed(code - 128),
        (Some(code), _) => Ended::Exited(code),
        (None, signal) => Ended::Killed(signal.unwrap_or_default()),
    }
}
