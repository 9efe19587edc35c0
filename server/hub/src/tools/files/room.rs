//! The files that are in a room when a command begins: those that the agent may read with nobody asked. They go there
//! part by part, and are never all in memory.

use super::mounts::{self, Found, Mounted, below, contents_of};
use crate::files::{Mount, is_among_outputs, parts};
use crate::gateway::Caller;
use crate::terminal::{EmptyRoom, RoomFile, Within};
use crate::tools::ToolError;
use protocol::FolderId;
use serde_json::Value;
use std::collections::BTreeMap;

/// Bytes of uploads that come along, the newest first.
const MOST_UPLOADS: u64 = 50 * 1024 * 1024;
/// Uploads that are named as left out.
const NAMED: usize = 10;

/// Where what is in a room came from.
#[derive(Default)]
pub(in crate::tools) struct InRoom {
    /// Where the files of each mount come from, and go back to.
    pub(in crate::tools) folders: BTreeMap<Mount, FolderId>,
    /// Whether strangers may have written some of it.
    pub(in crate::tools) untrusted: bool,
    pub(in crate::tools) left_out: LeftOut,
}

/// Uploads for which there was no place, by path.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in crate::tools) struct LeftOut(Vec<String>);

impl LeftOut {
    /// Takes the uploads out for which there is no place in so many bytes.
    fn of(uploads: &mut Vec<Found>, mut room: u64) -> Self {
        uploads.sort_by(|one, other| other.at.cmp(&one.at).then_with(|| one.path.cmp(&other.path)));
        let mut left_out = Vec::new();
        uploads.retain(|found| match room.checked_sub(found.size) {
            Some(rest) => {
                room = rest;
                true
            }
            None => {
                left_out.push(found.path.clone());
                false
            }
        });
        Self(left_out)
    }

    /// Says in the answer which they are, and what to do.
    pub(in crate::tools) fn tell(&self, answer: &mut Value) {
        if self.0.is_empty() {
            return;
        }
        let named: Vec<&str> = self.0.iter().take(NAMED).map(String::as_str).collect();
        let more = match self.0.len() - named.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        answer["uploads_left_out"] = format!(
            "The room has 50 MB of /uploads, the newest. These are not in it: {}{more}. Read them with read, or copy those of 5 MB at most to /agent with files first.",
            named.join(", ")
        )
        .into();
    }
}

pub(in crate::tools) async fn fill(caller: &Caller<'_>, room: &EmptyRoom) -> Result<InRoom, ToolError> {
    let mut filled = InRoom::default();
    for mount in Mount::ALL {
        if let Some(folder) = mounts::folder(caller, mount).await? {
            room.open_mount(mount).await.map_err(super::not_run)?;
            let mut all = below(caller, &Mounted::In(mount, None)).await?;
            if mount == Mount::Agent {
                all.retain(|found| !is_of_a_command(&found.path));
            }
            filled.untrusted |= put(caller, room, Within::Mount(mount), all).await?;
            let (empty, are_untrusted) = mounts::empty_folders(caller, mount, &folder).await?;
            room.put_folders(mount, empty).await.map_err(super::not_run)?;
            filled.untrusted |= are_untrusted;
            filled.folders.insert(mount, folder);
        }
    }
    let mut uploads = below(caller, &Mounted::Uploads(None)).await?;
    filled.left_out = LeftOut::of(&mut uploads, MOST_UPLOADS);
    put(caller, room, Within::Uploads, uploads).await?;
    Ok(filled)
}

/// Whether it is what one said before.
fn is_of_a_command(path: &str) -> bool {
    let own = path.strip_prefix(Mount::Agent.path()).and_then(|path| path.strip_prefix('/'));
    own.is_some_and(is_among_outputs)
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_newest_uploads_have_a_place_and_the_others_are_named() {
        let upload =
            |path: &str, at, size| Found { path: path.to_owned(), size, at, version: None, untrusted: false };
        let mut uploads = vec![
            upload("/uploads/a", 1, 6),
            upload("/uploads/b", 2, 5),
            upload("/uploads/c", 3, 5),
            upload("/uploads/d", 0, 1),
        ];
        let left_out = LeftOut::of(&mut uploads, 11);
        let there: Vec<&str> = uploads.iter().map(|found| found.path.as_str()).collect();
        assert_eq!(there, ["/uploads/c", "/uploads/b", "/uploads/d"]);
        let mut answer = json!({});
        left_out.tell(&mut answer);
        let told = answer["uploads_left_out"].as_str().unwrap();
        assert!(told.contains("These are not in it: /uploads/a. Read them"), "{told}");
        let mut answer = json!({});
        LeftOut::default().tell(&mut answer);
        assert_eq!(answer, json!({}));
    }
}
