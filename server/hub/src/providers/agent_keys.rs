//! Keys of single agents: such a key is used for that agent's calls in place of the provider's.

use super::{check, rows};
use crate::access::Scoped;
use crate::audit::Line;
use crate::error::{Error, Result};
use crate::store::Transaction;
use crate::vault::Vault;
use protocol::view::AuditAction;
use protocol::{AgentId, ProviderId};

impl Scoped<'_> {
    /// Keeps a key that only this agent uses, for the provider that it has now.
    pub async fn set_agent_key(&self, agent: &AgentId, key: &str) -> Result<()> {
        let key = check::key(Some(key))?.ok_or_else(|| Error::invalid("Enter a key."))?;
        let view = self.agent(agent).await?;
        let provider = view.provider.ok_or_else(|| {
            Error::Conflict("Give the agent a provider first: the key is for that one.".to_owned())
        })?;
        let mut tx = self.hub.store.write().await?;
        if rows::own(&mut *tx, self.owner(), &provider).await?.is_none() {
            return Err(Error::Conflict(
                "The agent uses a provider that the server shares: a key of its own needs a provider of your own.".to_owned(),
            ));
        }
        let purpose = purpose(agent);
        let place = rows::place(self.owner(), &provider, &purpose);
        self.hub.vault.put(&mut tx, place, &key, self.hub.now()).await?;
        let line = Line::done(AuditAction::AgentKeySet, self.viewer);
        self.hub.note(&mut tx, line.object(&view.name)).await?;
        tx.commit().await?;
        Ok(())
    }

    /// From its next call on the agent uses the provider's key.
    pub async fn forget_agent_key(&self, agent: &AgentId) -> Result<()> {
        let name = self.agent(agent).await?.name;
        let mut tx = self.hub.store.write().await?;
        forget(&mut tx, self.owner(), agent).await?;
        let line = Line::done(AuditAction::AgentKeyForgotten, self.viewer);
        self.hub.note(&mut tx, line.object(&name)).await?;
        tx.commit().await?;
        Ok(())
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
