//! Skills in the room of a command, so that it can run their scripts.

use crate::files::FilePath;
use crate::gateway::Caller;
use crate::terminal::{EmptyRoom, RoomFile};
use crate::tools::ToolError;
use serde_json::Value;

/// What became of those that the agent has read.
#[derive(Default)]
pub(super) struct InRoom {
    /// Whether strangers wrote some of what is there.
    pub(super) by_strangers: bool,
    left_out: Vec<String>,
}

/// Puts those that the agent has read into the room. Where one cannot be, the command runs without it.
pub(super) async fn put(caller: &Caller<'_>, room: &EmptyRoom) -> Result<InRoom, ToolError> {
    let mut in_room = InRoom::default();
    for skill in caller.hub.skills().read_in(caller.root, caller.conversation).await? {
        let files = caller.hub.skills().files_of(caller.owner, &skill).await?;
        // Some of it may be there even where not all of it could be.
        in_room.by_strangers |= skill.is_foreign && !files.is_empty();
        // A name that no file can have here is left out.
        let files = files.into_iter().filter_map(|(path, bytes)| {
            Some(RoomFile { path: FilePath::check(&path).ok()?, bytes, at: skill.at })
        });
        if let Err(error) = room.put_skill(skill.name.clone(), files.collect()).await {
            tracing::warn!("the files of a skill cannot be put into a room: {error}");
            in_room.left_out.push(skill.name);
        }
    }
    Ok(in_room)
}

impl InRoom {
    /// Says in the answer which were left out.
    pub(super) fn tell(&self, answer: &mut Value) {
        if !self.left_out.is_empty() {
            let names = self.left_out.join(", ");
            answer["skills_left_out"] =
                format!("Files of these skills could not be put into the room: {names}.").into();
        }
    }
}
