//! The server functions of the tools of an agent's own.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::AgentId;
use protocol::view::{MadeToolView, RefusedTool};

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};
#[cfg(feature = "ssr")]
use crate::response::is_plain_form;
#[cfg(feature = "ssr")]
use hub::WrittenTool;

/// What the agent made and what its person added, by name, with what waits for the person.
#[server(prefix = "/api", endpoint = "agents/made_tools", protocol = Queried)]
pub async fn list_made_tools(id: AgentId) -> Result<Vec<MadeToolView>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).made_tools().list(&id).await?)
}

/// Gives the agent a tool, or, with the version that was seen, the next version of it. `reads` and `writes` are keys
/// of the state, one a line.
#[server(prefix = "/api", endpoint = "agents/write_made_tool", protocol = Posted)]
pub async fn write_made_tool(
    id: AgentId,
    name: String,
    #[server(default)] description: String,
    #[server(default)] input_schema: String,
    #[server(default)] code: String,
    #[server(default)] page: bool,
    #[server(default)] reads: String,
    #[server(default)] writes: String,
    #[server(default)] seen: u32,
) -> Result<u32, AppError> {
    let viewer = viewer()?;
    let written = WrittenTool { name, description, input_schema, code, page, reads, writes };
    let hub = hub();
    let scoped = hub.for_viewer(&viewer);
    let version = match scoped.made_tools().write(&id, written.clone(), seen).await {
        Ok(version) => version,
        Err(error) => {
            // Where there is script, it stands in the form still.
            if is_plain_form() {
                scoped.made_tools().keep_refused(&id, written);
            }
            return Err(error.into());
        }
    };
    crate::context::redirect(&format!("/agents/{id}/tools?done=written"));
    Ok(version)
}

/// What the person wrote for the agent last, if that was refused a moment ago and no script keeps it.
#[server(prefix = "/api", endpoint = "agents/refused_made_tool", protocol = Queried)]
pub async fn refused_made_tool(id: AgentId) -> Result<Option<RefusedTool>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).made_tools().refused(&id).await?)
}

/// Lets the agent have the tool that came in a file, if it is still this version that waits, or, with its digest, the
/// newer version of one that it has.
#[server(prefix = "/api", endpoint = "agents/accept_made_tool", protocol = Posted)]
pub async fn accept_made_tool(
    id: AgentId,
    name: String,
    #[server(default)] version: u32,
    #[server(default)] digest: String,
) -> Result<(), AppError> {
    let viewer = viewer()?;
    let hub = hub();
    let scoped = hub.for_viewer(&viewer);
    match digest.is_empty() {
        true => scoped.made_tools().accept(&id, &name, version).await?,
        false => scoped.made_tools().accept_offered(&id, &name, &digest).await?,
    }
    crate::context::redirect(&format!("/agents/{id}/tools?done=accepted"));
    Ok(())
}

/// Takes it away, or, with `waiting`, only what waits under its name.
#[server(prefix = "/api", endpoint = "agents/delete_made_tool", protocol = Posted)]
pub async fn delete_made_tool(
    id: AgentId,
    name: String,
    #[server(default)] waiting: bool,
) -> Result<(), AppError> {
    let viewer = viewer()?;
    let hub = hub();
    let scoped = hub.for_viewer(&viewer);
    match waiting {
        true => scoped.made_tools().refuse(&id, &name).await?,
        false => scoped.made_tools().delete(&id, &name).await?,
    }
    crate::context::redirect(&format!("/agents/{id}/tools"));
    Ok(())
}
