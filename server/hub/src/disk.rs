//! The disk that the hub's files are on.

use crate::Hub;
use protocol::view::{DiskRoom, DiskStatus};
use rustix::fs::statvfs;
use std::path::PathBuf;

/// With less of it free, in bytes, room is made before anything else is done.
const LITTLE: u64 = 64 * 1024 * 1024;
/// With less, the database may not have the room for what is written.
const NONE: u64 = 1024 * 1024;

#[derive(Debug)]
pub(crate) struct Disk(pub(crate) PathBuf);

impl Hub {
    pub(crate) fn disk(&self) -> &Disk {
        &self.0.disk
    }
}

impl Disk {
    /// `None`: the folder is not there.
    pub(crate) fn look(&self) -> Option<DiskStatus> {
        let disk = statvfs(&self.0).ok()?;
        let (free, whole) = (disk.f_bavail * disk.f_frsize, disk.f_blocks * disk.f_frsize);
        Some(DiskStatus { free, whole, room: room(free) })
    }
}

fn room(free: u64) -> DiskRoom {
    match free {
        0..NONE => DiskRoom::Full,
        NONE..LITTLE => DiskRoom::Little,
        LITTLE.. => DiskRoom::Enough,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_is_full_before_its_last_byte_is_taken() {
        for (free, expected) in [
            (0, DiskRoom::Full),
            (NONE - 1, DiskRoom::Full),
            (NONE, DiskRoom::Little),
            (LITTLE - 1, DiskRoom::Little),
            (LITTLE, DiskRoom::Enough),
        ] {
            assert_eq!(room(free), expected, "{free}");
        }
    }
}
