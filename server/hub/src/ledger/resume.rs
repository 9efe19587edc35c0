//! What a limit stopped goes on when that limit is changed, and nothing else does.

use super::scope::Scope;
use crate::Hub;
use crate::error::Result;
use crate::live::TabKey;
use crate::store::{Row, Transaction};
use protocol::{AgentId, ProviderId, TokenId, UserId};
use sqlx::Row as _;

/// In place of a limit's name: nothing is in the way any more, but a tab has to be there for the run.
const FOR_A_TAB: &str = "tab";

/// Notes which limit stopped the agent.
pub(super) async fn note(tx: &mut Transaction, agent: &AgentId, scope: Scope<'_>) -> Result<()> {
    put(tx, agent, scope.name(), scope.owner()).await
}

/// The agent runs: nothing has stopped it.
pub(crate) async fn forget(tx: &mut Transaction, agent: &AgentId) -> Result<()> {
    sqlx::query("DELETE FROM stopped_agents WHERE agent_id = $1").bind(&agent.0).execute(&mut **tx).await?;
    Ok(())
}

/// The program is gone: what it had asked for does not go on.
pub(crate) async fn forget_of_program(tx: &mut Transaction, token: &TokenId) -> Result<()> {
    sqlx::query(
        "DELETE FROM stopped_agents WHERE agent_id IN (
             SELECT r.agent_id FROM runs r WHERE r.asked_by = $1
             AND r.started_at = (SELECT MAX(l.started_at) FROM runs l WHERE l.agent_id = r.agent_id))",
    )
    .bind(&token.0)
    .execute(&mut **tx)
    .await?;
    Ok(())
}

impl Hub {
    /// What the limit of this token had stopped.
    pub(crate) async fn resume_for_program(&self, token: &TokenId) -> Result<()> {
        self.resume_stopped(Scope::Token(token)).await
    }

    /// The agents that this limit had stopped. Those for which the money still does not suffice stop
    /// again, and nothing is spent on them.
    pub(super) async fn resume_stopped(&self, scope: Scope<'_>) -> Result<()> {
        let rows = sqlx::query(
            "SELECT a.id, a.home FROM stopped_agents s JOIN agents a ON a.id = s.agent_id
             WHERE s.scope = $1 AND s.owner = $2 AND a.status = 'waiting' ORDER BY a.updated_at",
        )
        .bind(scope.name())
        .bind(scope.owner())
        .fetch_all(self.store.read())
        .await?;
        self.resume(&rows).await
    }

    /// Those of everybody who uses this provider.
    pub(crate) async fn resume_on(&self, provider: &ProviderId) -> Result<()> {
        let rows = sqlx::query(
            "SELECT a.id, a.home FROM stopped_agents s JOIN agents a ON a.id = s.agent_id
             WHERE s.scope = 'shared' AND s.owner = $1 AND a.status = 'waiting' ORDER BY a.updated_at",
        )
        .bind(&provider.0)
        .fetch_all(self.store.read())
        .await?;
        self.resume(&rows).await
    }

    /// Those that use this model, now that its price was entered: everybody's, or one person's.
    pub(crate) async fn resume_priced(&self, model: &str, person: Option<&UserId>) -> Result<()> {
        let rows = sqlx::query(
            "SELECT a.id, a.home FROM stopped_agents s JOIN agents a ON a.id = s.agent_id
             WHERE a.model = $1 AND ($2 = '' OR a.user_id = $2) AND a.status = 'waiting' ORDER BY a.updated_at",
        )
        .bind(model)
        .bind(person.map_or("", |person| &person.0))
        .fetch_all(self.store.read())
        .await?;
        self.resume(&rows).await
    }

    /// This tab shows the agent: what waited for a tab goes on in it.
    pub(crate) async fn resume_in(&self, agent: &AgentId, tab: TabKey) -> Result<()> {
        let row = sqlx::query(
            "SELECT 1 FROM stopped_agents s JOIN agents a ON a.id = s.agent_id
             WHERE s.agent_id = $1 AND s.scope = $2 AND a.status = 'waiting'",
        )
        .bind(&agent.0)
        .bind(FOR_A_TAB)
        .fetch_optional(self.store.read())
        .await?;
        if row.is_some() {
            self.go_on(agent, Some(tab)).await?;
        }
        Ok(())
    }

    async fn resume(&self, rows: &[Row]) -> Result<()> {
        for row in rows {
            let agent = AgentId(row.try_get("id")?);
            let home: String = row.try_get("home")?;
            let needs_tab = home == "browser" && self.live.stage(&agent).is_none();
            if !needs_tab {
                self.go_on(&agent, None).await?;
                continue;
            }
            let mut tx = self.store.write().await?;
            put(&mut tx, &agent, FOR_A_TAB, "").await?;
            tx.commit().await?;
        }
        Ok(())
    }
}

async fn put(tx: &mut Transaction, agent: &AgentId, scope: &str, owner: &str) -> Result<()> {
    sqlx::query(
        "INSERT INTO stopped_agents (agent_id, scope, owner) VALUES ($1, $2, $3)
         ON CONFLICT (agent_id) DO UPDATE SET scope = excluded.scope, owner = excluded.owner",
    )
    .bind(&agent.0)
    .bind(scope)
    .bind(owner)
    .execute(&mut **tx)
    .await?;
    Ok(())
}
