//! The server functions of shared agents. Forms without script come back to the page they are on.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::view::{AgentShareView, AskableAgentView};
use protocol::{AgentId, AgentShareId};

#[cfg(feature = "ssr")]
use crate::amount;
#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};

/// With whom this agent of the viewer's is shared, and what that costs.
#[server(prefix = "/api", endpoint = "agent_shares/of", protocol = Queried)]
pub async fn agent_shares_of(agent: AgentId) -> Result<Vec<AgentShareView>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).agent_shares().of(&agent).await?)
}

/// Lets agents of the person with this account name ask it, or with `group` those of a group's people, for so many
/// dollars in a month.
#[server(prefix = "/api", endpoint = "agent_shares/give", protocol = Posted)]
pub async fn share_agent(
    agent: AgentId,
    name: String,
    #[server(default)] group: bool,
    #[server(default)] per_month: String,
) -> Result<(), AppError> {
    let viewer = viewer()?;
    let per_month = amount::read(&per_month)?;
    let with = if group { hub::SharedWith::Group(&name) } else { hub::SharedWith::Person(&name) };
    Ok(hub().for_viewer(&viewer).agent_shares().give(&agent, with, per_month).await?)
}

/// Takes it back. What was asked ends.
#[server(prefix = "/api", endpoint = "agent_shares/end", protocol = Posted)]
pub async fn end_agent_share(id: AgentShareId) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).agent_shares().end(&id).await?)
}

/// Agents of others that the viewer's agents may ask.
#[server(prefix = "/api", endpoint = "agent_shares/askable", protocol = Queried)]
pub async fn askable_agents() -> Result<Vec<AskableAgentView>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).agent_shares().askable().await?)
}
