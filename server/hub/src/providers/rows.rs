//! Providers in the store, and what a call needs to know of one.

use super::{Draft, device};
use crate::Hub;
use crate::error::{Error, Result};
use crate::outbound::Target;
use crate::store::Row as StoreRow;
use crate::vault::{Place, Secret};
use agent::providers::Wire;
use protocol::hub::OnDevice;
use protocol::view::{ProviderKind, ProviderReach, ProviderView};
use protocol::{ProviderId, UserId};
use sqlx::{Any, Executor, Row, Transaction};

/// What answers a call.
#[derive(Debug)]
pub(crate) enum Connection {
    Script,
    Server(Server),
    /// A browser calls it, not the hub.
    Device,
}

#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) name: String,
    pub(crate) wire: Wire,
    /// Absent: the wire's own.
    pub(crate) base_url: Option<String>,
    pub(crate) key: Option<Secret>,
}

impl Hub {
    /// What the owner calls this provider, if it is there.
    pub(crate) async fn provider_name(&self, owner: &UserId, id: &ProviderId) -> Result<Option<String>> {
        Ok(find(self.store.read(), &owner.0, id).await?.map(|provider| provider.name))
    }

    /// How to reach the owner's provider, with its key. `None`: there is no such provider.
    pub(crate) async fn connection(&self, owner: &UserId, id: &ProviderId) -> Result<Option<Connection>> {
        let Some(provider) = find(self.store.read(), &owner.0, id).await? else { return Ok(None) };
        let Some(wire) = Wire::of(provider.kind) else { return Ok(Some(Connection::Script)) };
        match provider.reach {
            ProviderReach::Hub => {}
            ProviderReach::Device => return Ok(Some(Connection::Device)),
        }
        let key = self.vault.read(self.store.read(), key_place(&owner.0, id)).await?;
        Ok(Some(Connection::Server(Server { name: provider.name, wire, base_url: provider.base_url, key })))
    }

    /// Whether calls cost no money: the provider is a script, or a program on machines of the person's.
    pub(crate) async fn is_free(&self, owner: &UserId, id: &ProviderId) -> Result<bool> {
        let provider = find(self.store.read(), &owner.0, id).await?;
        let Some(provider) = provider else { return Ok(false) };
        match provider.reach {
            ProviderReach::Device => return Ok(true),
            ProviderReach::Hub => {}
        }
        Ok(match provider.kind {
            ProviderKind::Ollama
            | ProviderKind::LmStudio
            | ProviderKind::LlamaCpp
            | ProviderKind::Scripted => true,
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
        })
    }
}

impl Server {
    /// Whether its address is on this machine or in the network around it.
    pub(crate) fn is_local(&self) -> bool {
        let address = self.base_url.as_deref().or(self.wire.default_base_url());
        address.is_some_and(|address| Target::parse(address).is_ok_and(|target| target.is_local()))
    }
}

pub(super) fn key_place<'a>(owner: &'a str, id: &'a ProviderId) -> Place<'a> {
    Place { user: owner, provider: &id.0, purpose: "key" }
}

pub(super) async fn list(db: impl Executor<'_, Database = Any>, owner: &str) -> Result<Vec<ProviderView>> {
    let rows = sqlx::query(
        "SELECT p.id, p.name, p.kind, p.base_url, p.created_at, p.reach,
             (SELECT COUNT(*) FROM secrets s
              WHERE s.user_id = p.user_id AND s.provider_id = p.id AND s.purpose = 'key') AS keys
         FROM providers p WHERE p.user_id = $1 ORDER BY p.created_at, p.id",
    )
    .bind(owner)
    .fetch_all(db)
    .await?;
    rows.iter().map(view).collect()
}

pub(super) async fn find(
    db: impl Executor<'_, Database = Any>,
    owner: &str,
    id: &ProviderId,
) -> Result<Option<ProviderView>> {
    Ok(list(db, owner).await?.into_iter().find(|provider| provider.id == *id))
}

/// Inserts the provider or changes what it is, of this owner only.
pub(super) async fn put(
    tx: &mut Transaction<'static, Any>,
    owner: &str,
    id: &ProviderId,
    draft: &Draft<'_>,
    now: i64,
) -> Result<()> {
    let Draft { name, kind, base_url, reach, .. } = draft;
    sqlx::query(
        "INSERT INTO providers (id, user_id, name, kind, base_url, reach, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (id) DO UPDATE SET name = $3, kind = $4, base_url = $5, reach = $6
         WHERE providers.user_id = $2",
    )
    .bind(&id.0)
    .bind(owner)
    .bind(*name)
    .bind(kind_text(*kind)?)
    .bind(base_url.as_deref())
    .bind(reach_text(*reach))
    .bind(now)
    .execute(&mut **tx)
    .await?;
    Ok(())
}

pub(super) async fn put_guide(
    tx: &mut Transaction<'static, Any>,
    owner: &str,
    id: &ProviderId,
    now: i64,
) -> Result<()> {
    sqlx::query(
        "INSERT INTO providers (id, user_id, name, kind, created_at) VALUES ($1, $2, 'Guide', $3, $4)",
    )
    .bind(&id.0)
    .bind(owner)
    .bind(kind_text(ProviderKind::Scripted)?)
    .bind(now)
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Gives the name of the one that was there.
pub(super) async fn delete(
    tx: &mut Transaction<'static, Any>,
    owner: &str,
    id: &ProviderId,
) -> Result<Option<String>> {
    let deleted = sqlx::query("DELETE FROM providers WHERE user_id = $1 AND id = $2 RETURNING name")
        .bind(owner)
        .bind(&id.0)
        .fetch_optional(&mut **tx)
        .await?;
    Ok(deleted.map(|row| row.try_get("name")).transpose()?)
}

fn view(row: &StoreRow) -> Result<ProviderView> {
    let kind = kind_from(row.try_get("kind")?)?;
    let base_url: Option<String> = row.try_get("base_url")?;
    let reach = reach_from(&row.try_get::<String, _>("reach")?);
    Ok(ProviderView {
        id: ProviderId(row.try_get("id")?),
        name: row.try_get("name")?,
        kind,
        models_at: match reach {
            ProviderReach::Hub => None,
            ProviderReach::Device => device::models_at(kind, base_url.as_deref()),
        },
        base_url,
        has_key: row.try_get::<i64, _>("keys")? > 0,
        created_at: row.try_get("created_at")?,
        reach,
    })
}

/// Where the browser calls the model, from a row with `reach`, `provider_kind` and `base_url`; `None`
/// where the hub does.
pub(crate) fn on_device_of(row: &StoreRow) -> Result<Option<OnDevice>> {
    let Some(reach) = row.try_get::<Option<String>, _>("reach")? else { return Ok(None) };
    match reach_from(&reach) {
        ProviderReach::Hub => Ok(None),
        ProviderReach::Device => {
            let kind = kind_from(row.try_get("provider_kind")?)?;
            let base_url: Option<String> = row.try_get("base_url")?;
            Ok(device::on_device(kind, base_url.as_deref()))
        }
    }
}

fn reach_text(reach: ProviderReach) -> &'static str {
    match reach {
        ProviderReach::Hub => "hub",
        ProviderReach::Device => "device",
    }
}

fn reach_from(text: &str) -> ProviderReach {
    if text == "device" { ProviderReach::Device } else { ProviderReach::Hub }
}

/// The kind as it is stored: by its name on the wire.
fn kind_text(kind: ProviderKind) -> Result<String> {
    match serde_json::to_value(kind)? {
        serde_json::Value::String(name) => Ok(name),
        other => Err(Error::internal(format!("the kind {other} has no name"))),
    }
}

fn kind_from(text: String) -> Result<ProviderKind> {
    serde_json::from_value(serde_json::Value::String(text)).map_err(Error::internal)
}
