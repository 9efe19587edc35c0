//! The server functions of delegations.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::view::DelegationView;
use protocol::{AgentId, DelegationId};

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};

/// What this agent and its sub-agents asked others and were asked by them, the newest first.
#[server(prefix = "/api", endpoint = "delegations/of_agent", protocol = Queried)]
pub async fn list_delegations(agent: AgentId) -> Result<Vec<DelegationView>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).delegations().list(Some(&agent)).await?)
}

/// The same of all agents.
#[server(prefix = "/api", endpoint = "delegations/list", protocol = Queried)]
pub async fn all_delegations() -> Result<Vec<DelegationView>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).delegations().list(None).await?)
}

/// Stops it, and what others do for it.
#[server(prefix = "/api", endpoint = "delegations/stop", protocol = Posted)]
pub async fn stop_delegation(id: DelegationId) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).delegations().stop(&id).await?)
}

/// Stops everything that the same word led to.
#[server(prefix = "/api", endpoint = "delegations/stop_chain", protocol = Posted)]
pub async fn stop_chain(id: DelegationId) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).delegations().stop_chain(&id).await?)
}
