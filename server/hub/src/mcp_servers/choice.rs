//! Which servers an agent may use: none, until its person says so.

use super::{OwnMcpServers, rows};
use crate::audit::AuditEvent;
use crate::error::{Error, Result};
use crate::store::{Transaction, query};
use protocol::hub::Noun;
use protocol::view::{AuditAction, McpChoice, McpServerView};
use protocol::{AgentId, McpServerId};
use std::collections::BTreeSet;

pub(super) const MOST_CHOSEN: usize = 8;
/// Agents that a server is given to when it is added.
const MOST_AGENTS: usize = 100;

impl OwnMcpServers<'_> {
    /// All servers of the viewer, and whether the agent may use them.
    pub async fn of_agent(self, agent: &AgentId) -> Result<Vec<McpChoice>> {
        self.scoped.require_agent(agent).await?;
        let chosen = self.chosen(agent).await?;
        let untold = self.scoped.hub.mcp_servers().untold(agent).await?;
        let choices = self.list().await?.into_iter().map(|server| McpChoice {
            is_chosen: chosen.contains(&server.id),
            untold: untold.iter().filter(|of| **of == server.id).count(),
            server,
        });
        Ok(choices.collect())
    }

    /// Adds a server as [`Self::add`] does, and lets these agents use it beside those that they have, as far as they
    /// still may when it was asked what it has.
    pub async fn add_for(
        self,
        agents: &[AgentId],
        name: &str,
        url: &str,
        token: &str,
        headers: &str,
    ) -> Result<McpServerView> {
        let agents: BTreeSet<&AgentId> = agents.iter().collect();
        if agents.len() > MOST_AGENTS {
            return Err(Error::Limit(format!("A server is added for at most {MOST_AGENTS} agents.")));
        }
        for agent in &agents {
            self.scoped.require_agent(agent).await?;
            if self.chosen(agent).await?.len() >= MOST_CHOSEN {
                return Err(Error::Limit(format!("An agent uses at most {MOST_CHOSEN} servers.")));
            }
        }
        let added = self.add(name, url, token, headers).await?;
        // It is there, and can be given in the settings of an agent.
        if let Err(error) = self.give(&added, &agents).await {
            tracing::warn!("an MCP server that was added is given to no agent: {error:?}");
        }
        Ok(added)
    }

    async fn give(self, server: &McpServerView, agents: &BTreeSet<&AgentId>) -> Result<()> {
        let hub = self.scoped.hub;
        let mut tx = hub.store().write().await?;
        for &agent in agents {
            let given = query(
                "INSERT INTO agent_mcp_servers (agent_id, server_id)
                 SELECT a.id, $2 FROM agents a WHERE a.id = $1
                   AND (SELECT COUNT(*) FROM agent_mcp_servers c WHERE c.agent_id = a.id) < $3
                 ON CONFLICT DO NOTHING",
                (agent, &server.id, MOST_CHOSEN),
            )
            .execute(&mut *tx)
            .await?;
            if given == 1 {
                let name: String =
                    query("SELECT name FROM agents WHERE id = $1", (agent,)).fetch_one(&mut *tx).await?;
                let line = AuditEvent::done(AuditAction::McpServersChosen, self.scoped.viewer);
                hub.audit().note(&mut tx, line.object(&format!("{name}: also {}", server.name))).await?;
            }
        }
        tx.changes(&self.scoped.viewer.me.id, Noun::McpServers);
        tx.commit().await
    }

    /// Lets the agent use these servers and no others, from its next run on.
    pub async fn choose(self, agent: &AgentId, servers: &[McpServerId]) -> Result<()> {
        self.scoped.require_agent(agent).await?;
        let (hub, owner) = (self.scoped.hub, self.scoped.owner());
        let name = self.scoped.agents().get(agent).await?.name;
        let chosen: BTreeSet<&McpServerId> = servers.iter().collect();
        if chosen.len() > MOST_CHOSEN {
            return Err(Error::Limit(format!("An agent uses at most {MOST_CHOSEN} servers.")));
        }
        let mut tx = hub.store().write().await?;
        query("DELETE FROM agent_mcp_servers WHERE agent_id = $1", (agent,)).execute(&mut *tx).await?;
        let mut names = Vec::new();
        for id in chosen {
            let server = rows::find(&mut *tx, owner, id).await?.ok_or(Error::NotFound("server"))?;
            query("INSERT INTO agent_mcp_servers (agent_id, server_id) VALUES ($1, $2)", (agent, id))
                .execute(&mut *tx)
                .await?;
            names.push(server.name);
        }
        let line = AuditEvent::done(AuditAction::McpServersChosen, self.scoped.viewer);
        let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        hub.audit().note(&mut tx, line.object(&format!("{name}: {names}"))).await?;
        tx.changes(&self.scoped.viewer.me.id, Noun::McpServers);
        tx.commit().await
    }

    /// The server, where the agent may use it.
    pub(super) async fn given(self, id: &McpServerId, agent: &AgentId) -> Result<McpServerView> {
        let server = self.found(id).await?;
        self.scoped.require_agent(agent).await?;
        match self.chosen(agent).await?.contains(id) {
            true => Ok(server),
            false => {
                Err(Error::invalid("The agent may not use this server. Give it the server in its settings."))
            }
        }
    }

    pub(super) async fn chosen(self, agent: &AgentId) -> Result<BTreeSet<McpServerId>> {
        let chosen: Vec<McpServerId> =
            query("SELECT server_id FROM agent_mcp_servers WHERE agent_id = $1", (agent,))
                .fetch_all(self.scoped.hub.store().read())
                .await?;
        Ok(chosen.into_iter().collect())
    }
}

/// Lets a copy use the servers that its original may use.
pub(crate) async fn copy_choice(tx: &mut Transaction, id: &AgentId, copy: &AgentId) -> Result<()> {
    query(
        "INSERT INTO agent_mcp_servers (agent_id, server_id)
         SELECT $2, server_id FROM agent_mcp_servers WHERE agent_id = $1",
        (id, copy),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
