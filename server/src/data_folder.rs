//! The data folder: the hub's own, and nobody else's to read.

use crate::startup_error::StartupError;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How the names of files begin that the hub keeps there: the database with what belongs to it, the master
/// key with its drafts and copies, the set-up link.
const OURS: [&str; 3] = ["vivarium.", "master.", "setup-link"];

/// How the names of files begin that a command needs for a while: half of a backup or of a database.
const LEFT: [&str; 6] = [
    ".writable-",
    "vivarium.backup-",
    "vivarium.download-",
    "vivarium.move-",
    "vivarium.restoring",
    "vivarium.unfinished",
];
const LEFT_FOR: Duration = Duration::from_secs(60 * 60);

/// Lets nobody but its owner read what this process makes from here on.
pub fn keep_private() {
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
}

/// Makes the data folder and makes sure that it can be written.
pub fn prepare(folder: &Path) -> Result<(), StartupError> {
    let unwritable = |error: io::Error| {
        StartupError(format!(
            "The data folder {} cannot be written: {error}. Set VIVARIUM_DATA_DIR to one that can.",
            folder.display()
        ))
    };
    fs::create_dir_all(folder).map_err(unwritable)?;
    let probe = folder.join(format!(".writable-{}", std::process::id()));
    fs::write(&probe, b"").map_err(unwritable)?;
    fs::remove_file(&probe).map_err(unwritable)
}

/// What of it others may read or change: the folder, and files of the hub's in it.
pub fn exposed(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut exposed = Vec::new();
    if is_exposed(&fs::metadata(folder)?) {
        exposed.push(folder.to_owned());
    }
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let is_ours = OURS.iter().any(|start| name.to_string_lossy().starts_with(start));
        // A link stands for a file elsewhere, whose owner looks after it.
        let file = entry.metadata()?;
        if is_ours && file.is_file() && is_exposed(&file) {
            exposed.push(entry.path());
        }
    }
    exposed.sort();
    Ok(exposed)
}

/// Files that a command made for itself and that outlived it: nobody has written to them for an hour.
pub fn leftovers(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (name, file) = (entry.file_name(), entry.metadata()?);
        let name = name.to_string_lossy();
        let is_one = LEFT.iter().any(|start| name.starts_with(start));
        let is_old = file.modified()?.elapsed().is_ok_and(|age| age > LEFT_FOR);
        if is_one && is_old && file.is_file() {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

/// Takes from others what an earlier version, or whoever copied the files here, left open. What is not to be
/// changed is said in the log, and by `doctor`.
pub fn close(folder: &Path) {
    let closed = exposed(folder).and_then(|exposed| exposed.iter().try_for_each(|path| take_back(path)));
    if let Err(error) = closed {
        tracing::warn!("others may be able to read what is in {}: {error}", folder.display());
    }
}

/// What `doctor` says of it.
pub fn examine(folder: &Path) -> Result<String, StartupError> {
    let unreadable =
        |error| StartupError(format!("The data folder {} cannot be read: {error}.", folder.display()));
    let exposed = exposed(folder).map_err(unreadable)?;
    if exposed.is_empty() {
        return Ok(format!("{}, and only you can read it", folder.display()));
    }
    let names: Vec<_> = exposed.iter().map(|path| path.display().to_string()).collect();
    Err(StartupError(format!("Others can read {}. Take that away (chmod go=).", names.join(", "))))
}

#[cfg(unix)]
fn is_exposed(file: &fs::Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&file.permissions()) & 0o077 != 0
}

#[cfg(not(unix))]
fn is_exposed(_: &fs::Metadata) -> bool {
    false
}

#[cfg(unix)]
pub fn take_back(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mut permissions = fs::metadata(path)?.permissions();
    permissions.set_mode(permissions.mode() & !0o077);
    fs::set_permissions(path, permissions)
}

#[cfg(not(unix))]
pub fn take_back(_: &Path) -> io::Result<()> {
    Ok(())
}
