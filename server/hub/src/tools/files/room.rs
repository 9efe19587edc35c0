//! The files that are in a room when a command begins: those that the agent may read with nobody asked. They go there
//! part by part, and are never all in memory.

use super::mounts::{self, Found, Mounted, below, contents_of};
use crate::files::{Mount, parts};
use crate::gateway::Caller;
use crate::terminal::{EmptyRoom, RoomFile, Within};
use crate::tools::ToolError;
use protocol::FolderId;
use std::collections::BTreeMap;

/// Bytes of uploads that come along.
const MOST_UPLOADS: u64 = 50 * 1024 * 1024;

/// Where what is in a room came from.
#[derive(Default)]
pub(in crate::tools) struct InRoom {
    /// Where the files of each mount come from, and go back to.
    pub(in crate::tools) folders: BTreeMap<Mount, FolderId>,
    /// Whether strangers may have written some of it.
    pub(in crate::tools) untrusted: bool,
}

pub(in crate::tools) async fn fill(caller: &Caller<'_>, room: &EmptyRoom) -> Result<InRoom, ToolError> {
    let mut filled = InRoom::default();
    for mount in Mount::ALL {
        if let Some(folder) = mounts::folder(caller, mount).await? {
            room.open_mount(mount).await.map_err(super::not_run)?;
            let all = below(caller, &Mounted::In(mount, None)).await?;
            filled.untrusted |= put(caller, room, Within::Mount(mount), all).await?;
            let (empty, are_untrusted) = mounts::empty_folders(caller, mount, &folder).await?;
            room.put_folders(mount, empty).await.map_err(super::not_run)?;
            filled.untrusted |= are_untrusted;
            filled.folders.insert(mount, folder);
        }
    }
    let mut left = MOST_UPLOADS;
    let mut uploads = below(caller, &Mounted::Uploads(None)).await?;
    uploads.retain(|found| match left.checked_sub(found.size) {
        Some(rest) => {
            left = rest;
            true
        }
        None => false,
    });
    put(caller, room, Within::Uploads, uploads).await?;
    Ok(filled)
}

/// Whether strangers may have written some of it.
async fn put(
    caller: &Caller<'_>,
    room: &EmptyRoom,
    within: Within,
    all: Vec<Found>,
) -> Result<bool, ToolError> {
    let mut has_untrusted = false;
    for part in parts(all, |found| found.size) {
        let (mut files, mut contents) = (Vec::new(), contents_of(caller, &part).await?);
        for Found { path, at, .. } in part {
            let (Mounted::In(_, Some(within)) | Mounted::Uploads(Some(within))) = Mounted::parse(&path)?
            else {
                continue;
            };
            // It may be gone by now.
            let Some(content) = contents.remove(&path) else { continue };
            has_untrusted |= content.untrusted;
            files.push(RoomFile { path: within, bytes: content.bytes, at });
        }
        room.put(within, files).await.map_err(super::not_run)?;
    }
    Ok(has_untrusted)
}
