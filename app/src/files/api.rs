//! The server functions of files and saved pages.

use crate::AppError;
use leptos::prelude::*;
use leptos::server_fn::codec::{GetUrl, PostUrl};
use protocol::AgentId;
use protocol::archive::{FileView, SavedSkin};

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};

/// Each with an address that opens it for a quarter of an hour.
#[server(prefix = "/api", endpoint = "files/list", input = GetUrl)]
pub async fn list_files(agent: AgentId) -> Result<Vec<FileView>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).files(&agent).await?)
}

#[server(prefix = "/api", endpoint = "skins/list", input = GetUrl)]
pub async fn list_skins(agent: AgentId) -> Result<Vec<SavedSkin>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).saved_skins(&agent).await?)
}

/// Puts the page as it is now aside, in place of what had this name.
#[server(prefix = "/api", endpoint = "skins/save", input = PostUrl)]
pub async fn save_skin(agent: AgentId, name: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).save_skin(&agent, &name).await?;
    leptos_axum::redirect(&format!("/agents/{agent}/edit"));
    Ok(())
}

/// Makes a saved page the next version, for everybody who looks.
#[server(prefix = "/api", endpoint = "skins/load", input = PostUrl)]
pub async fn load_skin(agent: AgentId, name: String) -> Result<u64, AppError> {
    let viewer = viewer()?;
    let version = hub().for_viewer(&viewer).load_skin(&agent, &name).await?;
    leptos_axum::redirect(&format!("/agents/{agent}"));
    Ok(version)
}

#[server(prefix = "/api", endpoint = "skins/delete", input = PostUrl)]
pub async fn delete_skin(agent: AgentId, name: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).delete_skin(&agent, &name).await?;
    leptos_axum::redirect(&format!("/agents/{agent}/edit"));
    Ok(())
}
