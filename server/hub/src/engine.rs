//! The agent's page with no browser: performs what a tab would, on the page as it is stored.
//!
//! Each command is performed by a process of its own, which gets the command, the page and the state,
//! and nothing else: no key, no file, no network. What it does, and how, is in the modules below.

mod child;
mod dom;
mod job;
mod script;

pub use child::perform_one;
pub(crate) use job::{Done, Job};

use std::io;
use std::num::NonZero;
use std::path::PathBuf;
use std::process::Stdio;
use std::thread::available_parallelism;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::Command;
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// What starting a process and writing down what came of it may take on top of the command's own time.
const GRACE: Duration = Duration::from_secs(2);
/// Longest answer: a page and a state as large as they may be, and some air.
const ANSWER: u64 = 8 * 1024 * 1024;

pub(crate) struct Engine {
    program: PathBuf,
    /// No more at once than there are processors: the others wait.
    room: Semaphore,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EngineError {
    #[error("it did not finish in time and was ended; nothing that it did was kept")]
    TimedOut,
    #[error("it used more memory or time than there is and was ended; nothing that it did was kept")]
    Died,
    #[error("the hub could not start it: {0}")]
    NotStarted(io::Error),
}

impl Engine {
    /// `program engine` has to end in [`perform_one`].
    pub(crate) fn new(program: PathBuf) -> Self {
        let room = available_parallelism().map_or(1, NonZero::get);
        Self { program, room: Semaphore::new(room) }
    }

    /// Performs one command. Whoever stops waiting for it ends it.
    pub(crate) async fn perform(&self, job: &Job, limit: Duration) -> Result<Done, EngineError> {
        let _place = self.room.acquire().await.expect("nobody closes the room");
        timeout(limit + GRACE, self.in_a_process(job)).await.map_err(|_| EngineError::TimedOut)?
    }

    async fn in_a_process(&self, job: &Job) -> Result<Done, EngineError> {
        let mut child = Command::new(&self.program)
            .arg("engine")
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .map_err(EngineError::NotStarted)?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (mut to, from) = pipes.expect("both were asked for");
        let job = serde_json::to_vec(job).expect("a job is JSON");
        to.write_all(&job).await.map_err(|_| EngineError::Died)?;
        drop(to);
        let mut answer = Vec::new();
        from.take(ANSWER).read_to_end(&mut answer).await.map_err(|_| EngineError::Died)?;
        serde_json::from_slice(&answer).map_err(|_| EngineError::Died)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::frame::{SkinCommand, SkinPage};
    use serde_json::json;
    use std::collections::BTreeMap;
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;

    #[tokio::test]
    async fn a_process_that_does_not_answer_is_given_up() {
        let folder = tempfile::tempdir().unwrap();
        for (program, expected) in [
            ("#!/bin/sh\nwhile :; do :; done\n", "did not finish in time"),
            ("#!/bin/sh\nexit 1\n", "more memory or time"),
            ("#!/bin/sh\ncat > /dev/null; echo no\n", "more memory or time"),
            (
                "#!/bin/sh\ncat > /dev/null; while :; do echo '                '; done\n",
                "more memory or time",
            ),
            ("", "could not start it"),
        ] {
            let file = folder.path().join("program");
            fs::write(&file, program).unwrap();
            let mode = if program.is_empty() { 0o600 } else { 0o700 };
            fs::set_permissions(&file, Permissions::from_mode(mode)).unwrap();
            let command =
                SkinCommand::Dom { input: json!({ "action": "query", "selector": "a".repeat(200_000) }) };
            let job = Job { command, page: SkinPage::default(), state: BTreeMap::new() };
            let error = Engine::new(file).perform(&job, Duration::ZERO).await.unwrap_err();
            assert!(error.to_string().contains(expected), "{program}: {error}");
        }
    }
}
