//! The server functions of imports. A file is sent in by a form of its own, `POST /imports`, which takes larger bodies
//! than a server function.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::AgentId;
use protocol::import::ImportReview;

#[cfg(feature = "ssr")]
use super::target::target;
#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};

/// What is in a file that was sent in, and what was brought in of it.
#[server(prefix = "/api", endpoint = "imports/review", protocol = Queried)]
pub async fn review_import(id: String) -> Result<ImportReview, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).imports().review(&id).await?)
}

/// Brings in the conversations with these numbers. Without `agent` they become those of a new one with this name.
#[server(prefix = "/api", endpoint = "imports/create", protocol = Posted)]
pub async fn create_import(
    id: String,
    #[server(default)] agent: String,
    #[server(default)] name: String,
    #[server(default)] chosen: Vec<u32>,
) -> Result<AgentId, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let scoped = hub.for_viewer(&viewer);
    let target = target(&scoped, agent, name).await?;
    Ok(scoped.imports().create(&id, target, &chosen.into_iter().collect()).await?)
}

/// Forgets the file. What was brought in of it stays.
#[server(prefix = "/api", endpoint = "imports/discard", protocol = Posted)]
pub async fn discard_import(id: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).imports().discard(&id).await?;
    crate::context::redirect("/import");
    Ok(())
}
