//! Which servers have their resources as files of an agent: none, until its person says so. That gives the agent none of
//! their tools.

use super::attach::failed;
use super::mounted::MountedServer;
use super::{McpServers, OwnMcpServers, resources};
use crate::audit::AuditEvent;
use crate::error::{Error, Result};
use crate::files::FilePath;
use crate::store::{Transaction, query};
use protocol::files::{McpMount, McpMountedContent, McpMountedFile, McpMountedFiles};
use protocol::view::AuditAction;
use protocol::{AgentId, McpServerId};

/// Servers of an agent.
const MOST_MOUNTED: usize = 8;

impl OwnMcpServers<'_> {
    /// The servers of the viewer that have resources or are mounted for the agent, by name.
    pub async fn mounts(self, agent: &AgentId) -> Result<Vec<McpMount>> {
        self.scoped.require_agent(agent).await?;
        let all: Vec<(McpServerId, String, bool, bool)> = query(
            "SELECT s.id, s.name,
                    (SELECT COUNT(*) FROM agent_mcp_mounts m WHERE m.agent_id = $2 AND m.server_id = s.id),
                    (SELECT COUNT(*) FROM mcp_tools t WHERE t.server_id = s.id AND t.name = $3)
             FROM mcp_servers s WHERE s.user_id = $1 ORDER BY s.name",
            (self.scoped.owner(), agent, resources::TOOL),
        )
        .fetch_all(self.scoped.hub.store().read())
        .await?;
        let all = all.into_iter().map(|(server, name, is_mounted, has_resources)| McpMount {
            server,
            name,
            is_mounted,
            has_resources,
        });
        Ok(all.filter(|mount| mount.is_mounted || mount.has_resources).collect())
    }

    /// Lets the agent read the resources of this server as files, from its next call on.
    pub async fn mount(self, id: &McpServerId, agent: &AgentId) -> Result<()> {
        let server = self.found(id).await?;
        let name = self.scoped.agents().get(agent).await?.name;
        let mut tx = self.scoped.hub.store().write().await?;
        let others: usize = query(
            "SELECT COUNT(*) FROM agent_mcp_mounts WHERE agent_id = $1 AND server_id <> $2",
            (agent, id),
        )
        .fetch_one(&mut *tx)
        .await?;
        if others >= MOST_MOUNTED {
            return Err(Error::Limit(format!(
                "An agent has the resources of at most {MOST_MOUNTED} servers as files. Take one away first."
            )));
        }
        query(
            "INSERT INTO agent_mcp_mounts (agent_id, server_id) VALUES ($1, $2) ON CONFLICT DO NOTHING",
            (agent, id),
        )
        .execute(&mut *tx)
        .await?;
        self.note_mount(&mut tx, &format!("{name}: resources of {} as files", server.name)).await?;
        tx.commit().await
    }

    pub async fn unmount(self, id: &McpServerId, agent: &AgentId) -> Result<()> {
        let server = self.found(id).await?;
        let name = self.scoped.agents().get(agent).await?.name;
        let mut tx = self.scoped.hub.store().write().await?;
        query("DELETE FROM agent_mcp_mounts WHERE agent_id = $1 AND server_id = $2", (agent, id))
            .execute(&mut *tx)
            .await?;
        self.note_mount(&mut tx, &format!("{name}: no resources of {} as files", server.name)).await?;
        tx.commit().await
    }

    async fn note_mount(self, tx: &mut Transaction, object: &str) -> Result<()> {
        let line = AuditEvent::done(AuditAction::McpServersChosen, self.scoped.viewer);
        self.scoped.hub.audit().note(tx, line.object(object)).await
    }

    /// What a server has that is mounted for the agent.
    pub async fn mounted_files(self, id: &McpServerId, agent: &AgentId) -> Result<McpMountedFiles> {
        let server = self.mounted(id, agent).await?;
        let listing = self.scoped.hub.mcp_servers().listing(&self.scoped.viewer.me.id, &server).await;
        let listing = listing.map_err(|failure| failed(&server.name, &failure))?;
        let files = listing
            .files
            .iter()
            .map(|file| McpMountedFile { path: file.path.to_string(), size: file.size })
            .collect();
        Ok(McpMountedFiles { files, more: listing.more })
    }

    /// What is in one of these files.
    pub async fn mounted_file(
        self,
        id: &McpServerId,
        agent: &AgentId,
        path: &str,
    ) -> Result<McpMountedContent> {
        let server = self.mounted(id, agent).await?;
        let path = FilePath::check(path)?;
        let read = self.scoped.hub.mcp_servers().content(&self.scoped.viewer.me.id, &server, &path).await;
        let bytes = read.map_err(|failure| failed(&server.name, &failure))?.ok_or(Error::NotFound("file"))?;
        let preview = self.scoped.files().preview(path.as_str(), &bytes).await;
        Ok(McpMountedContent { path: path.to_string(), size: bytes.len() as u64, preview })
    }

    async fn mounted(self, id: &McpServerId, agent: &AgentId) -> Result<MountedServer> {
        self.found(id).await?;
        self.scoped.require_agent(agent).await?;
        let mounted = self.scoped.hub.mcp_servers().mounts_of(agent).await?;
        mounted.into_iter().find(|server| server.id == *id).ok_or_else(|| {
            Error::invalid("The agent does not have this server's resources as files. Mount them first.")
        })
    }
}

impl McpServers<'_> {
    /// Those of an agent, by name.
    pub(crate) async fn mounts_of(self, agent: &AgentId) -> Result<Vec<MountedServer>> {
        let all: Vec<(McpServerId, String, String)> = query(
            "SELECT s.id, s.name, s.url FROM agent_mcp_mounts m
             JOIN agents a ON a.id = m.agent_id
             JOIN mcp_servers s ON s.id = m.server_id AND s.user_id = a.user_id
             WHERE m.agent_id = $1 ORDER BY s.name",
            (agent,),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        Ok(all.into_iter().map(|(id, name, url)| MountedServer { id, name, url }).collect())
    }
}

/// Mounts for a copy what is mounted for its original.
pub(crate) async fn copy_mounts(tx: &mut Transaction, id: &AgentId, copy: &AgentId) -> Result<()> {
    query(
        "INSERT INTO agent_mcp_mounts (agent_id, server_id)
         SELECT $2, server_id FROM agent_mcp_mounts WHERE agent_id = $1",
        (id, copy),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
