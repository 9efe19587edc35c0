//! The server functions of files and saved pages.

use crate::AppError;
use crate::transport::{Posted, Queried};
use leptos::prelude::*;
use protocol::AgentId;
use protocol::archive::SavedSkin;
use protocol::files::{DeletedFile, FileDetail, FileView};

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};

/// Each with an address that opens it for a quarter of an hour.
#[server(prefix = "/api", endpoint = "files/list", protocol = Queried)]
pub async fn list_files(agent: AgentId) -> Result<Vec<FileView>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).files().list(&agent).await?)
}

/// A file with its versions and the beginning of what is in it, or what is left of one that was deleted.
#[server(prefix = "/api", endpoint = "files/view", protocol = Queried)]
pub async fn view_file(agent: AgentId, path: String) -> Result<FileDetail, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).files().detail(&agent, &path).await?)
}

/// What can be brought back, deleted last first.
#[server(prefix = "/api", endpoint = "files/deleted", protocol = Queried)]
pub async fn list_deleted_files(agent: AgentId) -> Result<Vec<DeletedFile>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).files().deleted(&agent).await?)
}

/// Gives the file another path, where nothing may be.
#[server(prefix = "/api", endpoint = "files/rename", protocol = Posted)]
pub async fn rename_file(agent: AgentId, path: String, to: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).files().rename(&agent, &path, &to).await?;
    crate::context::redirect(&format!("/agents/{agent}/files"));
    Ok(())
}

/// Puts the file into the bin, from which it comes back for 30 days.
#[server(prefix = "/api", endpoint = "files/delete", protocol = Posted)]
pub async fn delete_file(agent: AgentId, path: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).files().delete(&agent, &path).await?;
    Ok(())
}

/// Makes this version the newest.
#[server(prefix = "/api", endpoint = "files/restore", protocol = Posted)]
pub async fn restore_file(agent: AgentId, path: String, version: u64) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).files().restore(&agent, &path, version).await?;
    Ok(())
}

/// Takes back the change that made this version, as long as it is the last one.
#[server(prefix = "/api", endpoint = "files/undo", protocol = Posted)]
pub async fn undo_file(agent: AgentId, path: String, version: u64) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).files().undo(&agent, &path, version).await?;
    Ok(())
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
