//! Providers in the store, and what a call needs to know of one.

use super::{Draft, agent_keys, device, device_keys};
use crate::error::Result;
use crate::outbound::Target;
use crate::providers::Providers;
use crate::store::Row as StoreRow;
use crate::store::{Json, Readers, Row, Transaction, query};
use crate::vault::{AssociatedData, Secret};
use agent::providers::Wire;
use protocol::agent::ProviderKind;
use protocol::run::OnDevice;
use protocol::view::{ModelPlace, ProviderOwnership, ProviderReach, ProviderView};
use protocol::{AgentId, ProviderId, UserId};
use sqlx::{Any, Executor};

/// What the person `$1` can use.
const USABLE: &str = "SELECT p.id, p.name, p.kind, p.base_url, p.created_at, p.reach, p.user_id AS owner_id,
            COALESCE(s.models, '[]') AS models, c.per_month,
            CASE WHEN o.role = 'admin' THEN 1 ELSE 0 END AS servers,
            (SELECT COUNT(*) FROM secrets k
             WHERE k.user_id = p.user_id AND k.provider_id = p.id AND k.purpose = 'key') AS keys
     FROM providers p JOIN users o ON o.id = p.user_id
     LEFT JOIN shared_providers s ON s.provider_id = p.id
     LEFT JOIN caps c ON c.scope = 'shared' AND c.owner = p.id
     WHERE p.id IN (SELECT v.provider_id FROM usable_providers v WHERE v.user_id = $1)";

/// What answers a call.
#[derive(Debug)]
pub(crate) enum Connection {
    Script,
    Server(ProviderKind, Server),
    /// A browser calls it, not the hub.
    Device,
    /// The same, with a key that the person keeps there.
    DeviceKey {
        name: String,
    },
}

#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) name: String,
    pub(crate) wire: Wire,
    /// Absent: the wire's own.
    pub(crate) base_url: Option<String>,
    pub(crate) key: Option<Secret>,
    /// Set if it is an administrator's, who lets others use it.
    pub(crate) lent: Option<SharedTerms>,
}

/// The terms on which others use a provider. They do not get to know where it is.
#[derive(Clone, Debug)]
pub(crate) struct SharedTerms {
    /// Those that they may use; empty: all.
    pub(crate) models: Vec<String>,
}

/// For whom a model is called.
#[derive(Clone, Debug)]
pub(crate) struct Asker {
    pub(crate) person: UserId,
    /// One that may have a key of its own.
    pub(crate) agent: Option<AgentId>,
}

/// What a person can use, and whose it is.
#[derive(Clone, Debug)]
pub(crate) struct Usable {
    pub(crate) provider: ProviderView,
    owner: String,
    pub(crate) lent: Option<SharedTerms>,
    /// Whether it is an administrator's: its calls count for the limit of the server.
    pub(crate) is_servers: bool,
}

impl Providers<'_> {
    /// What this provider is called, if the person can use it.
    pub(crate) async fn provider_name(self, person: &UserId, id: &ProviderId) -> Result<Option<String>> {
        Ok(self.usable(person, id).await?.map(|usable| usable.provider.name))
    }

    /// How to reach a provider that the asker can use, with the key for it. `None`: there is no such
    /// provider.
    pub(crate) async fn connection(self, asker: &Asker, id: &ProviderId) -> Result<Option<Connection>> {
        let Some(Usable { provider, owner, lent, is_servers: _ }) = self.usable(&asker.person, id).await?
        else {
            return Ok(None);
        };
        match provider.reach {
            ProviderReach::Hub => {}
            ProviderReach::Device => return Ok(Some(Connection::Device)),
            ProviderReach::DeviceKey => return Ok(Some(Connection::DeviceKey { name: provider.name })),
        }
        let Some(wire) = Wire::of(provider.kind) else { return Ok(Some(Connection::Script)) };
        let server = server_of(wire, provider.base_url.as_deref());
        let own = match &asker.agent {
            Some(agent) if lent.is_none() => {
                let purpose = agent_keys::purpose(agent);
                self.hub.vault().read(self.hub.store(), place(&owner, id, &purpose, &server)).await?
            }
            Some(_) | None => None,
        };
        let key = match own {
            Some(key) => Some(key),
            None => self.hub.vault().read(self.hub.store(), key_place(&owner, id, &server)).await?,
        };
        let ProviderView { name, kind, base_url, .. } = provider;
        Ok(Some(Connection::Server(kind, Server { name, wire, base_url, key, lent })))
    }

    /// The provider, if the person can use it.
    pub(crate) async fn usable(self, person: &UserId, id: &ProviderId) -> Result<Option<Usable>> {
        let key = (person.clone(), id.clone());
        self.hub.usable().get(self.hub.store(), key, self.read_usable(person, id)).await
    }
}

impl Providers<'_> {
    async fn read_usable(self, person: &UserId, id: &ProviderId) -> Result<Option<Usable>> {
        let row = query([USABLE, "AND p.id = $2"], (person, id))
            .fetch_optional::<Row>(self.hub.store().read())
            .await?;
        row.as_ref().map(|row| usable(row, person)).transpose()
    }
}

impl Usable {
    /// Whether calls cost no money: the provider is a script, or a program on somebody's own machines.
    pub(crate) fn is_free(&self) -> bool {
        match self.provider.reach {
            ProviderReach::Device => return true,
            ProviderReach::Hub | ProviderReach::DeviceKey => {}
        }
        match self.provider.kind {
            ProviderKind::InBrowser | ProviderKind::Scripted => true,
            // What somebody else runs under the same name may have its price.
            ProviderKind::Ollama | ProviderKind::LmStudio | ProviderKind::LlamaCpp => self.is_local(),
            ProviderKind::Anthropic
            | ProviderKind::OpenAi
            | ProviderKind::OpenAiResponses
            | ProviderKind::Gemini
            | ProviderKind::Bedrock
            | ProviderKind::Azure
            | ProviderKind::Groq
            | ProviderKind::OpenRouter
            | ProviderKind::DeepSeek
            | ProviderKind::Mistral
            | ProviderKind::XAi => false,
        }
    }

    /// Where its models run, if that is the person's device or where the hub is.
    pub(crate) fn near(&self) -> Option<ModelPlace> {
        match self.provider.reach {
            ProviderReach::Device => Some(ModelPlace::Device),
            ProviderReach::DeviceKey => None,
            ProviderReach::Hub => self.is_local().then_some(ModelPlace::Hub),
        }
    }

    /// Whether its address is on this machine or in the network around it.
    fn is_local(&self) -> bool {
        let own = Wire::of(self.provider.kind).and_then(|wire| wire.default_base_url());
        let address = self.provider.base_url.as_deref().or(own);
        address.and_then(|address| Target::parse(address).ok()).is_some_and(|target| target.is_local())
    }
}

impl Server {
    /// Whether its address is on this machine or in the network around it.
    pub(crate) fn is_local(&self) -> bool {
        self.target().is_some_and(|target| target.is_local())
    }

    pub(crate) fn target(&self) -> Option<Target> {
        Target::parse(self.base_url.as_deref().or(self.wire.default_base_url())?).ok()
    }
}

impl SharedTerms {
    pub(crate) fn allows(&self, model: &str) -> bool {
        self.models.is_empty() || self.models.iter().any(|allowed| allowed == model)
    }
}

/// The purpose of a provider's own key.
pub(super) const KEY: &str = "key";

pub(super) fn key_place<'a>(owner: &'a str, id: &'a ProviderId, server: &'a str) -> AssociatedData<'a> {
    place(owner, id, KEY, server)
}

pub(super) fn place<'a>(
    owner: &'a str,
    id: &'a ProviderId,
    purpose: &'a str,
    server: &'a str,
) -> AssociatedData<'a> {
    AssociatedData { user: owner, provider: &id.0, purpose, server: Some(server) }
}

/// The one server to which keys for it go: scheme, host and port.
pub(super) fn server_of(wire: Wire, base_url: Option<&str>) -> String {
    let target = base_url.or(wire.default_base_url()).and_then(|url| Target::parse(url).ok());
    target.map(|target| target.place()).unwrap_or_default()
}

impl Providers<'_> {
    /// Seals keys that were kept before for the server to which they go.
    pub(crate) async fn bind_keys(self) -> Result<()> {
        let server_of_row = |row: &StoreRow| {
            let Some(kind) = row.get("kind")? else { return Ok(String::new()) };
            let base_url: Option<String> = row.get("base_url")?;
            let wire = Wire::of(kind);
            Ok(wire.map(|wire| server_of(wire, base_url.as_deref())).unwrap_or_default())
        };
        self.hub.vault().bind(self.hub.store(), self.hub.now(), server_of_row).await
    }
}

/// The person's own, oldest first.
pub(super) async fn list(db: impl Executor<'_, Database = Any>, owner: &str) -> Result<Vec<ProviderView>> {
    let rows = query(
        "SELECT p.id, p.name, p.kind, p.base_url, p.created_at, p.reach,
             (SELECT COUNT(*) FROM secrets s
              WHERE s.user_id = p.user_id AND s.provider_id = p.id AND s.purpose = 'key') AS keys,
             (SELECT COUNT(*) FROM shared_providers s WHERE s.provider_id = p.id) AS shares
         FROM providers p WHERE p.user_id = $1 ORDER BY p.created_at, p.id",
        (owner,),
    )
    .fetch_all::<Row>(db)
    .await?;
    let own = |row: &StoreRow| {
        let whose =
            if row.get::<i64>("shares")? > 0 { ProviderOwnership::OwnShared } else { ProviderOwnership::Own };
        view(row, whose)
    };
    rows.iter().map(own).collect()
}

pub(super) async fn own(
    db: impl Executor<'_, Database = Any>,
    owner: &str,
    id: &ProviderId,
) -> Result<Option<ProviderView>> {
    Ok(list(db, owner).await?.into_iter().find(|provider| provider.id == *id))
}

/// What others let the person use, by name.
pub(super) async fn lent(db: &Readers, person: &UserId, month: &str) -> Result<Vec<ProviderView>> {
    let rows =
        query([USABLE, "AND p.user_id <> $1 ORDER BY p.name, p.id"], (person,)).fetch_all::<Row>(db).await?;
    let mut providers = Vec::new();
    for row in &rows {
        let Usable { provider, lent, .. } = usable(row, person)?;
        let spent = query(
            "SELECT CAST(COALESCE(SUM(cost), 0) AS BIGINT) FROM spending
             WHERE user_id = $1 AND provider_id = $2 AND SUBSTR(day, 1, 7) = $3",
            (person, &provider.id, month),
        )
        .fetch_one::<Row>(db)
        .await?;
        let whose = ProviderOwnership::Lent {
            models: lent.map(|lent| lent.models).unwrap_or_default(),
            per_month: row.get("per_month")?,
            spent: spent.get(0)?,
        };
        // Where it is remains between the administrator and the hub.
        providers.push(ProviderView { base_url: None, whose, ..provider });
    }
    Ok(providers)
}

/// Inserts the provider or changes what it is, of this owner only.
pub(super) async fn put(
    tx: &mut Transaction,
    owner: &str,
    id: &ProviderId,
    draft: &Draft<'_>,
    now: i64,
) -> Result<()> {
    let Draft { name, kind, base_url, reach, .. } = draft;
    query(
        "INSERT INTO providers (id, user_id, name, kind, base_url, reach, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (id) DO UPDATE SET name = $3, kind = $4, base_url = $5, reach = $6
         WHERE providers.user_id = $2",
        (id, owner, *name, kind, base_url.as_deref(), reach, now),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

pub(super) async fn put_guide(tx: &mut Transaction, owner: &str, id: &ProviderId, now: i64) -> Result<()> {
    query(
        "INSERT INTO providers (id, user_id, name, kind, created_at) VALUES ($1, $2, 'Guide', $3, $4)",
        (id, owner, ProviderKind::Scripted, now),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Gives the name of the one that was there.
pub(super) async fn delete(tx: &mut Transaction, owner: &str, id: &ProviderId) -> Result<Option<String>> {
    query("DELETE FROM providers WHERE user_id = $1 AND id = $2 RETURNING name", (owner, id))
        .fetch_optional(&mut **tx)
        .await
}

fn usable(row: &StoreRow, person: &UserId) -> Result<Usable> {
    let owner: String = row.get("owner_id")?;
    let lent =
        if owner == person.0 { None } else { Some(SharedTerms { models: row.get::<Json<_>>("models")?.0 }) };
    let is_servers = row.get::<i64>("servers")? > 0;
    Ok(Usable { provider: view(row, ProviderOwnership::Own)?, owner, lent, is_servers })
}

fn view(row: &StoreRow, whose: ProviderOwnership) -> Result<ProviderView> {
    let kind = row.get("kind")?;
    let base_url: Option<String> = row.get("base_url")?;
    let reach = row.get("reach")?;
    let id: ProviderId = row.get("id")?;
    let name: String = row.get("name")?;
    Ok(ProviderView {
        models_at: match reach {
            ProviderReach::Hub => None,
            ProviderReach::Device | ProviderReach::DeviceKey => device::models_at(kind, base_url.as_deref()),
        },
        key_slot: match reach {
            ProviderReach::Hub | ProviderReach::Device => None,
            ProviderReach::DeviceKey => device_keys::slot(&id, &name, kind, base_url.as_deref()),
        },
        id,
        name,
        kind,
        base_url,
        has_key: row.get::<i64>("keys")? > 0,
        whose,
        created_at: row.get("created_at")?,
        reach,
    })
}

/// Where the browser calls the model, from a row with `reach`, `provider_id`, `provider_name`,
/// `provider_kind` and `base_url`; `None` where the hub does.
pub(crate) fn on_device_of(row: &StoreRow) -> Result<Option<OnDevice>> {
    let Some(reach) = row.get("reach")? else { return Ok(None) };
    match reach {
        ProviderReach::Hub => Ok(None),
        ProviderReach::Device | ProviderReach::DeviceKey => {
            let kind = row.get("provider_kind")?;
            let base_url: Option<String> = row.get("base_url")?;
            let Some(on_device) = device::on_device(kind, base_url.as_deref()) else { return Ok(None) };
            if reach == ProviderReach::Device {
                return Ok(Some(on_device));
            }
            let id: ProviderId = row.get("provider_id")?;
            let name: String = row.get("provider_name")?;
            let key = device_keys::slot(&id, &name, kind, base_url.as_deref()).map(Box::new);
            Ok(Some(OnDevice { key, ..on_device }))
        }
    }
}
