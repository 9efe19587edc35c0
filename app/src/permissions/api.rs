//! The server functions of permissions.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::view::PermissionView;
use protocol::{AgentId, Permission};

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};

#[server(prefix = "/api", endpoint = "agents/permissions", protocol = Queried)]
pub async fn list_permissions(id: AgentId) -> Result<Vec<PermissionView>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).permissions().list(&id).await?)
}

/// Whether "always" for the host of a link covers the whole of its address.
#[server(prefix = "/api", endpoint = "agents/covers_link", protocol = Queried)]
pub async fn covers_link(id: AgentId, url: String) -> Result<bool, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).permissions().covers_link(&id, &url).await?)
}

/// `host` is for links, and empty for all others.
#[server(prefix = "/api", endpoint = "agents/set_permission", protocol = Posted)]
pub async fn set_permission(
    id: AgentId,
    permission: Permission,
    #[server(default)] host: String,
    allowed: bool,
) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).permissions().set(&id, permission, named(&host), allowed).await?)
}

/// Gives the decisions that are left.
#[server(prefix = "/api", endpoint = "agents/forget_permission", protocol = Posted)]
pub async fn forget_permission(
    id: AgentId,
    permission: Permission,
    #[server(default)] host: String,
) -> Result<Vec<PermissionView>, AppError> {
    let viewer = viewer()?;
    let hub = hub();
    let agents = hub.for_viewer(&viewer);
    agents.permissions().forget(&id, permission, named(&host)).await?;
    Ok(agents.permissions().list(&id).await?)
}

#[cfg(feature = "ssr")]
fn named(host: &str) -> Option<&str> {
    (!host.is_empty()).then_some(host)
}
