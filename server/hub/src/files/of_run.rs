//! Which files a run changed, for the agent that had it work.

use super::Mount;
use crate::error::Result;
use crate::store::{Json, Store, query};
use protocol::files::FileAuthor;
use protocol::{AgentId, FolderId};
use std::collections::BTreeSet;

/// Paths that are named.
const MOST_PATHS: usize = 50;

/// What these changed of the files of an agent and of its workspace, by path.
pub(crate) async fn changed_by(
    store: &Store,
    agent: &AgentId,
    authors: &[FileAuthor],
) -> Result<Vec<String>> {
    let shared: Option<FolderId> =
        query("SELECT folder_id FROM workspace_agents WHERE agent_id = $1", (agent,))
            .fetch_optional(store.read())
            .await?;
    let mut folders = vec![(Mount::Agent, FolderId::from(agent))];
    folders.extend(shared.map(|shared| (Mount::Workspace, shared)));
    let mut changed = BTreeSet::new();
    for author in authors {
        for (mount, folder) in &folders {
            let paths: Vec<String> = query(
                "SELECT path FROM file_versions WHERE folder_id = $1 AND author = $2
                 UNION SELECT path FROM files WHERE folder_id = $1 AND author = $2",
                (folder, Json(author)),
            )
            .fetch_all(store.read())
            .await?;
            changed.extend(paths.into_iter().map(|path| format!("{}/{path}", mount.path())));
        }
        if changed.len() >= MOST_PATHS {
            break;
        }
    }
    Ok(changed.into_iter().take(MOST_PATHS).collect())
}
