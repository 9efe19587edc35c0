//! Whether the hub can do what it is there for: asked by anybody, looked at once a second.

use hub::Hub;
use std::path::PathBuf;
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

/// How long an answer is good for, whoever asks.
const GOOD_FOR: Duration = Duration::from_secs(1);
/// How long the database may take.
const PATIENCE: Duration = Duration::from_secs(3);
/// Bytes on the disk that there have to be.
const LEAST_ROOM: u64 = 64 * 1024 * 1024;

#[derive(Debug)]
pub struct Readiness {
    /// Where the hub keeps its files.
    folder: PathBuf,
    last: Mutex<Option<(Instant, bool)>>,
}

impl Readiness {
    pub fn new(folder: PathBuf) -> Self {
        Self { folder, last: Mutex::default() }
    }

    pub async fn look(&self, hub: &Hub) -> bool {
        let mut last = self.last.lock().await;
        if let Some((at, is_ready)) = *last
            && at.elapsed() < GOOD_FOR
        {
            return is_ready;
        }
        let problem = self.problem(hub).await;
        if let Some(problem) = &problem {
            tracing::warn!("not ready: {problem}");
        }
        *last = Some((Instant::now(), problem.is_none()));
        problem.is_none()
    }

    async fn problem(&self, hub: &Hub) -> Option<String> {
        match timeout(PATIENCE, hub.try_store()).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Some(error.into_failure().to_string()),
            Err(_) => return Some("the database does not answer".to_owned()),
        }
        let free = rustix::fs::statvfs(&self.folder).map(|disk| disk.f_bavail * disk.f_frsize);
        match free {
            Ok(free) if free < LEAST_ROOM => Some(format!("{free} bytes are free on the disk")),
            Ok(_) => None,
            Err(error) => Some(format!("the folder {} is not there: {error}", self.folder.display())),
        }
    }
}
