//! The files that are in a room when a command begins: those that the agent may read with nobody asked.

use super::mounts::{Mounted, below, bytes_of};
use crate::gateway::Caller;
use crate::terminal::Files;
use crate::tools::ToolError;

/// Bytes of uploads that come along.
const MOST_UPLOADS: u64 = 50 * 1024 * 1024;

pub(in crate::tools) async fn in_room(caller: &Caller<'_>) -> Result<Files, ToolError> {
    let (mut files, mut room) = (Files::default(), MOST_UPLOADS);
    for found in below(caller, &Mounted::Root).await? {
        match Mounted::parse(&found.path)? {
            Mounted::Agent(Some(path)) => files.own.push((path, bytes_of(caller, &found.path).await?)),
            Mounted::Uploads(Some(path)) => {
                let Some(left) = room.checked_sub(found.size) else { continue };
                room = left;
                files.uploads.push((path, bytes_of(caller, &found.path).await?));
            }
            Mounted::Root | Mounted::Agent(None) | Mounted::Uploads(None) => {}
        }
    }
    Ok(files)
}
