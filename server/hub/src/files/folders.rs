//! Where files lie: the folder of an agent, which comes to be with the first thing in it, and workspaces.

use crate::cluster::Signal;
use crate::error::{Error, Result};
use crate::files::{Files, OwnFiles};
use crate::store::{Transaction, query};
use protocol::files::{FileAuthor, FileVersion, FolderKind, FolderView};
use protocol::{AgentId, FolderId};
use std::collections::BTreeMap;

/// The viewer's agents by what they are called now.
#[derive(Debug)]
pub(super) struct Names(BTreeMap<AgentId, String>);

impl OwnFiles<'_> {
    /// Whose folder it is, and what it is called.
    pub async fn folder(self, folder: impl Into<FolderId>) -> Result<FolderView> {
        let folder = folder.into();
        let found: Option<(String, bool, u64, u64)> = query(
            "SELECT name, is_agents, (SELECT COUNT(*) FROM files f WHERE f.folder_id = $1),
                    (SELECT CAST(COALESCE(SUM(f.size), 0) AS BIGINT) FROM files f WHERE f.folder_id = $1)
             FROM (SELECT name, 1 AS is_agents FROM agents WHERE id = $1 AND user_id = $2
                   UNION ALL
                   SELECT name, 0 FROM folders WHERE id = $1 AND user_id = $2 AND agent_id IS NULL) AS found",
            (&folder, self.scoped.owner()),
        )
        .fetch_optional(self.scoped.hub.store().read())
        .await?;
        let (name, is_agents, files, size) = found.ok_or(Error::NotFound("folder"))?;
        let kind = if is_agents { FolderKind::Agent } else { FolderKind::Workspace };
        Ok(FolderView { id: folder, name, kind, files, size })
    }

    /// Fails unless the folder is the viewer's.
    pub(super) async fn require(self, folder: &FolderId) -> Result<()> {
        let is_theirs = query(
            "SELECT 1 FROM agents WHERE id = $1 AND user_id = $2
             UNION ALL
             SELECT 1 FROM folders WHERE id = $1 AND user_id = $2 AND agent_id IS NULL",
            (folder, self.scoped.owner()),
        )
        .exists(self.scoped.hub.store().read())
        .await?;
        if is_theirs { Ok(()) } else { Err(Error::NotFound("folder")) }
    }

    /// Pages that show the folder look again. One that is not told shows what was there until it is opened again.
    pub(super) async fn tell(self, folder: &FolderId) {
        self.scoped.hub.files().tell(folder).await;
    }

    pub(super) async fn names(self) -> Result<Names> {
        let all: Vec<(AgentId, String)> =
            query("SELECT id, name FROM agents WHERE user_id = $1", (self.scoped.owner(),))
                .fetch_all(self.scoped.hub.store().read())
                .await?;
        Ok(Names(all.into_iter().collect()))
    }
}

impl Files<'_> {
    pub(super) async fn tell(self, folder: &FolderId) {
        for agent in self.shown_with(folder).await {
            self.hub.live().changed_beside_the_log(&agent);
        }
    }

    /// The same for what nobody of the folder's did: it may have come to another node than they look at.
    pub(super) async fn tell_everywhere(self, folder: &FolderId) {
        for agent in self.shown_with(folder).await {
            self.hub.live().changed_beside_the_log(&agent);
            self.hub.cluster().tell(Signal::AgentChanged { agent }).await;
        }
    }

    async fn shown_with(self, folder: &FolderId) -> Vec<AgentId> {
        let with: Result<Vec<AgentId>> = query(
            "SELECT agent_id FROM workspace_agents WHERE folder_id = $1
             UNION ALL
             SELECT id FROM agents WHERE id = $1",
            (folder,),
        )
        .fetch_all(self.hub.store().read())
        .await;
        with.unwrap_or_default()
    }
}

impl Names {
    /// The author, as a person is told.
    pub(super) fn named(&self, author: FileAuthor) -> FileAuthor {
        match author {
            FileAuthor::Agent { conversation, agent, call, .. } => {
                let name = agent.as_ref().and_then(|agent| self.0.get(agent)).cloned();
                FileAuthor::Agent { conversation, agent, call, name }
            }
            FileAuthor::Person | FileAuthor::Archive => author,
        }
    }

    pub(super) fn in_version(&self, version: FileVersion) -> FileVersion {
        let author = version.author.map(|author| self.named(author));
        FileVersion { author, ..version }
    }
}

/// Nobody else writes there until the transaction ends.
pub(crate) async fn lock(tx: &mut Transaction, folder: &FolderId, now: i64) -> Result<()> {
    query(
        "INSERT INTO folders (id, user_id, agent_id, created_at)
         SELECT id, user_id, id, $2 FROM agents WHERE id = $1
         ON CONFLICT (id) DO NOTHING",
        (folder, now),
    )
    .execute(&mut **tx)
    .await?;
    match query("UPDATE folders SET id = id WHERE id = $1", (folder,)).execute(&mut **tx).await? {
        0 => Err(Error::NotFound("folder")),
        _ => Ok(()),
    }
}
