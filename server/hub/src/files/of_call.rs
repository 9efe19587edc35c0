//! What a call of an agent did to files, for the person who looks at it.

use super::{FilePath, OwnFiles, content, of_file, text_of};
use crate::difference::for_a_model;
use crate::error::{Error, Result};
use crate::log::Lineage;
use crate::store::{Json, query};
use protocol::files::{FileAuthor, FileDid, FileOfCall, FileVersion};
use protocol::{AgentId, CallId, ConversationId, FolderId};
use std::collections::{BTreeMap, BTreeSet};

/// Files of a call of which a person is told.
const MOST_FILES: usize = 20;
/// Bytes of a text whose difference is shown.
const LONGEST: usize = 256 * 1024;

/// Where a call may have changed something, and as whom.
pub(super) struct OfCall {
    /// In the order in which whoever works in several folders locks them.
    pub(super) folders: BTreeSet<FolderId>,
    pub(super) authors: Vec<FileAuthor>,
}

impl OwnFiles<'_> {
    /// What the call did, by folder and path, of twenty files at most: what was moved was deleted and made.
    ///
    /// # Errors
    ///
    /// If there is no such agent or conversation of the viewer's.
    pub async fn files_of_call(
        self,
        agent: &AgentId,
        conversation: &ConversationId,
        call: &CallId,
    ) -> Result<Vec<FileOfCall>> {
        let OfCall { folders, authors } = self.of_call(agent, conversation, call).await?;
        let mut files = Vec::new();
        for folder in &folders {
            let mut changed = BTreeMap::<String, (u64, u64)>::new();
            for author in &authors {
                let rows: Vec<(String, u64)> = query(
                    "SELECT path, version FROM file_versions WHERE folder_id = $1 AND author = $2
                     UNION ALL
                     SELECT path, version FROM files WHERE folder_id = $1 AND author = $2
                     ORDER BY path, version",
                    (folder, Json(author)),
                )
                .fetch_all(self.scoped.hub.store().read())
                .await?;
                for (path, version) in rows {
                    let (first, last) = changed.entry(path).or_insert((version, version));
                    (*first, *last) = ((*first).min(version), (*last).max(version));
                }
            }
            if changed.is_empty() {
                continue;
            }
            let kind = self.folder(folder.clone()).await?.kind;
            for (path, (first, last)) in changed {
                if files.len() == MOST_FILES {
                    return Ok(files);
                }
                let path = FilePath::check(&path)?;
                let (did, diff) = self.did(folder, &path, first, last).await?;
                files.push(FileOfCall { folder: folder.clone(), kind, path: path.to_string(), did, diff });
            }
        }
        Ok(files)
    }

    /// Whether the file was made, changed or deleted between the version before `first` and `last`.
    async fn did(
        self,
        folder: &FolderId,
        path: &FilePath,
        first: u64,
        last: u64,
    ) -> Result<(FileDid, String)> {
        let store = self.scoped.hub.store().read();
        let kept = of_file(store, folder, path).await?;
        let of = |version: u64| kept.iter().find(|kept| kept.version == version);
        let is_there = |kept: &FileVersion| kept.size.is_some();
        // What is not kept any more was there: of a file that is new nothing was let go.
        let was = first > 1 && of(first - 1).is_none_or(is_there);
        let did = match (was, of(last).is_some_and(is_there)) {
            (_, false) => FileDid::Deleted,
            (true, true) => FileDid::Changed,
            (false, true) => FileDid::Made,
        };
        let text = async |version: u64, is_there: bool| -> Result<Option<String>> {
            if !is_there {
                return Ok(Some(String::new()));
            }
            let Some((bytes, _)) = content(store, folder, path, version).await? else { return Ok(None) };
            Ok(text_of(&bytes).filter(|text| text.len() <= LONGEST).map(str::to_owned))
        };
        let before = text(first.saturating_sub(1), was).await?;
        let after = text(last, did != FileDid::Deleted).await?;
        let diff = match (before, after) {
            (Some(before), Some(after)) => for_a_model(before, after).await?,
            (None, _) | (_, None) => String::new(),
        };
        Ok((did, diff))
    }

    pub(super) async fn of_call(
        self,
        agent: &AgentId,
        conversation: &ConversationId,
        call: &CallId,
    ) -> Result<OfCall> {
        let store = self.scoped.hub.store().read();
        let root: Option<AgentId> = query(
            "SELECT COALESCE(root_id, id) FROM agents WHERE id = $1 AND user_id = $2",
            (agent, self.scoped.owner()),
        )
        .fetch_optional(store)
        .await?;
        let root = root.ok_or(Error::NotFound("agent"))?;
        let shared: Option<FolderId> =
            query("SELECT folder_id FROM workspace_agents WHERE agent_id = $1", (&root,))
                .fetch_optional(store)
                .await?;
        let folders = shared.into_iter().chain([FolderId::from(&root)]).collect();
        // A branch shows calls of the conversation that it came from, whose files name that one.
        let lineage = Lineage::of(store, conversation).await?;
        let authors: BTreeSet<&ConversationId> = lineage.ranges().iter().map(|range| range.source).collect();
        let authors = authors.into_iter().map(|conversation| FileAuthor::Agent {
            conversation: conversation.clone(),
            agent: Some(agent.clone()),
            call: Some(call.clone()),
            name: None,
        });
        Ok(OfCall { folders, authors: authors.collect() })
    }
}
