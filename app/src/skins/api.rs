//! The server functions of versions and of what a page may call.

use crate::AppError;
use leptos::prelude::*;
use leptos::server_fn::codec::{GetUrl, PostUrl};
use protocol::AgentId;
use protocol::view::SkinVersion;

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};

/// Every version that is kept, the newest first.
#[server(prefix = "/api", endpoint = "agents/skins", input = GetUrl)]
pub async fn list_skins(id: AgentId) -> Result<Vec<SkinVersion>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).skin_versions(&id).await?)
}

/// Makes a new version that equals this one, and says its number.
#[server(prefix = "/api", endpoint = "agents/restore_skin", input = PostUrl)]
pub async fn restore_skin(id: AgentId, version: u64) -> Result<u64, AppError> {
    let viewer = viewer()?;
    let restored = hub().for_viewer(&viewer).restore_skin(&id, version).await?;
    leptos_axum::redirect(&format!("/agents/{id}/skins"));
    Ok(restored)
}

/// The tools that the agent's page may call without asking again.
#[server(prefix = "/api", endpoint = "agents/page_consents", input = GetUrl)]
pub async fn list_consents(id: AgentId) -> Result<Vec<String>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).page_consents(&id).await?)
}

/// The page has to ask again before it calls this tool.
#[server(prefix = "/api", endpoint = "agents/forget_page_consent", input = PostUrl)]
pub async fn forget_consent(id: AgentId, tool: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).forget_page_consent(&id, &tool).await?;
    leptos_axum::redirect(&format!("/agents/{id}/skins"));
    Ok(())
}
