//! A copy of the database file before it is brought up to date, and the way back when that fails.

use super::DatabaseUrl;
use super::open::{OpenError, newest_migration};
use sqlx::{AnyConnection, AssertSqlSafe, Executor};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Copies that are kept, the newest.
const KEPT: usize = 3;

pub(super) struct Snapshot {
    file: PathBuf,
    copy: PathBuf,
}

impl Snapshot {
    /// `None`: the file is up to date, new, or of a newer program.
    pub(super) async fn before_migrating(
        place: &DatabaseUrl,
        connection: &mut AnyConnection,
    ) -> Result<Option<Self>, OpenError> {
        let Some(file) = place.file() else { return Ok(None) };
        let Some(schema) = schema(connection).await.map_err(OpenError::Connect)? else { return Ok(None) };
        if schema >= newest_migration() {
            return Ok(None);
        }
        let copy = beside(&file, &format!(".before-{}", newest_migration()));
        // Of an attempt that was killed.
        remove(&copy).map_err(|error| OpenError::Snapshot(copy.clone(), error))?;
        let into = copy.display().to_string().replace('\'', "''");
        connection
            .execute(AssertSqlSafe(format!("VACUUM INTO '{into}'")))
            .await
            .map_err(|error| OpenError::Snapshot(copy.clone(), io::Error::other(error)))?;
        forget_old(&file);
        tracing::info!("the database as it was before the upgrade is kept in {}", copy.display());
        Ok(Some(Self { file, copy }))
    }

    /// Puts the copy in the place of what could not be brought up to date. Nobody may have it open.
    pub(super) fn put_back(self) -> Result<(), OpenError> {
        let put_back = || -> io::Result<()> {
            for end in ["-wal", "-shm"] {
                remove(&beside(&self.file, end))?;
            }
            fs::rename(&self.copy, &self.file)
        };
        put_back().map_err(|error| OpenError::Snapshot(self.copy.clone(), error))
    }
}

/// The number of the newest migration that the file has had. `None`: it has had none.
async fn schema(connection: &mut AnyConnection) -> Result<Option<i64>, sqlx::Error> {
    let has_any = sqlx::query("SELECT 1 FROM sqlite_schema WHERE name = '_sqlx_migrations'")
        .fetch_optional(&mut *connection)
        .await?;
    if has_any.is_none() {
        return Ok(None);
    }
    sqlx::query_scalar("SELECT MAX(version) FROM _sqlx_migrations").fetch_one(connection).await
}

pub(super) fn beside(file: &Path, end: &str) -> PathBuf {
    let mut name = OsString::from(file);
    name.push(end);
    name.into()
}

pub(super) fn remove(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// What cannot be removed stays: it is only in the way of room.
fn forget_old(file: &Path) {
    let (Some(folder), Some(name)) = (file.parent(), file.file_name()) else { return };
    let start = format!("{}.before-", name.display());
    let number = |path: &Path| path.file_name()?.to_str()?.strip_prefix(&start)?.parse::<i64>().ok();
    let found = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut copies: Vec<(i64, PathBuf)> = found.filter_map(|path| Some((number(&path)?, path))).collect();
    copies.sort();
    copies.reverse();
    for (_, copy) in copies.iter().skip(KEPT) {
        if let Err(error) = fs::remove_file(copy) {
            tracing::warn!("{} is kept: {error}", copy.display());
        }
    }
}
