//! The files that are in a room when a command begins: those that the agent may read with nobody asked.

use super::mounts::{self, Content, Mounted, below, content_of};
use crate::files::{self, FilePath, Mount};
use crate::gateway::Caller;
use crate::terminal::Files;
use crate::tools::ToolError;
use protocol::FolderId;
use std::collections::BTreeMap;

/// Bytes of uploads that come along.
const MOST_UPLOADS: u64 = 50 * 1024 * 1024;

/// What is in a room when a command begins.
#[derive(Default)]
pub(in crate::tools) struct InRoom {
    pub(in crate::tools) files: Files,
    /// Where the files of each mount come from, and go back to.
    pub(in crate::tools) folders: BTreeMap<Mount, FolderId>,
    /// Whether strangers may have written some of it.
    pub(in crate::tools) untrusted: bool,
}

pub(in crate::tools) async fn in_room(caller: &Caller<'_>) -> Result<InRoom, ToolError> {
    let mut room = InRoom::default();
    for mount in Mount::ALL {
        if let Some(folder) = mounts::folder(caller, mount).await? {
            room.take_mount(caller, mount, folder).await?;
        }
    }
    let mut left = MOST_UPLOADS;
    for found in below(caller, &Mounted::Uploads(None)).await? {
        let Mounted::Uploads(Some(path)) = Mounted::parse(&found.path)? else { continue };
        let Some(rest) = left.checked_sub(found.size) else { continue };
        left = rest;
        let Content { bytes, .. } = content_of(caller, &found.path).await?;
        room.files.uploads.push((path, bytes));
    }
    Ok(room)
}

impl InRoom {
    async fn take_mount(
        &mut self,
        caller: &Caller<'_>,
        mount: Mount,
        folder: FolderId,
    ) -> Result<(), ToolError> {
        let mut own: Vec<(FilePath, Vec<u8>)> = Vec::new();
        for found in below(caller, &Mounted::In(mount, None)).await? {
            let Mounted::In(_, Some(path)) = Mounted::parse(&found.path)? else { continue };
            let (bytes, untrusted) = files::open(caller.hub.store().read(), &folder, &path).await?;
            self.untrusted |= untrusted;
            own.push((path, bytes));
        }
        self.files.own.insert(mount, own);
        self.folders.insert(mount, folder);
        Ok(())
    }
}
