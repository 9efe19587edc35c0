//! The server functions of commands in the background.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::AgentId;
use protocol::view::TerminalJob;

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};

/// The agent's commands in the background: those that run, and those that ended today, the newest first.
#[server(prefix = "/api", endpoint = "terminal/jobs", protocol = Queried)]
pub async fn list_jobs(agent: AgentId) -> Result<Vec<TerminalJob>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).terminal_jobs().list(&agent).await?)
}

/// Ends the job with this number, and all that it started.
#[server(prefix = "/api", endpoint = "terminal/stop", protocol = Posted)]
pub async fn stop_job(agent: AgentId, job: u32) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).terminal_jobs().stop(&agent, job).await?)
}
