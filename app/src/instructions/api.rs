//! The server functions of versions of instructions.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::AgentId;
use protocol::view::{InstructionsText, InstructionsVersion};

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};

/// Every version that is kept, the newest first.
#[server(prefix = "/api", endpoint = "instructions/list", protocol = Queried)]
pub async fn list_instructions(agent: AgentId) -> Result<Vec<InstructionsVersion>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).instructions().versions(&agent).await?)
}

/// What a version says, and how that differs from the one before.
#[server(prefix = "/api", endpoint = "instructions/view", protocol = Queried)]
pub async fn view_instructions(agent: AgentId, version: u64) -> Result<InstructionsText, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).instructions().view(&agent, version).await?)
}

/// Makes a new version that says the same as this one, and gives its number.
#[server(prefix = "/api", endpoint = "instructions/restore", protocol = Posted)]
pub async fn restore_instructions(agent: AgentId, version: u64) -> Result<u64, AppError> {
    let viewer = viewer()?;
    let restored = hub().for_viewer(&viewer).instructions().restore(&agent, version).await?;
    crate::context::redirect(&format!("/agents/{agent}/instructions"));
    Ok(restored)
}
