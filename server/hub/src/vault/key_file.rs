//! The file that holds the master keys, one a line: the one that seals first.

use super::keyring::KeyringError;
use super::master_key::MasterKey;
use crate::clock::new_id;
use crate::store::hand_over;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// How the name of a draft ends.
const DRAFT: &str = "tmp";

/// Writes these keys where none are.
pub(super) fn write_first(path: &Path, keys: &[&MasterKey]) -> Result<(), KeyringError> {
    if path.exists() {
        let there = io::Error::from(ErrorKind::AlreadyExists);
        return Err(failed(path, there));
    }
    write_new(path, keys).map_err(|error| failed(path, error))
}

/// Reads the keys from the file, which only its owner may be able to read. Where there is no file, a
/// new key is made and written.
pub(super) fn open_or_create(path: &Path) -> Result<Vec<MasterKey>, KeyringError> {
    match read(path) {
        Err(KeyringError::File(_, error)) if error.kind() == ErrorKind::NotFound => {
            write_new(path, &[&MasterKey::new()]).map_err(|error| failed(path, error))?;
            read(path)
        }
        read => read,
    }
}

pub(super) fn read(path: &Path) -> Result<Vec<MasterKey>, KeyringError> {
    let file = File::open(path).map_err(|error| failed(path, error))?;
    if is_exposed(&file.metadata().map_err(|error| failed(path, error))?) {
        return Err(KeyringError::Exposed(path.to_owned()));
    }
    let text = match io::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::InvalidData => {
            return Err(KeyringError::Content(path.to_owned()));
        }
        Err(error) => return Err(failed(path, error)),
    };
    parse(&text).ok_or_else(|| KeyringError::Content(path.to_owned()))
}

/// Keys set apart by spaces, commas or line ends; at least one.
pub(super) fn parse(text: &str) -> Option<Vec<MasterKey>> {
    let words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    let keys: Vec<MasterKey> = words.map(MasterKey::from_text).collect::<Option<_>>()?;
    (!keys.is_empty()).then_some(keys)
}

/// Puts these keys in place of those that were there: all of them or, if it fails, none.
pub(super) fn replace(path: &Path, keys: &[&MasterKey]) -> Result<(), KeyringError> {
    let draft = draft_beside(path);
    let replaced = write_draft(&draft, keys).and_then(|()| fs::rename(&draft, path));
    if replaced.is_err() {
        // There may be none.
        let _ = fs::remove_file(&draft);
    }
    replaced.and_then(|()| sync_folder(path)).map_err(|error| failed(path, error))
}

/// Held by whoever changes the file, until dropped or until the process is gone. `None`: somebody
/// else is at it.
pub(super) fn lock(path: &Path) -> Result<Option<File>, KeyringError> {
    let beside = path.with_extension("lock");
    let file = File::create(&beside).map_err(|error| failed(&beside, error))?;
    hand_over(&file, &beside).map_err(|error| failed(&beside, error))?;
    match file.try_lock() {
        Ok(()) => {
            sweep(path).map_err(|error| failed(path, error))?;
            Ok(Some(file))
        }
        Err(fs::TryLockError::WouldBlock) => Ok(None),
        Err(fs::TryLockError::Error(error)) => Err(failed(&beside, error)),
    }
}

/// Takes away drafts that a process left behind when it was killed: they hold keys.
fn sweep(path: &Path) -> io::Result<()> {
    let Some((folder, stem)) = folder_of(path).zip(path.file_stem()) else { return Ok(()) };
    for entry in fs::read_dir(folder)? {
        let left = entry?.path();
        let is_draft = left.extension().is_some_and(|end| end == DRAFT)
            && left.file_stem().map(Path::new).and_then(Path::file_stem) == Some(stem);
        if is_draft {
            fs::remove_file(left)?;
        }
    }
    Ok(())
}

fn failed(path: &Path, error: io::Error) -> KeyringError {
    KeyringError::File(path.to_owned(), error)
}

/// Writes the whole file or nothing. If another process was quicker, its file stays.
fn write_new(path: &Path, keys: &[&MasterKey]) -> io::Result<()> {
    let draft = draft_beside(path);
    let result = write_draft(&draft, keys).and_then(|()| match fs::hard_link(&draft, path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        other => other,
    });
    let removed = fs::remove_file(&draft);
    result?;
    removed?;
    sync_folder(path)
}

fn draft_beside(path: &Path) -> PathBuf {
    path.with_extension(format!("{}.{DRAFT}", new_id()))
}

fn write_draft(draft: &Path, keys: &[&MasterKey]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(draft)?;
    for key in keys {
        writeln!(file, "{}", key.to_text())?;
    }
    hand_over(&file, draft)?;
    file.sync_all()
}

/// A new name in a folder is only durable once the folder is.
fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(not(unix)) {
        return Ok(());
    }
    folder_of(path).map_or(Ok(()), |folder| File::open(folder)?.sync_all())
}

fn folder_of(path: &Path) -> Option<&Path> {
    let folder = path.parent()?;
    Some(if folder.as_os_str().is_empty() { Path::new(".") } else { folder })
}

#[cfg(unix)]
fn is_exposed(file: &fs::Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&file.permissions()) & 0o077 != 0
}

#[cfg(not(unix))]
fn is_exposed(_: &fs::Metadata) -> bool {
    false
}

#[cfg(test)]
mod tests;
