//! The server functions of workspaces.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::files::WorkspaceView;
use protocol::{AgentId, FolderId};

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};

/// All of them by name, with the agents that have them.
#[server(prefix = "/api", endpoint = "workspaces/list", protocol = Queried)]
pub async fn list_workspaces() -> Result<Vec<WorkspaceView>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).workspaces().list().await?)
}

#[server(prefix = "/api", endpoint = "workspaces/create", protocol = Posted)]
pub async fn create_workspace(name: String) -> Result<FolderId, AppError> {
    let viewer = viewer()?;
    let id = hub().for_viewer(&viewer).workspaces().create(&name).await?;
    crate::context::redirect(&format!("/workspaces/{id}/files"));
    Ok(id)
}

#[server(prefix = "/api", endpoint = "workspaces/rename", protocol = Posted)]
pub async fn rename_workspace(id: FolderId, name: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).workspaces().rename(&id, &name).await?;
    crate::context::redirect(&format!("/workspaces/{id}/files?done=renamed"));
    Ok(())
}

/// Deletes it for good, with all files in it, from every agent that has it.
#[server(prefix = "/api", endpoint = "workspaces/delete", protocol = Posted)]
pub async fn delete_workspace(id: FolderId) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).workspaces().delete(&id).await?;
    crate::context::redirect("/workspaces?done=deleted");
    Ok(())
}

/// The one that the agent has.
#[server(prefix = "/api", endpoint = "workspaces/of_agent", protocol = Queried)]
pub async fn get_agent_workspace(agent: AgentId) -> Result<Option<FolderId>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).workspaces().of_agent(&agent).await?)
}

/// Gives the agent this one, in place of the one that it had, or none.
#[server(prefix = "/api", endpoint = "workspaces/give", protocol = Posted)]
pub async fn give_workspace(agent: AgentId, #[server(default)] workspace: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    let given = (!workspace.is_empty()).then_some(FolderId(workspace));
    hub().for_viewer(&viewer).workspaces().give(&agent, given.as_ref()).await?;
    crate::context::redirect(&format!("/agents/{agent}/files?done=workspace#workspace"));
    Ok(())
}
