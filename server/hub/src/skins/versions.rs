//! The versions themselves: numbered in the commit that stores them, and the last hundred kept.

use crate::error::{Error, Result};
use crate::log::{Appending, EntryScope};
use crate::store::{Json, Transaction, query};
use protocol::log::{EntryBody, Skin};
use protocol::page::SkinPage;
use protocol::view::SkinOrigin;
use protocol::{AgentId, DeviceId, TabId};
use sqlx::{Any, Executor};

/// Versions that are kept of each agent.
const KEPT_VERSIONS: i64 = 100;

/// The next version, as it is to be stored.
pub(crate) struct Drawing<'a> {
    pub(crate) page: &'a SkinPage,
    pub(crate) origin: SkinOrigin,
    /// Where it was made, if in a browser.
    pub(crate) device: Option<&'a DeviceId>,
    /// The tab that shows it already.
    pub(crate) by: Option<TabId>,
    /// What the page made of itself: of which version, and since when.
    pub(crate) grown: Option<Grown>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grown {
    pub(super) base: i64,
    /// Unix milliseconds.
    pub(super) since: i64,
}

impl<'a> Drawing<'a> {
    pub(crate) fn new(page: &'a SkinPage, origin: SkinOrigin) -> Self {
        Self { page, origin, device: None, by: None, grown: None }
    }
}

/// Stores the page as the version after `newest` and tells it in the log.
pub(crate) async fn store_next(
    appending: &mut Appending,
    place: &EntryScope,
    newest: u64,
    drawing: Drawing<'_>,
) -> Result<u64> {
    let Drawing { page, origin, device, by, grown } = drawing;
    let version = newest + 1;
    let device = match device {
        Some(device) => device_name(&mut appending.tx, device).await?,
        None => None,
    };
    let at = appending.now();
    let text = serde_json::to_string(page)?;
    let bytes = i64::try_from(text.len()).map_err(Error::internal)?;
    query(
        "INSERT INTO skins (agent_id, version, page, run_id, at, origin, device, base, since, bytes)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        (
            &place.agent,
            version,
            text,
            &place.run,
            at,
            origin,
            device,
            grown.map_or(0, |grown| grown.base),
            grown.map_or(0, |grown| grown.since),
            bytes,
        ),
    )
    .execute(&mut *appending.tx)
    .await?;
    query(
        "DELETE FROM skins WHERE agent_id = $1 AND version <
             (SELECT version FROM skins WHERE agent_id = $1 ORDER BY version DESC LIMIT 1 OFFSET $2)",
        (&place.agent, KEPT_VERSIONS - 1),
    )
    .execute(&mut *appending.tx)
    .await?;
    appending.append(place, EntryBody::Skin { version, by }).await?;
    Ok(version)
}

/// The newest page, inside the transaction that may store the next one.
pub(crate) async fn newest(tx: &mut Transaction, agent: &AgentId) -> Result<Option<Skin>> {
    find(&mut **tx, agent, None).await
}

/// The newest version that the page did not make of itself; 0 if there is none.
pub(crate) async fn drawn(tx: &mut Transaction, agent: &AgentId) -> Result<i64> {
    let version = query(
        "SELECT CASE WHEN base > 0 THEN base ELSE version END FROM skins
         WHERE agent_id = $1 ORDER BY version DESC LIMIT 1",
        (agent,),
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(version.unwrap_or(0))
}

/// A version, or the newest.
pub(super) async fn find(
    from: impl Executor<'_, Database = Any>,
    agent: &AgentId,
    version: Option<u64>,
) -> Result<Option<Skin>> {
    let wanted = version.map(|version| i64::try_from(version).unwrap_or(i64::MAX));
    let skin: Option<(u64, Json<SkinPage>)> = query(
        "SELECT version, page FROM skins WHERE agent_id = $1 AND version = COALESCE($2, version)
         ORDER BY version DESC LIMIT 1",
        (agent, wanted),
    )
    .fetch_optional(from)
    .await?;
    Ok(skin.map(|(version, Json(page))| Skin { version, page }))
}

async fn device_name(tx: &mut Transaction, device: &DeviceId) -> Result<Option<String>> {
    query("SELECT name FROM devices WHERE id = $1", (device,)).fetch_optional(&mut **tx).await
}
