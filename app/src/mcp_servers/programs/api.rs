//! The server functions of programs that are MCP servers: what administrators allow, and what people fill in.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::McpServerId;
use protocol::view::{McpProgram, McpPrograms, McpServerView, McpVariable};

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};

/// The programs that administrators allow, by name, and why none can be run, if so.
#[server(prefix = "/api", endpoint = "mcp_servers/programs", protocol = Queried)]
pub async fn list_mcp_programs() -> Result<McpPrograms, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).mcp_servers().programs().await?)
}

/// Adds a server that is one of them, with what it is given, and asks it which tools it has.
#[server(prefix = "/api", endpoint = "mcp_servers/add_program", protocol = Posted)]
pub async fn add_mcp_program(
    name: String,
    program: String,
    #[server(default)] values: Vec<McpVariable>,
) -> Result<McpServerView, AppError> {
    let viewer = viewer()?;
    let added = hub().for_viewer(&viewer).mcp_servers().add_program(&name, &program, &values).await?;
    crate::context::redirect(&format!("/mcp-servers/{}?done=added", added.id));
    Ok(added)
}

/// Gives the program these from now on and nothing else.
#[server(prefix = "/api", endpoint = "mcp_servers/set_values", protocol = Posted)]
pub async fn set_mcp_values(
    id: McpServerId,
    #[server(default)] values: Vec<McpVariable>,
) -> Result<McpServerView, AppError> {
    let viewer = viewer()?;
    let server = hub().for_viewer(&viewer).mcp_servers().set_values(&id, &values).await?;
    crate::context::redirect(&format!("/mcp-servers/{id}?done=values"));
    Ok(server)
}

/// Allows a program by its command line. `hosts` are one on each line, `variables` names between spaces or lines.
#[server(prefix = "/api", endpoint = "hub/allow_mcp_program", protocol = Posted)]
pub async fn allow_mcp_program(
    name: String,
    line: String,
    #[server(default)] hosts: String,
    #[server(default)] variables: String,
) -> Result<McpProgram, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(ADMINS)))?;
    let program = admin.mcp_programs().allow(&name, &line, &hosts, &variables).await?;
    crate::context::redirect("/admin?done=program#programs");
    Ok(program)
}

/// Ends those that run as it, and lets nobody start one any more.
#[server(prefix = "/api", endpoint = "hub/forbid_mcp_program", protocol = Posted)]
pub async fn forbid_mcp_program(name: String) -> Result<(), AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(ADMINS)))?;
    admin.mcp_programs().forbid(&name).await?;
    crate::context::redirect("/admin#programs");
    Ok(())
}

#[cfg(feature = "ssr")]
const ADMINS: &str = key!("Only an administrator says which programs are run.");
