//! Keys of single agents: such a key is used for that agent's calls in place of the provider's.

use super::{check, rows};
use crate::audit::AuditEvent;
use crate::error::{Error, Result};
use crate::providers::OwnProviders;
use crate::store::{Row, Transaction, query};
use crate::vault::Vault;
use protocol::view::AuditAction;
use protocol::{AgentId, ProviderId};

impl OwnProviders<'_> {
    /// Keeps a key that only this agent uses, for the provider that it has now.
    pub async fn set_agent_key(self, agent: &AgentId, key: &str) -> Result<()> {
        let key = check::key(Some(key))?.ok_or_else(|| Error::invalid("Enter a key."))?;
        let (name, provider) = self.agent(agent).await?;
        let provider = provider.ok_or_else(|| {
            Error::Conflict("Give the agent a provider first: the key is for that one.".to_owned())
        })?;
        let mut tx = self.scoped.hub.store().write().await?;
        let Some(own) = rows::own(&mut *tx, self.scoped.owner(), &provider).await? else {
            return Err(Error::Conflict(
                "The agent uses a provider that the server shares: a key of its own needs a provider of your own.".to_owned(),
            ));
        };
        let server = rows::server_of(check::wire(own.kind)?, own.base_url.as_deref());
        let purpose = purpose(agent);
        let place = rows::place(self.scoped.owner(), &provider, &purpose, &server);
        self.scoped.hub.vault().put(&mut tx, place, &key, self.scoped.hub.now()).await?;
        let line = AuditEvent::done(AuditAction::AgentKeySet, self.scoped.viewer);
        self.scoped.hub.audit().note(&mut tx, line.object(&name)).await?;
        tx.commit().await?;
        Ok(())
    }

    /// From its next call on the agent uses the provider's key.
    pub async fn forget_agent_key(self, agent: &AgentId) -> Result<()> {
        let (name, _) = self.agent(agent).await?;
        let mut tx = self.scoped.hub.store().write().await?;
        forget(&mut tx, self.scoped.owner(), agent).await?;
        let line = AuditEvent::done(AuditAction::AgentKeyForgotten, self.scoped.viewer);
        self.scoped.hub.audit().note(&mut tx, line.object(&name)).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Name and provider of an agent.
    async fn agent(self, agent: &AgentId) -> Result<(String, Option<ProviderId>)> {
        let row = query(
            "SELECT name, provider_id FROM agents WHERE id = $1 AND user_id = $2",
            (agent, self.scoped.owner()),
        )
        .fetch_optional::<Row>(self.scoped.hub.store().read())
        .await?
        .ok_or(Error::NotFound("agent"))?;
        Ok((row.get("name")?, row.get("provider_id")?))
    }
}

/// Forgets the keys of an agent, for whichever provider.
pub(crate) async fn forget(tx: &mut Transaction, owner: &str, agent: &AgentId) -> Result<()> {
    Vault::forget_purpose(tx, owner, &purpose(agent)).await
}

/// Forgets what agents have for this provider, which is another server now.
pub(super) async fn forget_all_for(tx: &mut Transaction, owner: &str, provider: &ProviderId) -> Result<()> {
    Vault::forget_others(tx, owner, &provider.0, rows::KEY).await
}

/// Under which purpose an agent's key is kept.
pub(crate) fn purpose(agent: &AgentId) -> String {
    format!("{PREFIX}{agent}")
}

const PREFIX: &str = "key of agent ";
