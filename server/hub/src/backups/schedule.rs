//! Backups that the hub makes by itself, each by a process of its own: a folder with the newest of them.

use crate::Hub;
use protocol::view::{BackupFailure, BackupStatus};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};
use tokio::process::Command;
use tokio::time::sleep;

/// Between two looks at the folder, at most.
const LOOKS: Duration = Duration::from_secs(10 * 60);
/// After one that failed.
const AGAIN: Duration = Duration::from_secs(5 * 60);

/// Where backups go, how often, and how many are kept.
#[derive(Clone, Debug)]
pub struct BackupPlan {
    pub folder: PathBuf,
    pub every: Duration,
    pub keep: usize,
    /// Seals the master key in them; without it they hold none.
    pub passphrase_file: Option<PathBuf>,
    /// The program that has the command `backup`.
    pub program: PathBuf,
}

/// What this process plans, and why the last try came to nothing.
#[derive(Debug, Default)]
pub(crate) struct InMemory {
    plan: Mutex<Option<BackupPlan>>,
    failure: Mutex<Option<BackupFailure>>,
}

impl InMemory {
    fn plan(&self) -> MutexGuard<'_, Option<BackupPlan>> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn failure(&self) -> MutexGuard<'_, Option<BackupFailure>> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn status(&self) -> Option<BackupStatus> {
        let plan = self.plan().clone()?;
        let newest = plan.found().into_iter().next();
        let millis =
            |at: SystemTime| at.duration_since(SystemTime::UNIX_EPOCH).ok()?.as_millis().try_into().ok();
        Some(BackupStatus {
            every_hours: plan.every.as_secs() / 3600,
            newest_at: newest.as_ref().and_then(|(at, _)| millis(*at)),
            newest_bytes: newest.and_then(|(_, file)| Some(fs::metadata(file).ok()?.len())),
            failure: self.failure().clone(),
        })
    }
}

impl BackupPlan {
    /// The backups in the folder with their times, the newest first.
    pub fn found(&self) -> Vec<(SystemTime, PathBuf)> {
        let mut found: Vec<_> = fs::read_dir(&self.folder)
            .into_iter()
            .flatten()
            .flatten()
            .filter(|entry| is_ours(&entry.path()))
            .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
            .collect();
        found.sort();
        found.reverse();
        found
    }

    /// How long until the next one. None: it is time.
    fn rest(&self) -> Option<Duration> {
        let (newest, _) = self.found().into_iter().next()?;
        let age = newest.elapsed().unwrap_or_default();
        self.every.checked_sub(age).filter(|rest| !rest.is_zero())
    }

    async fn make(&self, now: i64) -> Result<(), String> {
        fs::create_dir_all(&self.folder).map_err(|error| error.to_string())?;
        let file = self.folder.join(format!("vivarium-{}.backup", stamp(now)));
        let mut command = Command::new(&self.program);
        command.arg("backup").arg("--to").arg(&file);
        if let Some(passphrase) = &self.passphrase_file {
            command.arg("--passphrase-file").arg(passphrase);
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).kill_on_drop(true);
        let output = command.output().await.map_err(|error| error.to_string())?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
        }
        tracing::info!("a backup was made: {}", file.display());
        for (_, old) in self.found().into_iter().skip(self.keep) {
            if let Err(error) = fs::remove_file(&old) {
                tracing::warn!("the backup {} is kept: {error}", old.display());
            }
        }
        Ok(())
    }
}

impl Hub {
    pub(crate) fn backups(&self) -> &InMemory {
        &self.0.backups
    }

    /// Makes backups from here on. A folder that has one which is new enough is left alone, whoever made it.
    pub fn keep_backups(&self, plan: BackupPlan) {
        let hub = self.clone();
        *self.backups().plan() = Some(plan.clone());
        self.tasks().spawn(async move {
            loop {
                let rest = match plan.rest() {
                    Some(rest) => rest.min(LOOKS),
                    None => match plan.make(hub.now()).await {
                        Ok(()) => {
                            *hub.backups().failure() = None;
                            continue;
                        }
                        Err(why) => {
                            tracing::error!("no backup was made: {why}");
                            *hub.backups().failure() = Some(BackupFailure { at: hub.now(), why });
                            AGAIN
                        }
                    },
                };
                tokio::select! {
                    () = hub.tasks().closing() => return,
                    () = sleep(rest) => {}
                }
            }
        });
    }
}

fn is_ours(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.starts_with("vivarium-") && name.ends_with(".backup")
}

/// The time in the name of a file.
fn stamp(now: i64) -> String {
    let moment = jiff::Timestamp::from_millisecond(now).unwrap_or_default();
    moment.strftime("%Y%m%d-%H%M%S").to_string()
}
