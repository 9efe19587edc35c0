//! Whether the hub can do what it is there for: asked by anybody, looked at once a second.

use hub::Hub;
use protocol::view::{DiskRoom, DiskStatus};
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

/// How long an answer is good for, whoever asks.
const GOOD_FOR: Duration = Duration::from_secs(1);
/// How long the database may take.
const PATIENCE: Duration = Duration::from_secs(3);

#[derive(Debug, Default)]
pub struct Readiness {
    last: Mutex<Option<(Instant, bool)>>,
}

impl Readiness {
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
        match hub.look_at_disk() {
            Some(DiskStatus { room: DiskRoom::Enough, .. }) => None,
            Some(DiskStatus { free, .. }) => Some(format!("{free} bytes are free on the disk")),
            None => Some("the folder of the hub's files is not there".to_owned()),
        }
    }
}
