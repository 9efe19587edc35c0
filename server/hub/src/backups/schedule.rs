//! Backups that the hub makes by itself, each by a process of its own: a folder or a bucket with the newest of them.

use super::{BackupPlace, KeptBackup, backup_name};
use crate::Hub;
use crate::clock::Moment;
use protocol::view::{BackupFailure, BackupStatus};
use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};
use tokio::process::Command;
use tokio::time::sleep;

/// Between two looks at what is there, at most.
const LOOKS: Duration = Duration::from_secs(10 * 60);
/// After one that failed.
const AGAIN: Duration = Duration::from_secs(5 * 60);
/// The part of the time between two that passes after each in any case, whatever the dates say of those that are there.
const LEAST_PART: u32 = 4;

/// Where backups go, how often, and how many are kept.
#[derive(Clone, Debug)]
pub struct BackupPlan {
    pub place: BackupPlace,
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
    /// As the last look found it.
    newest: Mutex<Option<KeptBackup>>,
    /// When this process made its last one.
    last: Mutex<Option<Moment>>,
    /// Since when one is being made, in Unix milliseconds.
    since: Mutex<Option<i64>>,
}

impl InMemory {
    pub(super) fn plan(&self) -> MutexGuard<'_, Option<BackupPlan>> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn failure(&self) -> MutexGuard<'_, Option<BackupFailure>> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn status(&self) -> Option<BackupStatus> {
        let plan = self.plan().clone()?;
        let newest = self.newest().clone();
        let millis =
            |at: SystemTime| at.duration_since(SystemTime::UNIX_EPOCH).ok()?.as_millis().try_into().ok();
        Some(BackupStatus {
            every_hours: plan.every.as_secs() / 3600,
            newest_at: newest.as_ref().and_then(|newest| millis(newest.made)),
            newest_bytes: newest.map(|newest| newest.bytes),
            failure: self.failure().clone(),
            under_way_since: *self.under_way_since(),
        })
    }

    fn newest(&self) -> MutexGuard<'_, Option<KeptBackup>> {
        self.newest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn last_made(&self) -> MutexGuard<'_, Option<Moment>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn under_way_since(&self) -> MutexGuard<'_, Option<i64>> {
        self.since.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// For as long as one is being made: no other one is begun meanwhile.
pub(super) struct Making(Hub);

impl Drop for Making {
    fn drop(&mut self) {
        *self.0.backups().under_way_since() = None;
    }
}

impl BackupPlan {
    async fn make(&self, now: i64) -> Result<(), String> {
        let to = match &self.place {
            BackupPlace::Folder(folder) => {
                fs::create_dir_all(folder).map_err(|error| error.to_string())?;
                let mut at = now;
                // One that is made within the same second has the next one in its name.
                while folder.join(backup_name(at)).exists() {
                    at += 1000;
                }
                folder.join(backup_name(at))
            }
            BackupPlace::Bucket(bucket) => PathBuf::from(bucket.to_string()),
        };
        let mut command = Command::new(&self.program);
        command.arg("backup").arg("--to").arg(&to);
        if let Some(passphrase) = &self.passphrase_file {
            command.arg("--passphrase-file").arg(passphrase);
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).kill_on_drop(true);
        let output = command.output().await.map_err(|error| error.to_string())?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
        }
        tracing::info!("a backup was made in {}", self.place);
        Ok(())
    }

    /// Takes away those that are too many.
    async fn prune(&self, now: SystemTime) -> Result<(), String> {
        let found = self.place.found().await.map_err(|error| error.to_string())?;
        for old in too_many(found, self.keep, now) {
            if let Err(error) = self.place.remove(&old.name).await {
                tracing::warn!("the backup {} is kept: {error}", old.name);
            }
        }
        Ok(())
    }
}

/// How long until the next one, if one of those that are there, the newest first, is new enough. None: it is time.
/// What a clock that was set back has dated after now says nothing of when it was made; `since` does, which is how long
/// ago this process made its last one.
fn until_next(
    every: Duration,
    found: &[KeptBackup],
    now: SystemTime,
    since: Option<Duration>,
) -> Option<Duration> {
    let age = found.iter().find_map(|backup| now.duration_since(backup.made).ok());
    let by_date = age.and_then(|age| every.checked_sub(age));
    let at_least = since.and_then(|since| (every / LEAST_PART).checked_sub(since));
    by_date.max(at_least).filter(|rest| !rest.is_zero())
}

/// Those beyond so many, the newest first. One that is dated after now takes no place of another, and stays: else each
/// that is made would go at once.
fn too_many(found: Vec<KeptBackup>, keep: usize, now: SystemTime) -> Vec<KeptBackup> {
    found.into_iter().filter(|backup| backup.made <= now).skip(keep).collect()
}

fn at(now: i64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_millis(now.try_into().unwrap_or_default())
}

impl Hub {
    pub(crate) fn backups(&self) -> &InMemory {
        &self.0.backups
    }

    /// Makes backups from here on. A place that has one which is new enough is left alone, whoever made it.
    pub fn keep_backups(&self, plan: BackupPlan) {
        let hub = self.clone();
        *self.backups().plan() = Some(plan.clone());
        self.tasks().spawn(async move {
            plan.place.clear_halves();
            loop {
                let rest = match hub.look_for_backup(&plan).await {
                    Ok(Some(rest)) => rest.min(LOOKS),
                    Ok(None) => continue,
                    Err(why) => {
                        hub.no_backup_was_made(&why);
                        AGAIN
                    }
                };
                tokio::select! {
                    () = hub.tasks().closing() => return,
                    () = sleep(rest) => {}
                }
            }
        });
    }

    /// `None`: one is being made.
    pub(super) fn begin_backup(&self) -> Option<Making> {
        let mut since = self.backups().under_way_since();
        if since.is_some() {
            return None;
        }
        *since = Some(self.now());
        Some(Making(self.clone()))
    }

    /// Makes one, and takes away those that are too many.
    pub(super) async fn back_up(&self, plan: &BackupPlan, making: Making) -> Result<(), String> {
        plan.place.clear_halves();
        plan.make(self.now()).await?;
        *self.backups().last_made() = Some(self.moment());
        plan.prune(at(self.now())).await?;
        *self.backups().failure() = None;
        let found = plan.place.found().await.map_err(|error| error.to_string())?;
        *self.backups().newest() = found.into_iter().next();
        drop(making);
        Ok(())
    }

    pub(super) fn no_backup_was_made(&self, why: &str) {
        tracing::error!("no backup was made: {why}");
        *self.backups().failure() = Some(BackupFailure { at: self.now(), why: why.to_owned() });
    }

    /// Makes one if it is time. Gives how long it is until then, if it is not.
    async fn look_for_backup(&self, plan: &BackupPlan) -> Result<Option<Duration>, String> {
        let found = plan.place.found().await.map_err(|error| error.to_string())?;
        let last = *self.backups().last_made();
        let since = last.and_then(|last| u64::try_from(self.moment().ms_since(last)).ok());
        let rest = until_next(plan.every, &found, at(self.now()), since.map(Duration::from_millis));
        *self.backups().newest() = found.into_iter().next();
        // Of several nodes one is enough.
        if rest.is_none() && !self.cluster().leads().await.map_err(|error| error.to_string())? {
            return Ok(Some(LOOKS));
        }
        if rest.is_none() {
            // Somebody has one made.
            let Some(making) = self.begin_backup() else { return Ok(Some(AGAIN)) };
            self.back_up(plan, making).await?;
        }
        Ok(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minutes(minutes: u64) -> Duration {
        Duration::from_secs(minutes * 60)
    }

    /// Made at these minutes.
    fn backups(made: &[u64]) -> Vec<KeptBackup> {
        let backup = |at: &u64| KeptBackup {
            made: SystemTime::UNIX_EPOCH + minutes(*at),
            name: at.to_string(),
            bytes: 1,
        };
        made.iter().map(backup).collect()
    }

    #[test]
    fn a_backup_from_a_clock_that_was_wrong_stops_no_others_and_takes_none_away() {
        let now = SystemTime::UNIX_EPOCH + minutes(1000);
        // When those that are there were made, how long it is until the next one, and which go if one is kept.
        for (made, rest, gone) in [
            (&[][..], None, &[][..]),
            (&[990], Some(50), &[]),
            (&[990, 100], Some(50), &["100"]),
            (&[940], None, &[]),
            (&[5000], None, &[]),
            (&[5000, 990], Some(50), &[]),
            (&[6000, 5000, 990, 900], Some(50), &["900"]),
            (&[5000, 900], None, &[]),
        ] {
            let found = backups(made);
            assert_eq!(until_next(minutes(60), &found, now, None), rest.map(minutes), "{made:?}");
            let names: Vec<String> = too_many(found, 1, now).into_iter().map(|backup| backup.name).collect();
            assert_eq!(names, gone, "{made:?}");
        }
    }

    #[test]
    fn two_backups_are_never_made_within_a_quarter_of_the_time_between_them() {
        let now = SystemTime::UNIX_EPOCH + minutes(1000);
        for (made, since, rest) in [
            (&[5000][..], Some(0), Some(15)),
            (&[5000], Some(14), Some(1)),
            (&[5000], Some(15), None),
            (&[], Some(5), Some(10)),
            (&[990], Some(10), Some(50)),
            (&[900], Some(100), None),
        ] {
            let rest = rest.map(minutes);
            assert_eq!(until_next(minutes(60), &backups(made), now, since.map(minutes)), rest, "{made:?}");
        }
    }
}
