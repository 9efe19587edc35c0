//! The server functions of files and saved pages.

use crate::AppError;
use crate::transport::{Posted, Queried};
use leptos::prelude::*;
use protocol::AgentId;
use protocol::archive::{FileView, SavedSkin};

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};

/// Each with an address that opens it for a quarter of an hour.
#[server(prefix = "/api", endpoint = "files/list", protocol = Queried)]
pub async fn list_files(agent: AgentId) -> Result<Vec<FileView>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).files().list(&agent).await?)
}

#[server(prefix = "/api", endpoint = "skins/list", protocol = Queried)]
pub async fn list_skins(agent: AgentId) -> Result<Vec<SavedSkin>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).skins().saved(&agent).await?)
}

/// Puts the page as it is now aside, in place of what had this name.
#[server(prefix = "/api", endpoint = "skins/save", protocol = Posted)]
pub async fn save_skin(agent: AgentId, name: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).skins().save(&agent, &name).await?;
    crate::context::redirect(&format!("/agents/{agent}/edit"));
    Ok(())
}

/// Makes a saved page the next version, for everybody who looks.
#[server(prefix = "/api", endpoint = "skins/load", protocol = Posted)]
pub async fn load_skin(agent: AgentId, name: String) -> Result<u64, AppError> {
    let viewer = viewer()?;
    let version = hub().for_viewer(&viewer).skins().load(&agent, &name).await?;
    crate::context::redirect(&format!("/agents/{agent}"));
    Ok(version)
}

#[server(prefix = "/api", endpoint = "skins/delete", protocol = Posted)]
pub async fn delete_skin(agent: AgentId, name: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).skins().delete(&agent, &name).await?;
    crate::context::redirect(&format!("/agents/{agent}/edit"));
    Ok(())
}
