//! Providers: where a person's models run. How a model is called is not known here.

mod agent_keys;
mod check;
mod device;
mod device_keys;
mod find;
mod local;
mod probe;
mod rows;
mod share;

pub(crate) use agent_keys::{forget as forget_agent_keys, purpose as agent_key_purpose};
pub(crate) use device::Origins;
pub(crate) use rows::{Asker, Connection, Server, Usable, on_device_of};

use crate::access::Scoped;
use crate::audit::Line;
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::ledger::month_of;
use crate::store::Transaction;
use crate::vault::{Secret, Vault};
use agent::providers::Wire;
use protocol::ProviderId;
use protocol::view::{AuditAction, CarriedProvider, ProviderKind, ProviderReach, ProviderView, Right};

const MOST: usize = 50;

/// What is to be stored of a provider.
struct Draft<'a> {
    name: &'a str,
    kind: ProviderKind,
    /// Absent: there is no server.
    wire: Option<Wire>,
    base_url: Option<String>,
    key: Option<Secret>,
    reach: ProviderReach,
}

impl Draft<'_> {
    /// Refuses a change that would take the stored key elsewhere.
    fn check_key_of(&self, old: &ProviderView) -> Result<()> {
        if !old.has_key {
            return Ok(());
        }
        match self.reach {
            ProviderReach::Device | ProviderReach::DeviceKey => Err(Error::invalid(device::KEY_STAYS)),
            ProviderReach::Hub if self.key.is_some() => Ok(()),
            ProviderReach::Hub if self.is_server_of(old) => Ok(()),
            ProviderReach::Hub => Err(Error::invalid(check::ENTER_AGAIN)),
        }
    }

    /// Whether requests go where they went before.
    fn is_server_of(&self, old: &ProviderView) -> bool {
        self.reach == old.reach
            && self.wire.is_some_and(|wire| check::is_same_server(old, wire, self.base_url.as_deref()))
    }
}

/// Adds a provider that comes from another hub, without its key.
pub(crate) async fn carry(
    viewer: &Scoped<'_>,
    tx: &mut Transaction,
    carried: &CarriedProvider,
) -> Result<ProviderId> {
    let CarriedProvider { name, kind, base_url, reach, had_key: _ } = carried;
    let (wire, base_url) = if *kind == ProviderKind::InBrowser {
        (None, None)
    } else {
        let wire = check::wire(*kind)?;
        let base_url = match reach {
            ProviderReach::Hub => {
                let base_url = check::base_url(base_url.as_deref(), viewer.hub.outbound.reach())?;
                check::address(wire, base_url.as_deref())?;
                base_url
            }
            ProviderReach::Device => device::base_url_of(*kind, wire, base_url.as_deref())?,
            ProviderReach::DeviceKey => device_keys::base_url_of(*kind, wire, base_url.as_deref())?,
        };
        (Some(wire), base_url)
    };
    let reach = if wire.is_some() { *reach } else { ProviderReach::Device };
    let draft = Draft { name, kind: *kind, wire, base_url, key: None, reach };
    viewer.put_in(tx, None, draft).await
}

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
        if kind == ProviderKind::InBrowser {
            if check::key(key)?.is_some() {
                return Err(Error::invalid("A browser's own model has no key. Leave it out."));
            }
            return self.save_device_provider(id, name, kind, base_url).await;
        }
        let wire = check::wire(kind)?;
        let base_url = check::base_url(base_url, self.hub.outbound.reach())?;
        check::address(wire, base_url.as_deref())?;
        let key = check::key(key)?;
        self.put_provider(
            id,
            Draft { name, kind, wire: Some(wire), base_url, key, reach: ProviderReach::Hub },
        )
        .await
    }

    async fn put_provider(&self, id: Option<&ProviderId>, draft: Draft<'_>) -> Result<ProviderView> {
        self.require(Right::SaveProviders)?;
        let mut tx = self.hub.store.write().await?;
        let id = self.put_in(&mut tx, id, draft).await?;
        tx.commit().await?;
        self.hub.device_origins.forget(&self.viewer.me.id).await;
        self.provider(&id).await
    }

    async fn put_in(
        &self,
        tx: &mut Transaction,
        id: Option<&ProviderId>,
        draft: Draft<'_>,
    ) -> Result<ProviderId> {
        let draft = Draft { name: check::name(draft.name)?, ..draft };
        let now = self.hub.now();
        let existing = rows::list(&mut **tx, self.owner()).await?;
        let id = match id {
            Some(id) => {
                let old = existing.iter().find(|provider| provider.id == *id);
                let old = old.ok_or(Error::NotFound("provider"))?;
                draft.check_key_of(old)?;
                if !draft.is_server_of(old) {
                    agent_keys::forget_all_for(tx, self.owner(), id).await?;
                    device_keys::forget_all_for(tx, id).await?;
                }
                match draft.reach {
                    ProviderReach::Hub => {}
                    // Nobody else's browser calls it.
                    ProviderReach::Device | ProviderReach::DeviceKey => drop(share::end(tx, id).await?),
                }
                id.clone()
            }
            None if existing.len() >= MOST => {
                return Err(Error::Limit(format!("You have {MOST} providers. Delete one first.")));
            }
            None => ProviderId(new_id()),
        };
        rows::put(tx, self.owner(), &id, &draft, now).await?;
        if let Some(key) = &draft.key {
            self.hub.vault.put(tx, rows::key_place(self.owner(), &id), key, now).await?;
        }
        self.hub.note(tx, Line::done(AuditAction::ProviderSaved, self.viewer).object(draft.name)).await?;
        Ok(id)
    }

    /// Deletes the provider and its key. Agents that use it stay, and say so when they run.
    pub async fn delete_provider(&self, id: &ProviderId) -> Result<()> {
        let mut tx = self.hub.store.write().await?;
        if rows::own(&mut *tx, self.owner(), id).await?.is_some() {
            share::end(&mut tx, id).await?;
        }
        let name = rows::delete(&mut tx, self.owner(), id).await?.ok_or(Error::NotFound("provider"))?;
        Vault::forget(&mut tx, self.owner(), &id.0).await?;
        let line = Line::done(AuditAction::ProviderDeleted, self.viewer).object(&name);
        self.hub.note(&mut tx, line).await?;
        tx.commit().await?;
        self.hub.device_origins.forget(&self.viewer.me.id).await;
        self.hub.resume_unshared().await
    }

    /// The guide, which is made when somebody first asks for it.
    pub(crate) async fn guide_provider(&self) -> Result<ProviderId> {
        let mut tx = self.hub.store.write().await?;
        let existing = rows::list(&mut *tx, self.owner()).await?;
        if let Some(guide) = existing.into_iter().find(|provider| provider.kind == ProviderKind::Scripted) {
            return Ok(guide.id);
        }
        let id = ProviderId(new_id());
        rows::put_guide(&mut tx, self.owner(), &id, self.hub.now()).await?;
        tx.commit().await?;
        Ok(id)
    }
}
