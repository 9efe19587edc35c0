//! Providers: where a person's models run. How a model is called is not known here.

mod agent_keys;
mod check;
mod find;
mod local;
mod probe;
mod rows;
mod share;

pub(crate) use agent_keys::{forget as forget_agent_keys, purpose as agent_key_purpose};
pub(crate) use rows::{Asker, Connection, Server};

use crate::access::Scoped;
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::ledger::month_of;
use crate::vault::Vault;
use protocol::ProviderId;
use protocol::view::{ProviderKind, ProviderView};

const MOST: usize = 50;

impl Scoped<'_> {
    /// What the person can use: their own, the oldest first, and then what administrators share with them.
    pub async fn providers(&self) -> Result<Vec<ProviderView>> {
        let store = self.hub.store.read();
        let mut providers = rows::list(store, self.owner()).await?;
        providers.extend(rows::lent(store, &self.viewer.me.id, &month_of(self.hub.now())).await?);
        Ok(providers)
    }

    /// One of their own.
    pub async fn provider(&self, id: &ProviderId) -> Result<ProviderView> {
        let found = rows::own(self.hub.store.read(), self.owner(), id).await?;
        found.ok_or(Error::NotFound("provider"))
    }

    /// Adds a provider, or changes the one with this id. Without a key the stored one stays, as
    /// long as it goes to the same server.
    pub async fn save_provider(
        &self,
        id: Option<&ProviderId>,
        name: &str,
        kind: ProviderKind,
        base_url: Option<&str>,
        key: Option<&str>,
    ) -> Result<ProviderView> {
        let name = check::name(name)?;
        let wire = check::wire(kind)?;
        let base_url = check::base_url(base_url, self.hub.outbound.reach())?;
        check::address(wire, base_url.as_deref())?;
        let key = check::key(key)?;
        let now = self.hub.now();
        let mut tx = self.hub.store.write().await?;
        let existing = rows::list(&mut *tx, self.owner()).await?;
        let id = match id {
            Some(id) => {
                let old = existing.iter().find(|provider| provider.id == *id);
                let old = old.ok_or(Error::NotFound("provider"))?;
                if !check::is_same_server(old, wire, base_url.as_deref()) {
                    if old.has_key && key.is_none() {
                        return Err(Error::invalid(check::ENTER_AGAIN));
                    }
                    agent_keys::forget_all_for(&mut tx, self.owner(), id).await?;
                }
                id.clone()
            }
            None if existing.len() >= MOST => {
                return Err(Error::Limit(format!("You have {MOST} providers. Delete one first.")));
            }
            None => ProviderId(new_id()),
        };
        rows::put(&mut tx, self.owner(), &id, name, kind, base_url.as_deref(), now).await?;
        if let Some(key) = &key {
            self.hub.vault.put(&mut tx, rows::key_place(self.owner(), &id), key, now).await?;
        }
        tx.commit().await?;
        self.provider(&id).await
    }

    /// Deletes the provider and its key. Agents that use it stay, and say so when they run.
    pub async fn delete_provider(&self, id: &ProviderId) -> Result<()> {
        let mut tx = self.hub.store.write().await?;
        if rows::own(&mut *tx, self.owner(), id).await?.is_some() {
            share::end(&mut tx, id).await?;
        }
        if !rows::delete(&mut tx, self.owner(), id).await? {
            return Err(Error::NotFound("provider"));
        }
        Vault::forget(&mut tx, self.owner(), &id.0).await?;
        tx.commit().await?;
        Ok(())
    }

    /// The guide, which is made when somebody first asks for it.
    pub(crate) async fn guide_provider(&self) -> Result<ProviderId> {
        let mut tx = self.hub.store.write().await?;
        let existing = rows::list(&mut *tx, self.owner()).await?;
        if let Some(guide) = existing.into_iter().find(|provider| provider.kind == ProviderKind::Scripted) {
            return Ok(guide.id);
        }
        let id = ProviderId(new_id());
        rows::put(&mut tx, self.owner(), &id, "Guide", ProviderKind::Scripted, None, self.hub.now()).await?;
        tx.commit().await?;
        Ok(id)
    }
}
