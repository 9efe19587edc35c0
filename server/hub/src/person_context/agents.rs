//! Which agents see the context, and which hear the others.

use super::sayings::forget_unheard;
use super::{OwnContext, lock};
use crate::error::Result;
use crate::store::{FromRow, Readers, Row, Transaction, query};
use protocol::AgentId;
use protocol::hub::Noun;
use protocol::view::ContextAgent;

/// What an agent may know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Switches {
    pub(super) sees: bool,
    pub(super) hears: bool,
}

impl Default for Switches {
    fn default() -> Self {
        Self { sees: true, hears: false }
    }
}

impl FromRow for Switches {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self { sees: row.get::<i64>("sees")? != 0, hears: row.get::<i64>("hears")? != 0 })
    }
}

impl FromRow for ContextAgent {
    fn from_row(row: &Row) -> Result<Self> {
        let Switches { sees, hears } = Switches::from_row(row)?;
        Ok(Self { agent: row.get("id")?, name: row.get("name")?, sees, hears })
    }
}

pub(super) async fn switches_of(store: &Readers, agent: &AgentId) -> Result<Switches> {
    let chosen = query("SELECT sees, hears FROM context_agents WHERE agent_id = $1", (agent,));
    Ok(chosen.fetch_optional(store).await?.unwrap_or_default())
}

impl OwnContext<'_> {
    /// All agents but sub-agents, by name.
    pub(super) async fn agents(self) -> Result<Vec<ContextAgent>> {
        query(
            "SELECT a.id, a.name, COALESCE(x.sees, 1) AS sees, COALESCE(x.hears, 0) AS hears
             FROM agents a LEFT JOIN context_agents x ON x.agent_id = a.id
             WHERE a.user_id = $1 AND a.root_id IS NULL ORDER BY a.name, a.id",
            (self.scoped.owner(),),
        )
        .fetch_all(self.scoped.hub.store().read())
        .await
    }

    /// Says what the agent may know from its next run on: the sources that are on, and what the others said. What
    /// they said is forgotten when no agent hears it any more.
    pub async fn let_agent(self, agent: &AgentId, sees: bool, hears: bool) -> Result<()> {
        self.scoped.require_agent(agent).await?;
        let owner = &self.scoped.viewer.me.id;
        let mut tx = self.scoped.hub.store().write().await?;
        lock(&mut tx, owner).await?;
        query(
            "INSERT INTO context_agents (agent_id, sees, hears) VALUES ($1, $2, $3)
             ON CONFLICT (agent_id) DO UPDATE SET sees = excluded.sees, hears = excluded.hears",
            (agent, i64::from(sees), i64::from(hears)),
        )
        .execute(&mut *tx)
        .await?;
        forget_unheard(&mut tx, owner).await?;
        tx.changes(owner, Noun::PersonContext);
        tx.commit().await
    }
}

/// A copy may know what its original may.
pub(crate) async fn copy_switches(tx: &mut Transaction, from: &AgentId, to: &AgentId) -> Result<()> {
    query(
        "INSERT INTO context_agents (agent_id, sees, hears)
         SELECT $2, sees, hears FROM context_agents WHERE agent_id = $1",
        (from, to),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
