//! The pages that agents drew: every version, and a picture of the newest for the dashboard.

pub(crate) mod document;
mod effort;
mod saved;
mod still;

pub(crate) use saved::check_size;

use crate::access::Scoped;
use crate::error::{Error, Result};
use crate::store::Row;
use protocol::frame::SkinPage;
use protocol::log::Skin;
use protocol::{AgentId, RunId};
use sqlx::{Any, Executor, Row as _, Transaction};

/// Largest page, as JSON, in bytes.
pub(crate) const PAGE: usize = 2 * 1024 * 1024;

impl Scoped<'_> {
    /// The newest page; `None` until the agent has drawn.
    pub async fn skin(&self, agent: &AgentId) -> Result<Option<Skin>> {
        self.require_agent(agent).await?;
        find_newest(self.hub.store.read(), agent).await
    }

    /// The newest page as a document in which nothing runs and which fetches nothing.
    pub async fn still(&self, agent: &AgentId) -> Result<Option<String>> {
        let Some(skin) = self.skin(agent).await? else { return Ok(None) };
        still_of(&skin.page).map(Some)
    }
}

/// The page as a document in which nothing runs and which fetches nothing.
pub(crate) fn still_of(page: &SkinPage) -> Result<String> {
    still::document(page)
}

/// The newest page, inside the transaction that may store the next one.
pub(crate) async fn newest(tx: &mut Transaction<'static, Any>, agent: &AgentId) -> Result<Option<Skin>> {
    find_newest(&mut **tx, agent).await
}

pub(crate) async fn store_skin(
    tx: &mut Transaction<'static, Any>,
    agent: &AgentId,
    version: u64,
    page: &SkinPage,
    run: Option<&RunId>,
    at: i64,
) -> Result<()> {
    sqlx::query("INSERT INTO skins (agent_id, version, page, run_id, at) VALUES ($1, $2, $3, $4, $5)")
        .bind(&agent.0)
        .bind(i64::try_from(version).map_err(Error::internal)?)
        .bind(serde_json::to_string(page)?)
        .bind(run.map(|run| run.0.as_str()))
        .bind(at)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

async fn find_newest<'c>(from: impl Executor<'c, Database = Any>, agent: &AgentId) -> Result<Option<Skin>> {
    let row =
        sqlx::query("SELECT version, page FROM skins WHERE agent_id = $1 ORDER BY version DESC LIMIT 1")
            .bind(&agent.0)
            .fetch_optional(from)
            .await?;
    row.as_ref().map(skin).transpose()
}

fn skin(row: &Row) -> Result<Skin> {
    let version: i64 = row.try_get("version")?;
    let page: String = row.try_get("page")?;
    Ok(Skin { version: u64::try_from(version).map_err(Error::internal)?, page: serde_json::from_str(&page)? })
}
