//! Where rooms stand: a folder of this process's under the temporary one, and what had to be found out before the first.

use super::confine::{Kind, SETTINGS};
use super::output::HEAD;
use super::run::{Ended, Order, empty_folder, in_room};
use crate::clock::new_id;
use protocol::view::TerminalRoom;
use rustix::process::geteuid;
use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

const PREFIX: &str = "vivarium-rooms";
/// Where the hub is started by root, each room belongs to a user of its own, from this number on.
const FIRST_USER: u32 = 200_000;
/// Of a file's mode: read and run by everybody.
const EVERYBODY_RUNS: u32 = 0o555;
const PROBE: Duration = Duration::from_secs(20);
/// Says who it is, whether it gets further rights, and whether it reaches anything.
const PROBING: &str =
    "id -u; unshare -U true 2>/dev/null || echo alone; ls /root /home /work 2>/dev/null | wc -l";
const PROBED: &str = "1000\nalone\n0\n";

#[derive(Debug)]
pub(super) struct Ground {
    folder: PathBuf,
    program: PathBuf,
    /// What programs that are spoken to see besides.
    programs: Option<PathBuf>,
    /// Numbers of rooms that are in use.
    taken: Mutex<Vec<u32>>,
}

/// The number of a room. Given back when it is dropped.
pub(super) struct Slot {
    number: u32,
    ground: Arc<Ground>,
}

impl Ground {
    /// Makes the folder and tries a room. The error says what the machine lacks.
    pub(super) async fn prepare(program: PathBuf, programs: Option<PathBuf>) -> Result<Arc<Self>, String> {
        let made = tokio::task::spawn_blocking(move || Self::make(&program, programs)).await;
        let ground = Arc::new(made.map_err(|error| error.to_string())?.map_err(|error| error.to_string())?);
        let order = Order {
            command: PROBING.to_owned(),
            workdir: "/agent".to_owned(),
            timeout: PROBE,
            output: HEAD,
            session: None,
        };
        let folder = empty_folder(&ground).await.map_err(|error| error.to_string())?;
        let ran = in_room(&ground, folder, &order, None, TerminalRoom::default())
            .await
            .map_err(|error| error.to_string())?;
        match ran.ended {
            Ended::Exited(0) if ran.output.text == PROBED => Ok(ground),
            _ => Err(format!("a room was tried, and is not as it has to be: {}", ran.output.text.trim())),
        }
    }

    fn make(program: &Path, programs: Option<PathBuf>) -> io::Result<Self> {
        remove_left_behind();
        let folder = std::env::temp_dir().join(format!("{PREFIX}.{}.{}", process::id(), new_id()));
        // Rooms of other users are reached through it, and nothing else.
        DirBuilder::new().mode(0o711).create(&folder)?;
        fs::set_permissions(&folder, Permissions::from_mode(0o711))?;
        let program = own_program(program, &folder)?;
        let ground = Self { program, programs, folder, taken: Mutex::default() };
        ground.write_settings()?;
        Ok(ground)
    }

    fn write_settings(&self) -> io::Result<()> {
        let within = self.settings();
        fs::create_dir(&within)?;
        for (name, text) in [
            ("passwd", "agent:x:1000:1000:agent:/tmp:/bin/sh\n"),
            ("group", "agent:x:1000:\n"),
            ("hosts", "127.0.0.1 localhost\n::1 localhost\n"),
            ("nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n"),
        ] {
            fs::write(within.join(name), text)?;
        }
        for (path, kind) in SETTINGS {
            let place = self.folder.join(path.trim_start_matches('/'));
            match kind {
                Kind::Folder => fs::create_dir_all(&place)?,
                Kind::File => fs::write(&place, "")?,
            }
        }
        readable_by_all(&within)
    }

    /// What stands for the machine's settings.
    pub(super) fn settings(&self) -> PathBuf {
        self.folder.join("etc")
    }

    pub(super) fn program(&self) -> &Path {
        &self.program
    }

    pub(super) fn programs(&self) -> Option<&Path> {
        self.programs.as_deref()
    }

    pub(super) fn slot(self: &Arc<Self>) -> Slot {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let number = (0..).find(|number| !taken.contains(number)).unwrap_or_default();
        taken.push(number);
        Slot { number, ground: Arc::clone(self) }
    }
}

impl Drop for Ground {
    fn drop(&mut self) {
        // Nobody but an administrator would see it.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Slot {
    /// The user of the room. None: it is the hub's own.
    pub(super) fn user(&self) -> Option<u32> {
        geteuid().is_root().then(|| FIRST_USER + self.number)
    }

    /// A place for a folder, where nothing is yet.
    pub(super) fn folder(&self) -> PathBuf {
        self.ground.folder.join(new_id())
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut taken = self.ground.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.retain(|number| *number != self.number);
    }
}

/// The program, where users of rooms can read it: folders above it may be root's alone.
fn own_program(program: &Path, folder: &Path) -> io::Result<PathBuf> {
    if !geteuid().is_root() {
        return program.canonicalize();
    }
    let own = folder.join("program");
    let may_be_linked = fs::metadata(program)?.mode() & EVERYBODY_RUNS == EVERYBODY_RUNS;
    if !may_be_linked || fs::hard_link(program, &own).is_err() {
        fs::copy(program, &own)?;
        fs::set_permissions(&own, Permissions::from_mode(0o755))?;
    }
    Ok(own)
}

fn readable_by_all(folder: &Path) -> io::Result<()> {
    fs::set_permissions(folder, Permissions::from_mode(0o755))?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        match entry.file_type()?.is_dir() {
            true => readable_by_all(&entry.path())?,
            false => fs::set_permissions(entry.path(), Permissions::from_mode(0o644))?,
        }
    }
    Ok(())
}

/// Removes what processes left that are gone.
fn remove_left_behind() {
    let Ok(entries) = fs::read_dir(std::env::temp_dir()) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let process =
            name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.strip_prefix('.')?.split('.').next());
        if process.is_some_and(|process| !Path::new("/proc").join(process).exists()) {
            // What belongs to somebody else stays.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
