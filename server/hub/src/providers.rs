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

use crate::Hub;
use crate::access::{Admin, Viewer};
pub(crate) use agent_keys::{forget as forget_agent_keys, purpose as agent_key_purpose};
pub(crate) use check::{base_url as checked_base_url, key as checked_key};
pub(crate) use rows::{Asker, Connection, Server, Usable, on_device_of};

use crate::access::Scoped;
use crate::audit::AuditEvent;
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::ledger::month_of;
use crate::store::{ReadCache, Transaction};
use crate::vault::{Secret, Vault};
use agent::providers::Wire;
use device::Origins;
use protocol::agent::ProviderKind;
use protocol::hub::Noun;
use protocol::view::{AuditAction, CarriedProvider, ProviderReach, ProviderView, Right};
use protocol::{ProviderId, UserId};

/// Providers that the hub shares.
#[derive(Clone, Copy, Debug)]
pub struct SharedProviders<'a> {
    hub: &'a Hub,
    viewer: &'a Viewer,
}

impl<'a> Admin<'a> {
    pub fn providers(&self) -> SharedProviders<'a> {
        SharedProviders { hub: self.hub, viewer: self.viewer }
    }
}

/// Providers that the viewer can use.
#[derive(Clone, Copy, Debug)]
pub struct OwnProviders<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn providers(&self) -> OwnProviders<'a> {
        OwnProviders { scoped: *self }
    }
}

/// Who answers for models.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Providers<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub(crate) fn providers(&self) -> Providers<'_> {
        Providers { hub: self }
    }

    fn usable(&self) -> &ReadCache<(UserId, ProviderId), Option<Usable>> {
        &self.0.providers.usable
    }

    fn device_origins(&self) -> &Origins {
        &self.0.providers.device_origins
    }
}

#[derive(Default)]
pub(crate) struct InMemory {
    usable: ReadCache<(UserId, ProviderId), Option<Usable>>,
    device_origins: Origins,
}

const MAX_PROVIDERS_PER_PERSON: usize = 50;

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
                let base_url = check::base_url(base_url.as_deref(), viewer.hub.outbound().reach())?;
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
    viewer.providers().put_in(tx, None, draft).await
}

impl OwnProviders<'_> {
    /// What the person can use: their own, the oldest first, and then what administrators share with them.
    pub async fn list(self) -> Result<Vec<ProviderView>> {
        let store = self.scoped.hub.store().read();
        let mut providers = rows::list(store, self.scoped.owner()).await?;
        providers
            .extend(rows::lent(store, &self.scoped.viewer.me.id, &month_of(self.scoped.hub.now())).await?);
        Ok(providers)
    }

    /// One of their own.
    pub async fn get(self, id: &ProviderId) -> Result<ProviderView> {
        let found = rows::own(self.scoped.hub.store().read(), self.scoped.owner(), id).await?;
        found.ok_or(Error::NotFound("provider"))
    }

    /// Adds a provider, or changes the one with this id. Without a key the stored one stays, as
    /// long as it goes to the same server.
    pub async fn save(
        self,
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
        let base_url = check::base_url(base_url, self.scoped.hub.outbound().reach())?;
        check::address(wire, base_url.as_deref())?;
        let key = check::key(key)?;
        self.put_provider(
            id,
            Draft { name, kind, wire: Some(wire), base_url, key, reach: ProviderReach::Hub },
        )
        .await
    }

    async fn put_provider(self, id: Option<&ProviderId>, draft: Draft<'_>) -> Result<ProviderView> {
        self.scoped.require(Right::SaveProviders)?;
        let mut tx = self.scoped.hub.store().write().await?;
        let id = self.put_in(&mut tx, id, draft).await?;
        tx.commit().await?;
        self.forget_device_origins().await;
        self.get(&id).await
    }

    async fn put_in(
        self,
        tx: &mut Transaction,
        id: Option<&ProviderId>,
        draft: Draft<'_>,
    ) -> Result<ProviderId> {
        let draft = Draft { name: check::name(draft.name)?, ..draft };
        let now = self.scoped.hub.now();
        let existing = rows::list(&mut **tx, self.scoped.owner()).await?;
        let id = match id {
            Some(id) => {
                let old = existing.iter().find(|provider| provider.id == *id);
                let old = old.ok_or(Error::NotFound("provider"))?;
                draft.check_key_of(old)?;
                if !draft.is_server_of(old) {
                    agent_keys::forget_all_for(tx, self.scoped.owner(), id).await?;
                    device_keys::forget_all_for(tx, id).await?;
                }
                match draft.reach {
                    ProviderReach::Hub => {}
                    // Nobody else's browser calls it.
                    ProviderReach::Device | ProviderReach::DeviceKey => drop(share::end(tx, id).await?),
                }
                id.clone()
            }
            None if existing.len() >= MAX_PROVIDERS_PER_PERSON => {
                return Err(Error::Limit(format!(
                    "You have {MAX_PROVIDERS_PER_PERSON} providers. Delete one first."
                )));
            }
            None => ProviderId(new_id()),
        };
        rows::put(tx, self.scoped.owner(), &id, &draft, now).await?;
        if let (Some(key), Some(wire)) = (&draft.key, draft.wire) {
            let server = rows::server_of(wire, draft.base_url.as_deref());
            self.scoped
                .hub
                .vault()
                .put(tx, rows::key_place(self.scoped.owner(), &id, &server), key, now)
                .await?;
        }
        self.scoped
            .hub
            .audit()
            .note(tx, AuditEvent::done(AuditAction::ProviderSaved, self.scoped.viewer).object(draft.name))
            .await?;
        tx.changes(&self.scoped.viewer.me.id, Noun::Providers);
        Ok(id)
    }

    /// Deletes the provider and its key. Agents that use it stay, and say so when they run.
    pub async fn delete(self, id: &ProviderId) -> Result<()> {
        let mut tx = self.scoped.hub.store().write().await?;
        if rows::own(&mut *tx, self.scoped.owner(), id).await?.is_some() {
            share::end(&mut tx, id).await?;
        }
        let name =
            rows::delete(&mut tx, self.scoped.owner(), id).await?.ok_or(Error::NotFound("provider"))?;
        Vault::forget(&mut tx, self.scoped.owner(), &id.0).await?;
        let line = AuditEvent::done(AuditAction::ProviderDeleted, self.scoped.viewer).object(&name);
        self.scoped.hub.audit().note(&mut tx, line).await?;
        tx.changes(&self.scoped.viewer.me.id, Noun::Providers);
        tx.commit().await?;
        self.forget_device_origins().await;
        self.scoped.hub.ledger().resume_unshared().await
    }

    /// The guide, which is made when somebody first asks for it.
    pub(crate) async fn guide_provider(self) -> Result<ProviderId> {
        let mut tx = self.scoped.hub.store().write().await?;
        let existing = rows::list(&mut *tx, self.scoped.owner()).await?;
        if let Some(guide) = existing.into_iter().find(|provider| provider.kind == ProviderKind::Scripted) {
            return Ok(guide.id);
        }
        let id = ProviderId(new_id());
        rows::put_guide(&mut tx, self.scoped.owner(), &id, self.scoped.hub.now()).await?;
        tx.changes(&self.scoped.viewer.me.id, Noun::Providers);
        tx.commit().await?;
        Ok(id)
    }
}
