//! Whether the hub can do what it is there for: asked by anybody, looked at once a second.

use hub::{Error, Hub};
use protocol::view::{DiskRoom, DiskStatus};
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

/// How long an answer is good for, whoever asks.
const GOOD_FOR: Duration = Duration::from_secs(1);
/// How long what is asked of the database may take.
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
        let missing = match look_into(hub).await {
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
    within(DATABASE, hub.try_store()).await?;
    within(MIGRATIONS, hub.try_schema()).await?;
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
    within(MASTER_KEY, hub.secrets().try_key()).await
}

async fn within(what: &'static str, trying: impl Future<Output = Result<(), Error>>) -> Result<(), Problem> {
    match timeout(PATIENCE, trying).await {
        Ok(tried) => tried.map_err(|error| (what, error.into_failure().to_string())),
        Err(_) => Err((what, "the database does not answer".to_owned())),
    }
}
