//! To which agents a server is given, said for all of them at once.

use super::choice::MOST_CHOSEN;
use super::{OwnMcpServers, rows};
use crate::audit::AuditEvent;
use crate::error::{Error, Result};
use crate::store::{FromRow, Row, query};
use protocol::hub::Noun;
use protocol::view::{AuditAction, GivenAgent};
use protocol::{AgentId, McpServerId};
use std::collections::BTreeSet;

const AGENTS: &str = "SELECT a.id, a.name, c.server_id
     FROM agents a LEFT JOIN agent_mcp_servers c ON c.agent_id = a.id AND c.server_id = $2
     WHERE a.user_id = $1 AND a.parent_id IS NULL ORDER BY a.name, a.id";

/// An agent as it stands to a server.
struct Using(GivenAgent);

impl FromRow for Using {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self(GivenAgent {
            agent: row.get("id")?,
            name: row.get("name")?,
            has: row.get::<Option<McpServerId>>("server_id")?.is_some(),
            lacks: Vec::new(),
        }))
    }
}

impl OwnMcpServers<'_> {
    /// The viewer's agents, and whether they may use the server.
    pub(super) async fn agents_using(self, id: &McpServerId) -> Result<Vec<GivenAgent>> {
        let agents: Vec<Using> =
            query(AGENTS, (self.scoped.owner(), id)).fetch_all(self.scoped.hub.store().read()).await?;
        Ok(agents.into_iter().map(|Using(agent)| agent).collect())
    }

    /// Lets these agents use the server, and no others, from their next runs on.
    pub async fn let_agents_use(self, id: &McpServerId, agents: &[AgentId]) -> Result<()> {
        let (hub, owner) = (self.scoped.hub, self.scoped.owner());
        let wanted: BTreeSet<&AgentId> = agents.iter().collect();
        let mut tx = hub.store().write().await?;
        let server = rows::find(&mut *tx, owner, id).await?.ok_or(Error::NotFound("server"))?;
        let known: Vec<Using> = query(AGENTS, (owner, id)).fetch_all(&mut *tx).await?;
        if wanted.iter().any(|wanted| known.iter().all(|Using(known)| known.agent != **wanted)) {
            return Err(Error::NotFound("agent"));
        }
        for Using(GivenAgent { agent, name, has, .. }) in &known {
            let how = match (*has, wanted.contains(agent)) {
                (false, true) => {
                    let given = query(
                        "INSERT INTO agent_mcp_servers (agent_id, server_id)
                         SELECT a.id, $2 FROM agents a WHERE a.id = $1
                           AND (SELECT COUNT(*) FROM agent_mcp_servers c WHERE c.agent_id = a.id) < $3",
                        (agent, id, MOST_CHOSEN),
                    )
                    .execute(&mut *tx)
                    .await?;
                    if given == 0 {
                        return Err(Error::Limit(format!(
                            "{name} uses {MOST_CHOSEN} servers, as many as an agent can. Take one from it in its settings first."
                        )));
                    }
                    "also"
                }
                (true, false) => {
                    query(
                        "DELETE FROM agent_mcp_servers WHERE agent_id = $1 AND server_id = $2",
                        (agent, id),
                    )
                    .execute(&mut *tx)
                    .await?;
                    "no longer"
                }
                (true, true) | (false, false) => continue,
            };
            let line = AuditEvent::done(AuditAction::McpServersChosen, self.scoped.viewer);
            let object = format!("{name}: {how} {}", server.name);
            hub.audit().note(&mut tx, line.object(&object)).await?;
        }
        tx.changes(&self.scoped.viewer.me.id, Noun::McpServers);
        tx.commit().await
    }
}
