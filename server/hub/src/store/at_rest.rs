//! A copy of a database file that nobody uses, kept while another program is tried on it.

use super::DatabaseUrl;
use super::open::{OpenError, newest_migration};
use super::snapshot::{beside, remove};
use sqlx::Connection;
use std::path::{Path, PathBuf};
use std::{fs, io};

const END: &str = ".before-update";
/// The file itself, and what SQLite has beside it after a crash.
const PARTS: [&str; 2] = ["", "-wal"];

#[derive(Debug)]
pub struct AtRest(PathBuf);

impl DatabaseUrl {
    /// Copies the file. Nobody may have it open. `None`: it is on a server, or is not there yet.
    pub fn copy_at_rest(&self) -> Result<Option<AtRest>, OpenError> {
        let Some(file) = self.file().filter(|file| file.exists()) else { return Ok(None) };
        let kept = AtRest(file);
        for part in PARTS {
            let (from, to) = (beside(&kept.0, part), kept.part(part));
            // Of an update before.
            remove(&to).map_err(|error| OpenError::Snapshot(to.clone(), error))?;
            if from.exists() {
                copy(&from, &to).map_err(|error| OpenError::Snapshot(to.clone(), error))?;
            }
        }
        Ok(Some(kept))
    }

    /// Whether a program newer than this one has had it.
    pub async fn is_of_newer_program(&self) -> Result<bool, OpenError> {
        let mut connection = self.connect().await?;
        let newest = sqlx::query_scalar("SELECT MAX(version) FROM _sqlx_migrations");
        let newest: Option<i64> = newest.fetch_one(&mut connection).await.map_err(OpenError::Connect)?;
        connection.close().await.map_err(OpenError::Connect)?;
        Ok(newest.is_some_and(|newest| newest > newest_migration()))
    }
}

impl AtRest {
    pub fn path(&self) -> PathBuf {
        self.part("")
    }

    /// Puts it back. The file stays its owner's, whoever does this. Nobody may have it open.
    pub fn put_back(&self) -> Result<(), OpenError> {
        for part in ["-wal", "-shm"] {
            let file = beside(&self.0, part);
            remove(&file).map_err(|error| OpenError::Snapshot(file, error))?;
        }
        for part in PARTS {
            let (from, to) = (self.part(part), beside(&self.0, part));
            if from.exists() {
                copy(&from, &to).map_err(|error| OpenError::Snapshot(from, error))?;
            }
        }
        Ok(())
    }

    fn part(&self, part: &str) -> PathBuf {
        beside(&self.0, &format!("{END}{part}"))
    }
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::copy(from, to)?;
    fs::File::open(to)?.sync_all()
}
