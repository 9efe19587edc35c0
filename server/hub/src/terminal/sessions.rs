//! Sessions of agents, kept: what the last command of each left for the next one.

use super::session::Session;
use crate::Hub;
use crate::error::Result;
use crate::store::{Json, query};
use protocol::AgentId;

/// Sessions of one agent. The one that was used longest ago goes for a new one.
const MOST_SESSIONS: i64 = 10;

/// Names with values.
type Variables = Vec<(String, String)>;

/// Sessions of all agents.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TerminalSessions<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub(crate) fn terminal_sessions(&self) -> TerminalSessions<'_> {
        TerminalSessions { hub: self }
    }
}

impl TerminalSessions<'_> {
    /// What the agent at the top left in the session of this name, and whether strangers may have had a part in it.
    pub(crate) async fn get(self, agent: &AgentId, name: &str) -> Result<Option<(Session, bool)>> {
        let row: Option<(String, Json<Variables>, bool)> = query(
            "SELECT folder, variables, untrusted FROM terminal_sessions WHERE agent_id = $1 AND name = $2",
            (agent, name),
        )
        .fetch_optional(self.hub.store().read())
        .await?;
        Ok(row.map(|(folder, Json(variables), untrusted)| (Session { folder, variables }, untrusted)))
    }

    pub(crate) async fn put(
        self,
        agent: &AgentId,
        name: &str,
        session: &Session,
        untrusted: bool,
    ) -> Result<()> {
        let mut tx = self.hub.store().write().await?;
        query(
            "INSERT INTO terminal_sessions (agent_id, name, folder, variables, untrusted, used_at)
             SELECT id, $2, $3, $4, $5, $6 FROM agents WHERE id = $1
             ON CONFLICT (agent_id, name) DO UPDATE SET folder = excluded.folder,
               variables = excluded.variables, untrusted = excluded.untrusted, used_at = excluded.used_at",
            (agent, name, &session.folder, Json(&session.variables), untrusted, self.hub.now()),
        )
        .execute(&mut *tx)
        .await?;
        query(
            "DELETE FROM terminal_sessions WHERE agent_id = $1 AND name NOT IN
               (SELECT name FROM terminal_sessions WHERE agent_id = $1 ORDER BY used_at DESC, name LIMIT $2)",
            (agent, MOST_SESSIONS),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(())
    }
}
