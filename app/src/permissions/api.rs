//! The server functions of permissions.

use crate::AppError;
use leptos::prelude::*;
use leptos::server_fn::codec::{GetUrl, PostUrl};
use protocol::view::PermissionView;
use protocol::{AgentId, Permission};

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};

#[server(prefix = "/api", endpoint = "agents/permissions", input = GetUrl)]
pub async fn list_permissions(id: AgentId) -> Result<Vec<PermissionView>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).permissions(&id).await?)
}

/// `host` is for links, and empty for all others.
#[server(prefix = "/api", endpoint = "agents/set_permission", input = PostUrl)]
pub async fn set_permission(
    id: AgentId,
    permission: Permission,
    #[server(default)] host: String,
    allowed: bool,
) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).set_permission(&id, permission, named(&host), allowed).await?)
}

/// Gives the decisions that are left.
#[server(prefix = "/api", endpoint = "agents/forget_permission", input = PostUrl)]
pub async fn forget_permission(
    id: AgentId,
    permission: Permission,
    #[server(default)] host: String,
) -> Result<Vec<PermissionView>, AppError> {
    let viewer = viewer()?;
    let hub = hub();
    let agents = hub.for_viewer(&viewer);
    agents.forget_permission(&id, permission, named(&host)).await?;
    Ok(agents.permissions(&id).await?)
}

#[cfg(feature = "ssr")]
fn named(host: &str) -> Option<&str> {
    (!host.is_empty()).then_some(host)
}
