//! The whole database in one file that says nothing of which database it was: taken while a hub runs, looked
//! through before it is put anywhere, and put back as a whole or not at all.

mod bucket;
mod digest;
mod format;
mod now;
mod place;
mod restore;
mod rows;
mod schedule;
mod sealed_by;
mod tables;
mod take;

pub use bucket::{Bucket, BucketAccess};
pub use now::HubBackups;
pub use place::{BackupPlace, KeptBackup, backup_name};
pub use restore::restore;
pub use schedule::BackupPlan;
pub(crate) use schedule::InMemory;
pub use sealed_by::sealed_by;
pub use take::{contents, take};

use crate::store::{OpenError, Unavailable};
use crate::vault::{Keyring, SealedKeys};
use format::Reader;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// What a backup holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    pub tables: usize,
    pub rows: u64,
    /// Over every value of every row, whatever their order: the same in both databases.
    pub digest: String,
}

/// What a backup says of itself.
#[derive(Debug)]
pub struct Backup {
    /// The version of the program that made it.
    pub program: String,
    /// Unix milliseconds.
    pub made_at: i64,
    pub keys: Option<SealedKeys>,
    pub contents: Contents,
}

#[derive(Debug, Error)]
pub enum BackupError {
    #[error("The file {0} is no backup of Vivarium's.")]
    NoBackup(PathBuf),
    #[error("The backup {0} is damaged: {1}. Nothing was changed. Take another one.")]
    Damaged(PathBuf, String),
    #[error(
        "The backup was made by Vivarium {0}, which is newer than this program. Install that version, or a later one, and restore with it."
    )]
    Newer(String),
    #[error(
        "There is a database at {0} already. Move it away, or name another place (VIVARIUM_DATA_DIR or DATABASE_URL): a backup is put where nothing is."
    )]
    Taken(String),
    #[error("What was written is not what the backup holds, so it was taken back. Try again.")]
    Unequal,
    #[error("The passphrase does not open the keys in the backup, or they are damaged.")]
    Passphrase,
    #[error("The file {0} cannot be read or written: {1}.")]
    File(PathBuf, #[source] io::Error),
    /// A bucket, and why.
    #[error("{0} cannot be used: {1}.")]
    Bucket(String, String),
    #[error("{0}")]
    Open(#[from] OpenError),
    #[error(
        "The disk is full, so the backup cannot be written or put back. Make room on it and try again. Nothing was changed."
    )]
    DiskFull,
    #[error("The database says: {0}.")]
    Database(#[source] sqlx::Error),
}

impl From<sqlx::Error> for BackupError {
    fn from(error: sqlx::Error) -> Self {
        match Unavailable::of(&error) {
            Some(Unavailable::DiskFull) => Self::DiskFull,
            _ => Self::Database(error),
        }
    }
}

impl BackupError {
    fn of_file(path: &Path, error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::StorageFull => Self::DiskFull,
            _ => Self::File(path.to_owned(), error),
        }
    }
}

type Result<T> = std::result::Result<T, BackupError>;

/// Looks through the whole file.
pub fn check(file: &Path) -> Result<Backup> {
    let mut reader = Reader::open(file)?;
    while reader.next()?.is_some() {}
    reader.into_backup()
}

/// The keys in a backup. They are with whoever has the passphrase.
pub fn open_keys(backup: &Backup, passphrase: &str) -> Result<Option<Keyring>> {
    let Some(sealed) = &backup.keys else { return Ok(None) };
    Keyring::unsealed(sealed, passphrase).map(Some).ok_or(BackupError::Passphrase)
}
