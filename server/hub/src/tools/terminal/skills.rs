//! Skills in the room of a command, so that it can run their scripts.

use crate::files::FilePath;
use crate::gateway::Caller;
use crate::terminal::{EmptyRoom, RoomFile};
use crate::tools::ToolError;
use crate::tools::files::not_run;

/// Puts those that the agent has read into the room. Whether strangers wrote some of it.
pub(super) async fn put(caller: &Caller<'_>, room: &EmptyRoom) -> Result<bool, ToolError> {
    let mut by_strangers = false;
    for skill in caller.hub.skills().read_by(caller.root).await? {
        let files = caller.hub.skills().files_of(&skill).await?;
        by_strangers |= skill.is_foreign && !files.is_empty();
        // A name that no file can have here is left out.
        let files = files.into_iter().filter_map(|(path, bytes)| {
            Some(RoomFile { path: FilePath::check(&path).ok()?, bytes, at: skill.at })
        });
        room.put_skill(skill.name.clone(), files.collect()).await.map_err(not_run)?;
    }
    Ok(by_strangers)
}
