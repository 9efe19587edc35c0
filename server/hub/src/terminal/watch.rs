//! What all processes of a room have together, which no limit of one of them bounds: looked at while they run.

use super::folder::MOST_ENTRIES;
use protocol::view::TerminalRoom;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tokio::time::sleep;

const EVERY: Duration = Duration::from_millis(250);
const MEGABYTE: u64 = 1024 * 1024;
const DEEPEST: usize = 64;

/// What a room may take, with what is said of one that takes more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// In bytes.
    memory: (u64, &'static str),
    disk: (u64, &'static str),
    /// None: as many as one process may have others.
    processes: Option<(usize, &'static str)>,
}

impl Bounds {
    pub(super) const COMMAND: Self = Self {
        memory: (1024 * MEGABYTE, "it took more than 1 GB of memory"),
        disk: (512 * MEGABYTE, "it took more than 512 MB of disk"),
        processes: None,
    };
    /// Of a job, which lasts.
    pub(super) const JOB: Self = Self {
        memory: (512 * MEGABYTE, "it took more than 512 MB of memory"),
        disk: (256 * MEGABYTE, "it took more than 256 MB of disk"),
        processes: None,
    };

    /// As administrators say, and else as is usual.
    pub(super) fn of_command(most: TerminalRoom) -> Self {
        Self::COMMAND.with(most, 1)
    }

    /// The same of a job, which has half.
    pub(super) fn of_job(most: TerminalRoom) -> Self {
        Self::JOB.with(most, 2)
    }

    fn with(self, TerminalRoom { memory_mb, disk_mb, processes }: TerminalRoom, parts: u64) -> Self {
        let bytes = |mb: u32| u64::from(mb) * MEGABYTE / parts;
        let memory =
            memory_mb.map(|mb| (bytes(mb), "it took more memory than an administrator lets a room have"));
        let disk = disk_mb.map(|mb| (bytes(mb), "it took more disk than an administrator lets a room have"));
        let processes = processes.and_then(|most| usize::try_from(most).ok());
        Self {
            memory: memory.unwrap_or(self.memory),
            disk: disk.unwrap_or(self.disk),
            processes: processes
                .map(|most| (most, "it began more processes than an administrator lets a room have")),
        }
    }
}

/// Returns when it takes too much, with what of.
pub(super) async fn exceeds(process: u32, room: PathBuf, bounds: Bounds) -> &'static str {
    let mut next = Instant::now();
    loop {
        sleep(EVERY).await;
        let room = room.clone();
        let looking = tokio::task::spawn_blocking(move || {
            let (memory, processes) = below(process);
            let (most, words) = bounds.memory;
            if memory > most {
                return (Some(words), next);
            }
            if let Some((most, words)) = bounds.processes
                && processes > most
            {
                return (Some(words), next);
            }
            let began = Instant::now();
            if began < next {
                return (None, next);
            }
            let found = too_much_in(&room, bounds);
            // Of a room with many files that is a walk, which takes a quarter of a processor at most.
            (found, Instant::now() + 3 * began.elapsed())
        });
        match looking.await {
            Ok((Some(what), _)) => return what,
            Ok((None, later)) => next = later,
            Err(_) => {}
        }
    }
}

/// The processes that this one started and that are still there.
pub(super) fn children_of(process: u32) -> Vec<u32> {
    processes().into_iter().filter(|one| one.parent == process).map(|one| one.id).collect()
}

/// Bytes of memory that all below a process have, and how many they are.
fn below(process: u32) -> (u64, usize) {
    let mut children: BTreeMap<u32, Vec<Process>> = BTreeMap::new();
    let mut below = vec![process];
    for one in processes() {
        children.entry(one.parent).or_default().push(one);
    }
    let (mut pages, mut count) = (0, 0);
    while let Some(id) = below.pop() {
        for child in children.remove(&id).unwrap_or_default() {
            pages += child.pages;
            count += 1;
            below.push(child.id);
        }
    }
    (pages * rustix::param::page_size() as u64, count)
}

struct Process {
    id: u32,
    parent: u32,
    /// In memory.
    pages: u64,
}

fn processes() -> Vec<Process> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let mut processes = Vec::new();
    for entry in entries.flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        // proc(5): the name in parentheses may hold anything; the parent is the second field behind it, pages in
        // memory the 22nd.
        let Some((_, fields)) = stat.rsplit_once(") ") else { continue };
        let fields: Vec<&str> = fields.split(' ').collect();
        let number =
            |place: usize| fields.get(place).and_then(|field| field.parse::<u64>().ok()).unwrap_or(0);
        let parent = u32::try_from(number(1)).unwrap_or(0);
        processes.push(Process { id, parent, pages: number(21) });
    }
    processes
}

/// What of a folder is more than may be there. Commands change it meanwhile, so what cannot be read is passed over.
fn too_much_in(room: &Path, bounds: Bounds) -> Option<&'static str> {
    let (most_bytes, too_much) = bounds.disk;
    let (mut bytes, mut entries) = (0, 0);
    let mut folders = vec![(room.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        if depth > DEEPEST {
            return Some("it made folders deeper than 64");
        }
        let Ok(all) = fs::read_dir(&folder) else { continue };
        for entry in all.flatten() {
            entries += 1;
            if entries > MOST_ENTRIES {
                return Some("it made more than 60,000 files");
            }
            let Ok(about) = entry.metadata() else { continue };
            bytes += about.blocks() * 512;
            if bytes > most_bytes {
                return Some(too_much);
            }
            if about.is_dir() {
                folders.push((entry.path(), depth + 1));
            }
        }
    }
    None
}
