//! The pages that agents drew: the newest versions, one of which can be brought back, and a still
//! picture of each.

pub(crate) mod document;
mod effort;
mod restore;
mod saved;
mod snapshot;
mod still;
mod versions;

pub(crate) use saved::check_size;
pub(crate) use versions::{Drawing, drawn, newest, store_next};

use crate::Hub;
use crate::access::Scoped;
use crate::error::Result;
use crate::store::Row;
use protocol::AgentId;
use protocol::frame::SkinPage;
use protocol::log::Skin;
use protocol::view::{SkinOrigin, SkinVersion};
use sqlx::Row as _;

/// Largest page, as JSON, in bytes.
pub(crate) const PAGE: usize = 2 * 1024 * 1024;

impl Scoped<'_> {
    /// The newest page; `None` until the agent has drawn.
    pub async fn skin(&self, agent: &AgentId) -> Result<Option<Skin>> {
        self.require_agent(agent).await?;
        self.hub.skin_of(agent).await
    }

    /// A page as a document in which nothing runs and which fetches nothing: the newest, or that of a
    /// version.
    pub async fn still(&self, agent: &AgentId, version: Option<u64>) -> Result<Option<String>> {
        self.require_agent(agent).await?;
        let Some(skin) = versions::find(self.hub.store.read(), agent, version).await? else {
            return Ok(None);
        };
        still::document(&skin.page).map(Some)
    }

    /// Every version that is kept, the newest first.
    pub async fn skin_versions(&self, agent: &AgentId) -> Result<Vec<SkinVersion>> {
        self.require_agent(agent).await?;
        let rows = sqlx::query(
            "SELECT version, at, origin, device, run_id FROM skins WHERE agent_id = $1 ORDER BY version DESC",
        )
        .bind(&agent.0)
        .fetch_all(self.hub.store.read())
        .await?;
        rows.iter().map(version).collect()
    }
}

/// The page as a document in which nothing runs and which fetches nothing.
pub(crate) fn still_of(page: &SkinPage) -> Result<String> {
    still::document(page)
}

impl Hub {
    pub(crate) async fn skin_of(&self, agent: &AgentId) -> Result<Option<Skin>> {
        versions::find(self.store.read(), agent, None).await
    }
}

fn version(row: &Row) -> Result<SkinVersion> {
    let origin: String = row.try_get("origin")?;
    Ok(SkinVersion {
        version: versions::number(row)?,
        at: row.try_get("at")?,
        origin: serde_json::from_value::<SkinOrigin>(origin.into())?,
        device: row.try_get("device")?,
    })
}
