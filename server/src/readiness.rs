//! Whether the hub can do what it is there for: asked by anybody, looked at once a second.

use hub::{Error, Hub};
use protocol::view::{DiskRoom, DiskStatus};
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

/// How long an answer is good for, whoever asks.
const GOOD_FOR: Duration = Duration::from_secs(1);
/// How long all of it may take.
const PATIENCE: Duration = Duration::from_secs(3);

/// The names of what is looked at.
const DATABASE: &str = "database";
const MIGRATIONS: &str = "migrations";
const NATS: &str = "NATS";
const DISK: &str = "disk";
const MASTER_KEY: &str = "master key";

/// What is in the way, by its name, and how.
type Problem = (&'static str, String);

#[derive(Debug, Default)]
pub struct Readiness {
    last: Mutex<Option<(Instant, Option<&'static str>)>>,
}

impl Readiness {
    /// What is in the way, by its name. `None`: it is ready.
    pub async fn look(&self, hub: &Hub) -> Option<&'static str> {
        let mut last = self.last.lock().await;
        if let Some((at, missing)) = *last
            && at.elapsed() < GOOD_FOR
        {
            return missing;
        }
        let found = timeout(PATIENCE, look_into(hub)).await;
        let missing = match found.unwrap_or_else(|_| Err((DATABASE, "it does not answer".to_owned()))) {
            Ok(()) => None,
            Err((what, why)) => {
                tracing::warn!("not ready, because of the {what}: {why}");
                Some(what)
            }
        };
        *last = Some((Instant::now(), missing));
        missing
    }
}

async fn look_into(hub: &Hub) -> Result<(), Problem> {
    hub.try_store().await.map_err(problem(DATABASE))?;
    hub.try_schema().await.map_err(problem(MIGRATIONS))?;
    if hub.cluster().is_deaf() {
        return Err((
            NATS,
            "it does not carry what is said to this node, and other nodes have it".to_owned(),
        ));
    }
    match hub.look_at_disk() {
        Some(DiskStatus { room: DiskRoom::Enough, .. }) => {}
        Some(DiskStatus { free, .. }) => return Err((DISK, format!("{free} bytes are free"))),
        None => return Err((DISK, "the folder of the hub's files is not there".to_owned())),
    }
    hub.secrets().try_key().await.map_err(problem(MASTER_KEY))
}

fn problem(what: &'static str) -> impl FnOnce(Error) -> Problem {
    move |error| (what, error.into_failure().to_string())
}
