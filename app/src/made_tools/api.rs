//! The server functions of the tools that agents made.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::AgentId;
use protocol::view::MadeToolView;

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};

/// What the agent made and still has, by name.
#[server(prefix = "/api", endpoint = "agents/made_tools", protocol = Queried)]
pub async fn list_made_tools(id: AgentId) -> Result<Vec<MadeToolView>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).made_tools().list(&id).await?)
}

#[server(prefix = "/api", endpoint = "agents/delete_made_tool", protocol = Posted)]
pub async fn delete_made_tool(id: AgentId, name: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).made_tools().delete(&id, &name).await?;
    crate::context::redirect(&format!("/agents/{id}/tools"));
    Ok(())
}
