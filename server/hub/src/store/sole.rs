//! One hub at a time on a SQLite file: two would end each other's runs. What is done beside a hub for a
//! moment, from the command line, needs no claim.

use super::{OpenError, hand_over};
use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;

/// Held by the hub that serves. The system gives it back however the process ends.
#[derive(Debug)]
pub struct Claim(#[expect(dead_code, reason = "the lock is held as long as the file is open")] File);

pub(super) fn claim(database: &Path) -> Result<Claim, OpenError> {
    let beside = database.with_extension("lock");
    let failed = |error| OpenError::Lock(beside.clone(), error);
    let file = open(&beside).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(Claim(file)),
        Err(TryLockError::WouldBlock) => Err(OpenError::InUse(database.to_owned())),
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}

/// Waits until no other process brings the file up to date: a command may be called while a hub starts.
pub(super) fn turn(database: &Path) -> Result<Claim, OpenError> {
    let beside = database.with_extension("upgrade");
    let taken = open(&beside).and_then(|file| file.lock().map(|()| Claim(file)));
    taken.map_err(|error| OpenError::Lock(beside.clone(), error))
}

fn open(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
    // Whoever made it may be killed, and the hub is kept off by one that it cannot open.
    hand_over(&file, path)?;
    Ok(file)
}
