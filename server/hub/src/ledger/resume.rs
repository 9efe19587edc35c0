//! What a limit stopped goes on when that limit is changed, and nothing else does.

use super::scope::Scope;
use crate::cluster::Signal;
use crate::error::Result;
use crate::ledger::Ledger;
use crate::live::TabKey;
use crate::log::Appending;
use crate::store::{ToColumn, Transaction, query};
use protocol::agent::Home;
use protocol::{AgentId, LimitOf, ProviderId, RunId, TokenId, UserId};

/// In place of a limit's name: nothing is in the way any more, but a tab has to be there for the run.
const FOR_A_TAB: &str = "tab";

/// Notes which limit stopped the agent of this run, and whether that is because nobody knows what its model costs.
pub(super) async fn note(
    tx: &mut Transaction,
    run: &RunId,
    scope: Scope<'_>,
    lacks_price: bool,
) -> Result<()> {
    let agent: Option<AgentId> =
        query("UPDATE runs SET lacks_price = $2 WHERE id = $1 RETURNING agent_id", (run, lacks_price))
            .fetch_optional(&mut **tx)
            .await?;
    match agent {
        Some(agent) => put(tx, &agent, scope.of(), scope.owner()).await,
        None => Ok(()),
    }
}

/// The agent runs: nothing has stopped it.
pub(crate) async fn forget(tx: &mut Transaction, agent: &AgentId) -> Result<()> {
    query("DELETE FROM stopped_agents WHERE agent_id = $1", (agent,)).execute(&mut **tx).await?;
    Ok(())
}

impl Appending {
    /// Whose limit stopped the agent's run, if one did.
    pub(crate) async fn stopped_by(&mut self, agent: &AgentId) -> Result<Option<LimitOf>> {
        query("SELECT scope FROM stopped_agents WHERE agent_id = $1 AND scope <> $2", (agent, FOR_A_TAB))
            .fetch_optional(&mut *self.tx)
            .await
    }
}

impl Ledger<'_> {
    /// What the limit of this token had stopped.
    pub(crate) async fn resume_for_program(self, token: &TokenId) -> Result<()> {
        self.resume_stopped(Scope::Token(token)).await
    }

    /// The agents that this limit had stopped. Those for which the money still does not suffice stop
    /// again, and nothing is spent on them.
    pub(super) async fn resume_stopped(self, scope: Scope<'_>) -> Result<()> {
        let stopped = query(
            "SELECT a.id, a.home FROM stopped_agents s JOIN agents a ON a.id = s.agent_id
             WHERE s.scope = $1 AND s.owner = $2 AND a.status = 'waiting' ORDER BY a.updated_at",
            (scope.of(), scope.owner()),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        self.resume(stopped).await
    }

    /// Those of everybody who uses this provider.
    pub(crate) async fn resume_on(self, provider: &ProviderId) -> Result<()> {
        let stopped = query(
            "SELECT a.id, a.home FROM stopped_agents s JOIN agents a ON a.id = s.agent_id
             WHERE s.scope = 'shared' AND s.owner = $1 AND a.status = 'waiting' ORDER BY a.updated_at",
            (provider,),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        self.resume(stopped).await
    }

    /// Those whose provider is not shared with them any more: its limit is out of the way, and the run says
    /// what it needs now.
    pub(crate) async fn resume_unshared(self) -> Result<()> {
        let stopped = query(
            "SELECT a.id, a.home FROM stopped_agents s JOIN agents a ON a.id = s.agent_id
             WHERE s.scope = 'shared' AND a.status = 'waiting' AND NOT EXISTS (
                 SELECT 1 FROM usable_providers v WHERE v.provider_id = s.owner AND v.user_id = a.user_id)
             ORDER BY a.updated_at",
            (),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        self.resume(stopped).await
    }

    /// Those that use this model, now that its price was entered, and pipelines that wait for a price: everybody's, or
    /// one person's.
    pub(crate) async fn resume_priced(self, model: &str, person: Option<&UserId>) -> Result<()> {
        let stopped = query(
            "SELECT a.id, a.home FROM stopped_agents s CROSS JOIN agents a
             WHERE a.id = s.agent_id AND a.model = $1 AND ($2 = '' OR a.user_id = $2) AND a.status = 'waiting'
             ORDER BY a.updated_at",
            (model, person.map_or("", |person| &person.0)),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        self.resume(stopped).await?;
        self.hub.running().begin_unpriced_pipelines(self.hub, person).await
    }

    /// This tab shows the agent: what waited for a tab goes on in it.
    pub(crate) async fn resume_in(self, agent: &AgentId, tab: TabKey) -> Result<()> {
        let waits = query(
            "SELECT 1 FROM stopped_agents s JOIN agents a ON a.id = s.agent_id
             WHERE s.agent_id = $1 AND s.scope = $2 AND a.status = 'waiting'",
            (agent, FOR_A_TAB),
        )
        .exists(self.hub.store().read())
        .await?;
        if waits {
            self.hub.running().resume_stopped_agent(self.hub, agent, Some(tab)).await?;
        }
        Ok(())
    }

    /// Another node found that nothing is in its way any more.
    pub(crate) async fn resume_here(self, agent: &AgentId) -> Result<()> {
        if !self.hub.cluster().has_agent(agent).await? {
            return Ok(());
        }
        let stopped = query(
            "SELECT a.id, a.home FROM stopped_agents s JOIN agents a ON a.id = s.agent_id
             WHERE s.agent_id = $1 AND a.status = 'waiting'",
            (agent,),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        self.resume(stopped).await
    }

    /// Those of people here, or of one of them, of which another node found so, if this one was not told.
    pub(crate) async fn resume_cleared(self, person: Option<&UserId>) -> Result<()> {
        let stopped = query(
            "SELECT a.id, a.home FROM stopped_agents s JOIN agents a ON a.id = s.agent_id
             WHERE s.cleared_at IS NOT NULL AND a.status = 'waiting' AND (CAST($1 AS TEXT) IS NULL OR a.user_id = $1)
               AND a.user_id IN (SELECT p.user_id FROM placements p WHERE p.node_id = $2 AND p.taken_on = 1)
             ORDER BY a.updated_at",
            (person, self.hub.cluster().own_id()),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        self.resume(stopped).await
    }

    async fn note_cleared(self, agent: &AgentId) -> Result<()> {
        let mut tx = self.hub.store().write_uncached().await?;
        query(
            "UPDATE stopped_agents SET cleared_at = $2 WHERE agent_id = $1 AND cleared_at IS NULL",
            (agent, self.hub.now()),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await
    }

    async fn resume(self, stopped: Vec<(AgentId, Home)>) -> Result<()> {
        for (agent, home) in stopped {
            if !self.hub.cluster().has_agent(&agent).await? {
                // Who does not hear it finds it written down.
                self.note_cleared(&agent).await?;
                self.hub.cluster().tell(Signal::AgentResumed { agent }).await;
                continue;
            }
            let needs_tab = home == Home::Browser && self.hub.live().stage(&agent).is_none();
            if !needs_tab {
                // It keeps no other from going on.
                if let Err(error) = self.hub.running().resume_stopped_agent(self.hub, &agent, None).await {
                    tracing::warn!(agent.id = %agent, error = ?error, "a stopped agent does not go on");
                }
                continue;
            }
            let mut tx = self.hub.store().write().await?;
            put(&mut tx, &agent, FOR_A_TAB, "").await?;
            tx.commit().await?;
        }
        Ok(())
    }
}

async fn put(tx: &mut Transaction, agent: &AgentId, scope: impl ToColumn, owner: &str) -> Result<()> {
    query(
        "INSERT INTO stopped_agents (agent_id, scope, owner) VALUES ($1, $2, $3)
         ON CONFLICT (agent_id) DO UPDATE SET scope = excluded.scope, owner = excluded.owner, cleared_at = NULL",
        (agent, scope, owner),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
