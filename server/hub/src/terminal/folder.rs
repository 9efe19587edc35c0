//! The folder of a room: made from the agent's files, and read back when nothing runs in it any more.

use super::ground::Slot;
use super::reading::{Kind, Reading, When};
use super::session::Session;
use crate::files::{FilePath, Mount, digest_of};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{DirBuilder, File, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, UNIX_EPOCH};

/// Entries of a room: those of two full mounts, their folders and what else is made. The watch ends commands that make
/// more.
pub(super) const MOST_ENTRIES: usize = 60_000;
const AGAIN: Duration = Duration::from_millis(250);
/// What one command hands to the next.
const SESSION: &str = "session";
const SKILLS: &str = "skills";
/// Paths that are named as not kept.
const MOST_NAMED: usize = 20;

/// Where in a room something is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Within {
    /// A command may change it.
    Mount(Mount),
    Uploads,
}

/// A file that a command finds.
#[derive(Debug)]
pub(crate) struct RoomFile {
    pub(crate) path: FilePath,
    pub(crate) bytes: Vec<u8>,
    /// When it was changed last: programs that build look which of two files is the newer one.
    pub(crate) at: i64,
}

/// What a command made of a file.
#[derive(Debug)]
pub(crate) struct Change {
    pub(crate) mount: Mount,
    pub(crate) path: FilePath,
    /// The digest of what was put there. None: there was no such file.
    pub(crate) before: Option<String>,
    /// None: it deleted the file.
    pub(crate) after: Option<After>,
}

/// What a file is now. The bytes stay in the room until they are kept.
#[derive(Clone, Debug)]
pub(crate) struct After {
    pub(crate) digest: String,
    /// In bytes.
    pub(crate) size: u64,
}

/// A folder with nothing in it that came to be, or that is gone or has something in it now.
#[derive(Debug)]
pub(crate) struct FolderChange {
    pub(crate) mount: Mount,
    pub(crate) path: FilePath,
    pub(crate) is_there: bool,
}

/// What came out of a room.
#[derive(Default)]
pub(crate) struct Left {
    pub(crate) changes: Vec<Change>,
    /// Told when nothing runs in the room any more.
    pub(crate) folders: Vec<FolderChange>,
    /// What cannot be kept, by its path from the root, and why.
    pub(crate) not_kept: Vec<(String, &'static str)>,
    /// Those that are not named.
    pub(crate) not_named: usize,
    /// None: it left nothing.
    pub(crate) room: Option<LeftRoom>,
}

/// The room that something was left in.
#[derive(Clone)]
pub(crate) struct LeftRoom {
    folder: Arc<Folder>,
    when: When,
    /// Where files are whose names a command spelled in another way than they are kept.
    spelled: Arc<Spelled>,
}

type Spelled = BTreeMap<(Mount, FilePath), String>;

impl LeftRoom {
    /// The bytes of some of what was changed, in its order. None: it is not what it was a moment before.
    pub(crate) async fn contents(&self, changed: Vec<(Mount, FilePath, String)>) -> Vec<Option<Vec<u8>>> {
        let (count, LeftRoom { folder, when, spelled }) = (changed.len(), self.clone());
        let reading = tokio::task::spawn_blocking(move || {
            let mut reading = Reading::begin(when);
            let read = |(mount, path, digest): (Mount, FilePath, String)| {
                reading.enter(&folder.folder_of(mount)).ok()?;
                let place = (mount, path);
                let there = spelled.get(&place).map_or(place.1.as_str(), String::as_str);
                reading.read(there).ok().filter(|bytes| digest_of(bytes) == digest)
            };
            changed.into_iter().map(read).collect::<Vec<_>>()
        });
        reading.await.unwrap_or_else(|_| (0..count).map(|_| None).collect())
    }
}

/// Removed when it is dropped.
pub(super) struct Folder {
    path: PathBuf,
    slot: Option<Slot>,
    /// Digests of the files as they were last kept, by where they are.
    before: Mutex<BTreeMap<Mount, BTreeMap<String, String>>>,
    /// Folders that were put there with nothing in them.
    empty: Mutex<BTreeMap<Mount, BTreeSet<FilePath>>>,
    /// Files and folders that were made in it.
    entries: AtomicUsize,
}

impl Folder {
    /// With nothing in it.
    pub(super) fn make(slot: Slot) -> io::Result<Self> {
        let folder = Self {
            path: slot.folder(),
            slot: Some(slot),
            before: Mutex::default(),
            empty: Mutex::default(),
            entries: AtomicUsize::new(0),
        };
        // Nobody else of this machine gets to what is below.
        folder.make_folder(&folder.path)?;
        for name in ["uploads", "tmp", "shm", SESSION, SKILLS] {
            folder.make_folder(&folder.path.join(name))?;
        }
        // A command begins somewhere.
        folder.open_mount(Mount::Agent)?;
        Ok(folder)
    }

    /// From now on it is in the room.
    pub(super) fn open_mount(&self, mount: Mount) -> io::Result<()> {
        if !self.mounts().contains(&mount) {
            self.make_folder(&self.folder_of(mount))?;
            self.before.lock().unwrap_or_else(PoisonError::into_inner).entry(mount).or_default();
        }
        Ok(())
    }

    /// The folder in which a command begins.
    pub(super) fn make_workdir(&self, workdir: &str) -> io::Result<()> {
        for mount in self.mounts() {
            if let Some(within) = workdir.strip_prefix(mount.path()).and_then(|path| path.strip_prefix('/')) {
                self.make_folders(&self.folder_of(mount), within)?;
            }
        }
        Ok(())
    }

    pub(super) fn put_session(&self, session: &Session) -> io::Result<()> {
        self.hand_over(&session.write(&self.session())?)
    }

    pub(super) fn put(&self, within: Within, files: &[RoomFile]) -> io::Result<()> {
        let folder = match within {
            Within::Mount(mount) => self.folder_of(mount),
            Within::Uploads => self.path.join("uploads"),
        };
        self.write_all(&folder, files)?;
        if let Within::Mount(mount) = within {
            let kept = files.iter().map(|file| (file.path.clone(), Some(digest_of(&file.bytes))));
            self.note_kept(mount, kept.collect());
        }
        Ok(())
    }

    /// The files of a skill, below its name.
    pub(super) fn put_skill(&self, name: &str, files: &[RoomFile]) -> io::Result<()> {
        let folder = self.skills().join(name);
        self.make_folder(&folder)?;
        self.write_all(&folder, files)
    }

    /// Makes those for which there is a place: where there is a file by now, and beyond half of what a room may have,
    /// there is none.
    pub(super) fn put_folders(&self, mount: Mount, folders: Vec<FilePath>) -> io::Result<()> {
        let at = self.folder_of(mount);
        for folder in folders {
            if self.entries.load(Ordering::Relaxed) > MOST_ENTRIES / 2 {
                break;
            }
            match self.make_folders(&at, folder.as_str()) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => {
                    made?;
                    let mut empty = self.empty.lock().unwrap_or_else(PoisonError::into_inner);
                    empty.entry(mount).or_default().insert(folder);
                }
            }
        }
        Ok(())
    }

    /// Those in which a command changes files.
    pub(super) fn mounts(&self) -> Vec<Mount> {
        self.before.lock().unwrap_or_else(PoisonError::into_inner).keys().copied().collect()
    }

    /// Where that mount is outside of the room.
    pub(super) fn folder_of(&self, mount: Mount) -> PathBuf {
        self.path.join(mount.path().trim_start_matches('/'))
    }

    fn write_all(&self, mount: &Path, files: &[RoomFile]) -> io::Result<()> {
        for RoomFile { path, bytes, at } in files {
            if let Some((folders, _)) = path.as_str().rsplit_once('/') {
                self.make_folders(mount, folders)?;
            }
            let file = mount.join(path.as_str());
            self.count()?;
            let mut written = File::create(&file)?;
            written.write_all(bytes)?;
            // Whether a file is a program is not kept, so any may be one.
            written.set_permissions(Permissions::from_mode(0o700))?;
            written.set_modified(UNIX_EPOCH + Duration::from_millis(u64::try_from(*at).unwrap_or(0)))?;
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

    fn count(&self) -> io::Result<()> {
        match self.entries.fetch_add(1, Ordering::Relaxed) < MOST_ENTRIES {
            true => Ok(()),
            false => Err(io::Error::other("the files have more than 60,000 folders")),
        }
    }

    fn make_folder(&self, path: &Path) -> io::Result<()> {
        self.count()?;
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

    /// Where that is outside of the room.
    pub(super) fn session(&self) -> PathBuf {
        self.path.join(SESSION)
    }

    pub(super) fn skills(&self) -> PathBuf {
        self.path.join(SKILLS)
    }

    /// What is different from what was last kept.
    pub(super) fn read_back(self: &Arc<Self>, when: When) -> io::Result<Left> {
        let (mut left, mut spelled) = (Left::default(), Spelled::new());
        let mut reading = Reading::begin(when);
        let before = self.before.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for (mount, before) in before {
            reading.enter(&self.folder_of(mount))?;
            let empty = read_mount(mount, before, &mut reading, &mut left, &mut spelled)?;
            if let (When::AtRest, Some(now)) = (when, empty) {
                left.folders.extend(self.folder_changes(mount, &now));
            }
        }
        left.room = Some(LeftRoom { folder: Arc::clone(self), when, spelled: Arc::new(spelled) });
        Ok(left)
    }

    fn folder_changes(&self, mount: Mount, now: &BTreeSet<FilePath>) -> Vec<FolderChange> {
        let empty = self.empty.lock().unwrap_or_else(PoisonError::into_inner);
        let before = empty.get(&mount).cloned().unwrap_or_default();
        let change = |path: &FilePath, is_there| FolderChange { mount, path: path.clone(), is_there };
        let gone = before.difference(now).map(|path| change(path, false));
        gone.chain(now.difference(&before).map(|path| change(path, true))).collect()
    }

    /// Notes what was kept of the mount: files by path, with the digest of what is in them now. None: deleted.
    pub(super) fn note_kept(&self, mount: Mount, kept: Vec<(FilePath, Option<String>)>) {
        let mut before = self.before.lock().unwrap_or_else(PoisonError::into_inner);
        let files = before.entry(mount).or_default();
        for (path, digest) in kept {
            match digest {
                Some(digest) => files.insert(path.to_string(), digest),
                None => files.remove(path.as_str()),
            };
        }
    }
}

/// Gives the folders with nothing in them that could be kept. None: not all was looked at.
fn read_mount(
    mount: Mount,
    mut gone: BTreeMap<String, String>,
    reading: &mut Reading,
    left: &mut Left,
    spelled: &mut Spelled,
) -> io::Result<Option<BTreeSet<FilePath>>> {
    // As the room has them: a command may spell a name in another way than it is kept.
    let mut folders = vec![String::new()];
    let (mut seen, mut empty) = (BTreeSet::new(), BTreeSet::new());
    while let Some(prefix) = folders.pop() {
        let entries = match reading.entries_of(prefix.trim_end_matches('/'))? {
            Some(entries) => entries,
            None => {
                left.leave_out(mount, &prefix, "there is too much");
                return Ok(None);
            }
        };
        let mut is_empty = true;
        for (name, kind) in entries {
            let there = format!("{prefix}{}", name.to_string_lossy());
            let path = match name.to_str().map(|_| FilePath::check(&there)) {
                Some(Ok(path)) => path,
                Some(Err(_)) | None => {
                    left.leave_out(mount, &there, "its path cannot be one here");
                    continue;
                }
            };
            is_empty &= kind == Kind::Other;
            match kind {
                Kind::Folder => folders.push(format!("{there}/")),
                Kind::File if !seen.insert(path.clone()) => {
                    left.leave_out(mount, &there, "another file there has the same name, spelled otherwise");
                }
                Kind::File => {
                    let before = gone.remove(path.as_str());
                    if there != path.as_str() {
                        spelled.insert((mount, path.clone()), there.clone());
                    }
                    match reading.read(&there) {
                        Ok(bytes) => {
                            let after = After { digest: digest_of(&bytes), size: bytes.len() as u64 };
                            if before.as_ref() != Some(&after.digest) {
                                left.changes.push(Change { mount, path, before, after: Some(after) });
                            }
                        }
                        Err(why) => left.leave_out(mount, path.as_str(), why),
                    }
                }
                Kind::Other => {
                    gone.remove(path.as_str());
                    left.leave_out(mount, path.as_str(), "it is a link or no file");
                }
            }
        }
        if let (true, Ok(path)) = (is_empty, FilePath::check(prefix.trim_end_matches('/'))) {
            empty.insert(path);
        }
    }
    for (path, before) in gone {
        if !reading.is_gone(&path) {
            continue;
        }
        if let Ok(path) = FilePath::check(&path) {
            left.changes.push(Change { mount, path, before: Some(before), after: None });
        }
    }
    left.changes.sort_by(|one, other| (one.mount, &one.path).cmp(&(other.mount, &other.path)));
    Ok(Some(empty))
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
