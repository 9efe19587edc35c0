//! Workspaces: folders that a person makes and that agents of theirs share, as `/workspace`. An agent has one at most.

use crate::access::Scoped;
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::store::{Readers, Transaction, query};
use protocol::files::{WorkspaceAgent, WorkspaceView};
use protocol::{AgentId, FolderId};

/// Workspaces of a person.
const MOST_WORKSPACES: usize = 20;
/// Characters of a name.
const NAME: usize = 60;

/// The viewer's workspaces. What is in them is reached by [`files`](crate::files).
#[derive(Clone, Copy, Debug)]
pub struct OwnWorkspaces<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn workspaces(&self) -> OwnWorkspaces<'a> {
        OwnWorkspaces { scoped: *self }
    }
}

impl OwnWorkspaces<'_> {
    /// All of them by name, with the agents that have them.
    pub async fn list(self) -> Result<Vec<WorkspaceView>> {
        let store = self.scoped.hub.store().read();
        let all: Vec<(FolderId, String, u64, u64)> = query(
            "SELECT w.id, w.name, (SELECT COUNT(*) FROM files f WHERE f.folder_id = w.id),
                    (SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) FROM files f WHERE f.folder_id = w.id)
             FROM folders w WHERE w.user_id = $1 AND w.agent_id IS NULL ORDER BY w.name, w.id",
            (self.scoped.owner(),),
        )
        .fetch_all(store)
        .await?;
        let had: Vec<(FolderId, AgentId, String)> = query(
            "SELECT h.folder_id, a.id, a.name FROM workspace_agents h JOIN agents a ON a.id = h.agent_id
             WHERE a.user_id = $1 ORDER BY a.name, a.id",
            (self.scoped.owner(),),
        )
        .fetch_all(store)
        .await?;
        let agents_of = |workspace: &FolderId| {
            let had = had.iter().filter(|(of, ..)| of == workspace);
            had.map(|(_, id, name)| WorkspaceAgent { id: id.clone(), name: name.clone() }).collect()
        };
        Ok(all
            .into_iter()
            .map(|(id, name, files, size)| WorkspaceView { agents: agents_of(&id), id, name, files, size })
            .collect())
    }

    pub async fn create(self, name: &str) -> Result<FolderId> {
        let name = checked(name)?;
        let (owner, id) = (self.scoped.owner(), FolderId(new_id()));
        let mut tx = self.scoped.hub.store().write().await?;
        self.require_free(&mut tx, name, &id).await?;
        let count: usize =
            query("SELECT COUNT(*) FROM folders WHERE user_id = $1 AND agent_id IS NULL", (owner,))
                .fetch_one(&mut *tx)
                .await?;
        if count >= MOST_WORKSPACES {
            return Err(Error::Limit(format!("You have {MOST_WORKSPACES} workspaces. Delete one first.")));
        }
        query(
            "INSERT INTO folders (id, user_id, name, created_at) VALUES ($1, $2, $3, $4)",
            (&id, owner, name, self.scoped.hub.now()),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(id)
    }

    pub async fn rename(self, id: &FolderId, name: &str) -> Result<()> {
        let name = checked(name)?;
        let mut tx = self.scoped.hub.store().write().await?;
        self.require_free(&mut tx, name, id).await?;
        let renamed = query(
            "UPDATE folders SET name = $3 WHERE id = $1 AND user_id = $2 AND agent_id IS NULL",
            (id, self.scoped.owner(), name),
        )
        .execute(&mut *tx)
        .await?;
        found(renamed)?;
        tx.commit().await
    }

    /// Deletes it for good, with all files in it, from every agent that has it.
    pub async fn delete(self, id: &FolderId) -> Result<()> {
        let mut tx = self.scoped.hub.store().write().await?;
        let deleted = query(
            "DELETE FROM folders WHERE id = $1 AND user_id = $2 AND agent_id IS NULL",
            (id, self.scoped.owner()),
        )
        .execute(&mut *tx)
        .await?;
        found(deleted)?;
        tx.commit().await
    }

    /// The one that the agent has.
    pub async fn of_agent(self, agent: &AgentId) -> Result<Option<FolderId>> {
        self.scoped.require_agent(agent).await?;
        of_agent(self.scoped.hub.store().read(), agent).await
    }

    /// Gives the agent this one, in place of the one that it had, or none.
    pub async fn give(self, agent: &AgentId, workspace: Option<&FolderId>) -> Result<()> {
        self.scoped.require_agent(agent).await?;
        let mut tx = self.scoped.hub.store().write().await?;
        query("DELETE FROM workspace_agents WHERE agent_id = $1", (agent,)).execute(&mut *tx).await?;
        if let Some(workspace) = workspace {
            let given = query(
                "INSERT INTO workspace_agents (agent_id, folder_id)
                 SELECT $1, id FROM folders WHERE id = $2 AND user_id = $3 AND agent_id IS NULL",
                (agent, workspace, self.scoped.owner()),
            )
            .execute(&mut *tx)
            .await?;
            found(given)?;
        }
        tx.commit().await
    }

    async fn require_free(self, tx: &mut Transaction, name: &str, but: &FolderId) -> Result<()> {
        let is_taken = query(
            "SELECT 1 FROM folders WHERE user_id = $1 AND name = $2 AND agent_id IS NULL AND id <> $3",
            (self.scoped.owner(), name, but),
        )
        .exists(&mut **tx)
        .await?;
        match is_taken {
            true => Err(Error::Conflict(format!("You have a workspace {name} already. Take another name."))),
            false => Ok(()),
        }
    }
}

/// The workspace of the agent.
pub(crate) async fn of_agent(pool: &Readers, agent: &AgentId) -> Result<Option<FolderId>> {
    query("SELECT folder_id FROM workspace_agents WHERE agent_id = $1", (agent,)).fetch_optional(pool).await
}

/// Gives a copy the workspace of its original.
pub(crate) async fn copy_choice(tx: &mut Transaction, id: &AgentId, copy: &AgentId) -> Result<()> {
    query(
        "INSERT INTO workspace_agents (agent_id, folder_id)
         SELECT $2, folder_id FROM workspace_agents WHERE agent_id = $1",
        (id, copy),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

fn checked(name: &str) -> Result<&str> {
    let name = name.trim();
    let fits = !name.is_empty() && name.chars().count() <= NAME && !name.chars().any(char::is_control);
    match fits {
        true => Ok(name),
        false => Err(Error::invalid(format!("The name of a workspace has 1 to {NAME} characters."))),
    }
}

fn found(rows: u64) -> Result<()> {
    if rows == 0 { Err(Error::NotFound("workspace")) } else { Ok(()) }
}
