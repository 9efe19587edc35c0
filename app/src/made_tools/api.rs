//! The server functions of the tools that agents made.

use crate::AppError;
use leptos::prelude::*;
use leptos::server_fn::codec::{GetUrl, PostUrl};
use protocol::AgentId;
use protocol::view::MadeToolView;

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};

/// What the agent made and still has, by name.
#[server(prefix = "/api", endpoint = "agents/made_tools", input = GetUrl)]
pub async fn list_made_tools(id: AgentId) -> Result<Vec<MadeToolView>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).made_tools(&id).await?)
}

#[server(prefix = "/api", endpoint = "agents/delete_made_tool", input = PostUrl)]
pub async fn delete_made_tool(id: AgentId, name: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).delete_made_tool(&id, &name).await?;
    leptos_axum::redirect(&format!("/agents/{id}/tools"));
    Ok(())
}
