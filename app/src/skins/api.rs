//! The server functions of versions.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::AgentId;
use protocol::view::SkinVersion;

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};

/// Every version that is kept, the newest first.
#[server(prefix = "/api", endpoint = "agents/skins", protocol = Queried)]
pub async fn list_skins(id: AgentId) -> Result<Vec<SkinVersion>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).skins().versions(&id).await?)
}

/// Makes a new version that equals this one, and says its number.
#[server(prefix = "/api", endpoint = "agents/restore_skin", protocol = Posted)]
pub async fn restore_skin(id: AgentId, version: u64) -> Result<u64, AppError> {
    let viewer = viewer()?;
    let restored = hub().for_viewer(&viewer).skins().restore(&id, version).await?;
    crate::context::redirect(&format!("/agents/{id}/skins"));
    Ok(restored)
}
