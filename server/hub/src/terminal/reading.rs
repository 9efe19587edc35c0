//! What lies in a mount of a room, by descriptors and past no link: while something runs in the room, it may put
//! anything else in the place of what was there a moment before.

use super::folder::MOST_ENTRIES;
use crate::files::LARGEST_FILE;
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, openat, statat};
use rustix::io::Errno;
use std::ffi::OsString;
use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// All that is looked at, in bytes: two full mounts, and as much again.
const MOST_BYTES: u64 = 200 * 1024 * 1024;
const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
const FILE: OFlags = OFlags::RDONLY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::CLOEXEC);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// Something runs in the room.
    Running,
    /// Nothing does any more, so that what its owner has shut can be opened.
    AtRest,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Folder,
    File,
    Other,
}

/// One look at a room.
pub(super) struct Reading {
    when: When,
    /// The mount that is read, and where it is.
    mount: Option<(OwnedFd, PathBuf)>,
    /// Bytes that may still be read.
    room: u64,
    entries: usize,
    /// A folder could not be read, so nobody knows what is not in it.
    has_missed: bool,
}

impl Reading {
    pub(super) fn begin(when: When) -> Self {
        Self { when, mount: None, room: MOST_BYTES, entries: 0, has_missed: false }
    }

    pub(super) fn enter(&mut self, mount: &Path) -> io::Result<()> {
        let descriptor = rustix::fs::open(mount, FOLDER, Mode::empty())?;
        (self.mount, self.has_missed) = (Some((descriptor, mount.to_owned())), false);
        Ok(())
    }

    /// None: there is more than is looked at.
    pub(super) fn entries_of(&mut self, folder: &str) -> io::Result<Option<Vec<(OsString, Kind)>>> {
        match (self.look_into(folder), self.when) {
            (Ok(entries), _) => Ok(entries),
            (Err(error), When::AtRest) => Err(error),
            (Err(_), When::Running) => {
                self.has_missed = true;
                Ok(Some(Vec::new()))
            }
        }
    }

    fn look_into(&mut self, folder: &str) -> io::Result<Option<Vec<(OsString, Kind)>>> {
        self.unlock(folder, 0o700)?;
        let folder = self.open(folder, FOLDER)?;
        let mut entries = Vec::new();
        for entry in Dir::read_from(&folder)? {
            let entry = entry?;
            let name = entry.file_name();
            if matches!(name.to_bytes(), b"." | b"..") {
                continue;
            }
            self.entries += 1;
            if self.entries > MOST_ENTRIES {
                return Ok(None);
            }
            let kind = match entry.file_type() {
                FileType::Unknown => {
                    FileType::from_raw_mode(statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW)?.st_mode)
                }
                kind => kind,
            };
            let kind = match kind {
                FileType::Directory => Kind::Folder,
                FileType::RegularFile => Kind::File,
                _ => Kind::Other,
            };
            entries.push((OsString::from_vec(name.to_bytes().to_vec()), kind));
        }
        Ok(Some(entries))
    }

    /// A file as it is, if it can be kept.
    pub(super) fn read(&mut self, path: &str) -> Result<Vec<u8>, &'static str> {
        let shut = |_: io::Error| "it cannot be read";
        self.unlock(path, 0o600).map_err(shut)?;
        let file = File::from(self.open(path, FILE).map_err(shut)?);
        let about = file.metadata().map_err(shut)?;
        if !about.is_file() {
            return Err("it is a link or no file");
        }
        if about.len() > LARGEST_FILE as u64 {
            return Err("it is larger than 5 MB");
        }
        self.room = self.room.checked_sub(about.len()).ok_or("all together is too much")?;
        let mut bytes = Vec::new();
        (&file).take(LARGEST_FILE as u64).read_to_end(&mut bytes).map_err(shut)?;
        let was_left_alone = file.metadata().is_ok_and(|now| marks(&now) == marks(&about));
        if was_left_alone { Ok(bytes) } else { Err("it was written just then, and is kept when it is whole") }
    }

    /// Whether there is nothing at this path, as far as that can be told.
    pub(super) fn is_gone(&self, path: &str) -> bool {
        match self.when {
            When::AtRest => true,
            When::Running => !self.has_missed && self.is_missing(path),
        }
    }

    fn is_missing(&self, path: &str) -> bool {
        let missing = [Errno::NOENT, Errno::NOTDIR].map(|errno| Some(errno.raw_os_error()));
        self.open(path, FILE).is_err_and(|error| missing.contains(&error.raw_os_error()))
    }

    /// Its owner may have shut it.
    fn unlock(&self, path: &str, mode: u32) -> io::Result<()> {
        match (&self.mount, self.when) {
            (Some((_, mount)), When::AtRest) => {
                fs::set_permissions(mount.join(path), Permissions::from_mode(mode))
            }
            (Some(_), When::Running) | (None, _) => Ok(()),
        }
    }

    /// Part by part, none of which may be a link.
    fn open(&self, path: &str, flags: OFlags) -> io::Result<OwnedFd> {
        let (mount, _) = self.mount.as_ref().ok_or(io::ErrorKind::NotFound)?;
        let mut parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        let last = parts.pop().unwrap_or(".");
        let mut at = mount.as_fd().try_clone_to_owned()?;
        for part in parts {
            at = openat(&at, part, FOLDER, Mode::empty())?;
        }
        Ok(openat(&at, last, flags, Mode::empty())?)
    }
}

/// What changes when a file is written.
fn marks(about: &Metadata) -> (u64, i64, i64) {
    (about.len(), about.ctime(), about.ctime_nsec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_look_at_what_still_runs_follows_no_link_and_shuts_or_opens_nothing() {
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("secret"), "secret").unwrap();
        let mount = tempfile::tempdir().unwrap();
        fs::create_dir(mount.path().join("a")).unwrap();
        fs::write(mount.path().join("a/b"), "moss").unwrap();
        symlink(outside.path(), mount.path().join("folder")).unwrap();
        symlink(outside.path().join("secret"), mount.path().join("file")).unwrap();
        let mut reading = Reading::begin(When::Running);
        reading.enter(mount.path()).unwrap();
        let mut entries = reading.entries_of("").unwrap().unwrap();
        entries.sort();
        let names = entries.iter().map(|(name, kind)| (name.to_str().unwrap(), *kind));
        let expected = [("a", Kind::Folder), ("file", Kind::Other), ("folder", Kind::Other)];
        assert_eq!(names.collect::<Vec<_>>(), expected);
        // As if each had become a link just now.
        assert!(reading.read("file").is_err() && reading.read("folder/secret").is_err());
        assert_eq!(reading.entries_of("folder").unwrap(), Some(Vec::new()));
        assert!(!reading.is_gone("elsewhere"), "nobody knows once a folder was not read");
        assert_eq!(reading.read("a/b").unwrap(), b"moss");
        fs::set_permissions(mount.path().join("a/b"), Permissions::from_mode(0o0)).unwrap();
        let _ = reading.read("a/b");
        assert_eq!(fs::metadata(mount.path().join("a/b")).unwrap().mode() & 0o777, 0);
        let mut reading = Reading::begin(When::AtRest);
        reading.enter(mount.path()).unwrap();
        assert_eq!(reading.read("a/b").unwrap(), b"moss");
    }
}
