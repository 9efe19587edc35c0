//! Where backups are kept: a folder, or a bucket.

use super::bucket::Bucket;
use super::format::UNFINISHED;
use super::{BackupError, Result};
use jiff::fmt::strtime;
use jiff::tz::TimeZone;
use std::fmt;
use std::fs::{self, OpenOptions};
use std::path::PathBuf;
use std::time::SystemTime;

const START: &str = "vivarium-";
const END: &str = ".backup";
const STAMP: &str = "%Y%m%d-%H%M%S";

#[derive(Clone, Debug)]
pub enum BackupPlace {
    Folder(PathBuf),
    Bucket(Box<Bucket>),
}

/// A backup that is there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeptBackup {
    pub made: SystemTime,
    pub name: String,
    pub bytes: u64,
}

impl BackupPlace {
    /// What is there, the newest first.
    pub async fn found(&self) -> Result<Vec<KeptBackup>> {
        let mut found = match self {
            Self::Folder(folder) => in_folder(folder),
            Self::Bucket(bucket) => bucket.list().await?,
        };
        found.sort();
        found.reverse();
        Ok(found)
    }

    /// Takes away what was left half written in a folder by who was killed. A bucket shows nothing half.
    pub(super) fn clear_halves(&self) {
        let Self::Folder(folder) = self else { return };
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let is_half = entry.file_name().to_str().is_some_and(is_half);
            let Some(file) =
                is_half.then(|| OpenOptions::new().write(true).open(entry.path()).ok()).flatten()
            else {
                continue;
            };
            // Whoever writes one has it locked.
            if file.try_lock().is_ok()
                && let Err(error) = fs::remove_file(entry.path())
            {
                tracing::warn!("half of a backup is kept, {}: {error}", entry.path().display());
            }
        }
    }

    pub(super) async fn remove(&self, name: &str) -> Result<()> {
        match self {
            Self::Folder(folder) => {
                let path = folder.join(name);
                fs::remove_file(&path).map_err(|error| BackupError::File(path, error))
            }
            Self::Bucket(bucket) => bucket.delete(name).await,
        }
    }
}

impl fmt::Display for BackupPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => folder.display().fmt(f),
            Self::Bucket(bucket) => bucket.fmt(f),
        }
    }
}

fn in_folder(folder: &PathBuf) -> Vec<KeptBackup> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok().filter(|name| is_name(name))?;
            let file = entry.metadata().ok()?;
            // The clock of a file server may be another one than that of who made it.
            let made = made_at(&name).or_else(|| file.modified().ok())?;
            Some(KeptBackup { made, name, bytes: file.len() })
        })
        .collect()
}

pub(super) fn is_name(name: &str) -> bool {
    name.starts_with(START) && name.ends_with(END)
}

fn is_half(name: &str) -> bool {
    let stem = name.strip_suffix(UNFINISHED).and_then(|name| name.strip_suffix('.'));
    stem.is_some_and(|stem| stem.starts_with(START))
}

/// What one made now is called.
pub fn backup_name(now: i64) -> String {
    let moment = jiff::Timestamp::from_millisecond(now).unwrap_or_default();
    format!("{START}{}{END}", moment.strftime(STAMP))
}

/// When the one of this name was made.
pub(super) fn made_at(name: &str) -> Option<SystemTime> {
    let stamp = name.strip_prefix(START)?.strip_suffix(END)?;
    let moment = strtime::parse(STAMP, stamp).ok()?.to_datetime().ok()?.to_zoned(TimeZone::UTC).ok()?;
    Some(SystemTime::from(moment.timestamp()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::time::Duration;
    use tempfile::TempDir;

    #[test]
    fn a_backup_in_a_folder_is_of_the_time_in_its_name_whatever_the_clock_of_its_disk_said() {
        let folder = TempDir::new().unwrap();
        let ahead = SystemTime::UNIX_EPOCH + Duration::from_secs(4_000_000_000);
        let named = backup_name(1_795_219_199_000);
        for name in [named.as_str(), "vivarium-mine.backup", "notes.txt"] {
            File::create(folder.path().join(name)).unwrap().set_modified(ahead).unwrap();
        }
        let mut found = in_folder(&folder.path().to_owned());
        found.sort();
        let found: Vec<_> = found.iter().map(|backup| (backup.name.as_str(), backup.made)).collect();
        let made = SystemTime::UNIX_EPOCH + Duration::from_secs(1_795_219_199);
        assert_eq!(found, [(named.as_str(), made), ("vivarium-mine.backup", ahead)]);
    }

    #[test]
    fn the_name_of_a_backup_says_when_it_was_made() {
        let name = backup_name(1_795_219_199_999);
        assert_eq!(name, "vivarium-20261120-235959.backup");
        let made = SystemTime::UNIX_EPOCH + Duration::from_secs(1_795_219_199);
        assert_eq!(made_at(&name), Some(made));
        for other in ["vivarium-2026.backup", "vivarium.backup", "notes-20261120-235959.backup", ""] {
            assert_eq!(made_at(other), None, "{other}");
        }
    }
}
