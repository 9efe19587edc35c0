//! What root makes where another account keeps the hub is that account's: the hub could not read it otherwise.

use crate::config::Config;
use crate::open;
use crate::startup_error::StartupError;
use hub::store::DatabaseUrl;
use rustix::process::geteuid;
use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt, lchown};
use std::path::Path;

const ROOT: u32 = 0;

/// Gives away what root has in the data folder, and of a database elsewhere.
pub fn hand_over(config: &Config) -> Result<(), StartupError> {
    give(&config.data_dir, "")?;
    match open::place(config) {
        Ok(place) => hand_over_database(&place),
        // Whoever needs it has said so.
        Err(_) => Ok(()),
    }
}

/// The file with what is beside it, to whom its folder belongs.
pub fn hand_over_database(place: &DatabaseUrl) -> Result<(), StartupError> {
    let Some(file) = place.file() else { return Ok(()) };
    let (Some(folder), Some(name)) = (file.parent(), file.file_stem()) else { return Ok(()) };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    give(folder, &format!("{}.", name.display()))
}

/// Only files whose names begin so, and that have no other name: that one may be somebody else's.
fn give(folder: &Path, start: &str) -> Result<(), StartupError> {
    if !geteuid().is_root() {
        return Ok(());
    }
    let given = || -> io::Result<()> {
        let owner = fs::metadata(folder)?;
        if owner.uid() == ROOT {
            return Ok(());
        }
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let (name, path) = (entry.file_name(), entry.path());
            let file = match fs::symlink_metadata(&path) {
                // A hub that runs has taken it away.
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                file => file?,
            };
            let is_roots = file.is_file() && file.uid() == ROOT && file.nlink() == 1;
            if !is_roots || !name.to_string_lossy().starts_with(start) {
                continue;
            }
            match lchown(&path, Some(owner.uid()), Some(owner.gid())) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    };
    match given() {
        // A command that needs none has made none.
        Err(error) if error.kind() != ErrorKind::NotFound => Err(StartupError(format!(
            "What was written in {} cannot be given to whom the folder belongs: {error}. Do it by hand (chown), or the hub cannot read it.",
            folder.display()
        ))),
        _ => Ok(()),
    }
}
