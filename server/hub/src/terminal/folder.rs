//! The folder of a room: made from the agent's files, and read back when nothing runs in it any more.

use super::TerminalError;
use super::ground::Slot;
use crate::files::{FilePath, LARGEST_FILE, Mount, digest_of};
use rustix::fs::{Mode, OFlags};
use std::collections::BTreeMap;
use std::fs::{self, DirBuilder, File, Permissions};
use std::io::{self, Read};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Entries that are looked at when it is read back. The watch ends commands that make more.
pub(super) const MOST_ENTRIES: usize = 20_000;
/// All that is read back, in bytes.
const MOST_BYTES: u64 = 64 * 1024 * 1024;
const AGAIN: Duration = Duration::from_millis(250);
/// Paths that are named as not kept.
const MOST_NAMED: usize = 20;

/// What is in a room when a command begins, by path.
#[derive(Debug, Default)]
pub(crate) struct Files {
    /// Those that a command may change. Other mounts of that kind are not there.
    pub(crate) own: BTreeMap<Mount, Vec<(FilePath, Vec<u8>)>>,
    pub(crate) uploads: Vec<(FilePath, Vec<u8>)>,
}

/// What a command made of a file.
#[derive(Debug)]
pub(crate) struct Change {
    pub(crate) mount: Mount,
    pub(crate) path: FilePath,
    /// The digest of what was put there. None: there was no such file.
    pub(crate) before: Option<String>,
    pub(crate) content: Content,
}

#[derive(Debug)]
pub(crate) enum Content {
    Written(Vec<u8>),
    Deleted,
}

/// What came out of a room.
#[derive(Debug, Default)]
pub(crate) struct Left {
    pub(crate) changes: Vec<Change>,
    /// What cannot be kept, by its path from the root, and why.
    pub(crate) not_kept: Vec<(String, &'static str)>,
    /// Those that are not named.
    pub(crate) not_named: usize,
}

/// Removed when it is dropped.
pub(super) struct Folder {
    path: PathBuf,
    slot: Option<Slot>,
    /// Digests of the files as they were, by where they are.
    before: BTreeMap<Mount, BTreeMap<String, String>>,
}

impl Folder {
    pub(super) fn make(slot: Slot, files: &Files, workdir: &str) -> Result<Self, TerminalError> {
        let path = slot.folder();
        let digests = |files: &Vec<(FilePath, Vec<u8>)>| {
            files.iter().map(|(path, bytes)| (path.to_string(), digest_of(bytes))).collect()
        };
        let mut before: BTreeMap<_, _> =
            files.own.iter().map(|(mount, files)| (*mount, digests(files))).collect();
        // A command begins somewhere.
        before.entry(Mount::Agent).or_default();
        let folder = Self { path, slot: Some(slot), before };
        folder.fill(files, workdir).map_err(|error| TerminalError::NoRoom(error.to_string()))?;
        Ok(folder)
    }

    fn fill(&self, files: &Files, workdir: &str) -> io::Result<()> {
        // Nobody else of this machine gets to what is below.
        self.make_folder(&self.path)?;
        for name in ["uploads", "tmp", "shm"] {
            self.make_folder(&self.path.join(name))?;
        }
        self.write_all(&self.path.join("uploads"), &files.uploads)?;
        for mount in self.mounts() {
            let folder = self.folder_of(mount);
            self.make_folder(&folder)?;
            self.write_all(&folder, files.own.get(&mount).map_or(&[], Vec::as_slice))?;
            if let Some(within) = workdir.strip_prefix(mount.path()).and_then(|path| path.strip_prefix('/')) {
                self.make_folders(&folder, within)?;
            }
        }
        Ok(())
    }

    /// Those in which a command changes files.
    pub(super) fn mounts(&self) -> impl Iterator<Item = Mount> {
        self.before.keys().copied()
    }

    /// Where that mount is outside of the room.
    pub(super) fn folder_of(&self, mount: Mount) -> PathBuf {
        self.path.join(mount.path().trim_start_matches('/'))
    }

    fn write_all(&self, mount: &Path, files: &[(FilePath, Vec<u8>)]) -> io::Result<()> {
        for (path, bytes) in files {
            if let Some((folders, _)) = path.as_str().rsplit_once('/') {
                self.make_folders(mount, folders)?;
            }
            let file = mount.join(path.as_str());
            fs::write(&file, bytes)?;
            // Whether a file is a program is not kept, so any may be one.
            fs::set_permissions(&file, Permissions::from_mode(0o700))?;
            self.hand_over(&file)?;
        }
        Ok(())
    }

    fn make_folders(&self, mount: &Path, folders: &str) -> io::Result<()> {
        let mut folder = mount.to_owned();
        for part in folders.split('/') {
            folder.push(part);
            if !folder.is_dir() {
                self.make_folder(&folder)?;
            }
        }
        Ok(())
    }

    fn make_folder(&self, path: &Path) -> io::Result<()> {
        DirBuilder::new().mode(0o700).create(path)?;
        self.hand_over(path)
    }

    fn hand_over(&self, path: &Path) -> io::Result<()> {
        match self.user() {
            Some(user) => chown(path, Some(user), Some(user)),
            None => Ok(()),
        }
    }

    /// Whose the room is. None: the hub's own user's.
    pub(super) fn user(&self) -> Option<u32> {
        self.slot.as_ref().and_then(Slot::user)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// What is different from what was put there. Nothing may run in the room any more: what is a folder here has to
    /// be one a moment later.
    pub(super) fn read_back(&self) -> io::Result<Left> {
        let mut left = Left::default();
        let mut reading = Reading { room: MOST_BYTES, entries: 0 };
        for (mount, before) in &self.before {
            self.read_mount(*mount, before.clone(), &mut reading, &mut left)?;
        }
        Ok(left)
    }

    fn read_mount(
        &self,
        mount: Mount,
        mut gone: BTreeMap<String, String>,
        reading: &mut Reading,
        left: &mut Left,
    ) -> io::Result<()> {
        let mut folders = vec![(self.folder_of(mount), String::new())];
        while let Some((folder, prefix)) = folders.pop() {
            // Its owner may have shut it.
            fs::set_permissions(&folder, Permissions::from_mode(0o700))?;
            for entry in fs::read_dir(&folder)? {
                let entry = entry?;
                reading.entries += 1;
                if reading.entries > MOST_ENTRIES {
                    left.leave_out(mount, &prefix, "there is too much");
                    return Ok(());
                }
                let name = entry.file_name();
                let path = match name.to_str().map(|name| FilePath::check(&format!("{prefix}{name}"))) {
                    Some(Ok(path)) => path,
                    Some(Err(_)) | None => {
                        let path = format!("{prefix}{}", name.to_string_lossy());
                        left.leave_out(mount, &path, "its path cannot be one here");
                        continue;
                    }
                };
                let kind = entry.file_type()?;
                if kind.is_dir() {
                    folders.push((entry.path(), format!("{path}/")));
                } else if kind.is_file() {
                    let before = gone.remove(path.as_str());
                    match read(&entry.path(), &mut reading.room) {
                        Ok(bytes) if before.as_deref() == Some(&digest_of(&bytes)) => {}
                        Ok(bytes) => {
                            let content = Content::Written(bytes);
                            left.changes.push(Change { mount, path, before, content });
                        }
                        Err(why) => left.leave_out(mount, path.as_str(), why),
                    }
                } else {
                    gone.remove(path.as_str());
                    left.leave_out(mount, path.as_str(), "it is a link or no file");
                }
            }
        }
        for (path, before) in gone {
            if let Ok(path) = FilePath::check(&path) {
                left.changes.push(Change { mount, path, before: Some(before), content: Content::Deleted });
            }
        }
        left.changes.sort_by(|one, other| (one.mount, &one.path).cmp(&(other.mount, &other.path)));
        Ok(())
    }
}

/// What may still be read.
struct Reading {
    /// In bytes.
    room: u64,
    entries: usize,
}

impl Left {
    fn leave_out(&mut self, mount: Mount, path: &str, why: &'static str) {
        match self.not_kept.len() < MOST_NAMED {
            true => self.not_kept.push((format!("{}/{path}", mount.path()), why)),
            false => self.not_named += 1,
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let (path, slot) = (std::mem::take(&mut self.path), self.slot.take());
        std::thread::spawn(move || {
            remove(&path);
            drop(slot);
        });
    }
}

/// Tried again for as long as something may be dying in it. What stays then, the next start of the hub removes.
fn remove(path: &Path) {
    for _ in 0..20 {
        // Programs of their own, because folders can be nested deeper than a process has descriptors.
        for (program, options) in [("chmod", ["-R", "u+rwX"]), ("rm", ["-r", "-f"])] {
            let mut command = Command::new(program);
            command.args(options).arg("--").arg(path).stdout(Stdio::null()).stderr(Stdio::null());
            let _ = command.status();
        }
        if !path.exists() {
            return;
        }
        std::thread::sleep(AGAIN);
    }
}

/// A file as it is, if it can be kept.
fn read(path: &Path, room: &mut u64) -> Result<Vec<u8>, &'static str> {
    fs::set_permissions(path, Permissions::from_mode(0o600)).map_err(|_| "it cannot be read")?;
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = rustix::fs::open(path, flags, Mode::empty()).map_err(|_| "it cannot be read")?;
    let file = File::from(file);
    let size = file.metadata().map_err(|_| "it cannot be read")?.len();
    if size > LARGEST_FILE as u64 {
        return Err("it is larger than 5 MB");
    }
    *room = room.checked_sub(size).ok_or("all together is too much")?;
    let mut bytes = Vec::new();
    file.take(LARGEST_FILE as u64).read_to_end(&mut bytes).map_err(|_| "it cannot be read")?;
    Ok(bytes)
}
