//! The server functions of teams and roles.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::AgentRoleId;
use protocol::view::{AgentRoleView, AgentView, NamedAgent, TeamExport, TeamReview};

#[cfg(feature = "ssr")]
use crate::context::{hub, redirect, viewer};
#[cfg(feature = "ssr")]
use protocol::AgentId;

/// By name, with the agents that have them.
#[server(prefix = "/api", endpoint = "teams/roles", protocol = Queried)]
pub async fn list_agent_roles() -> Result<Vec<AgentRoleView>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).agent_roles().list().await?)
}

/// Keeps the text of a file for a day, to be looked at and made. Gives the id for that.
#[server(prefix = "/api", endpoint = "teams/bring", protocol = Posted)]
pub async fn bring_team(text: String) -> Result<String, AppError> {
    let viewer = viewer()?;
    let file = hub().for_viewer(&viewer).teams().bring(&text).await?;
    redirect(&format!("/teams/files/{file}"));
    Ok(file)
}

/// What would be made of it, and what of it does not fit.
#[server(prefix = "/api", endpoint = "teams/review", protocol = Queried)]
pub async fn review_team(file: String) -> Result<TeamReview, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).teams().review(&file).await?)
}

/// Makes its roles and agents, all of them or nothing.
#[server(prefix = "/api", endpoint = "teams/make", protocol = Posted)]
pub async fn make_team(file: String) -> Result<Vec<NamedAgent>, AppError> {
    let viewer = viewer()?;
    let made = hub().for_viewer(&viewer).teams().make(&file).await?;
    redirect("/teams?done=made");
    Ok(made)
}

/// These agents, whose ids have commas between them, as the text of a file.
#[server(prefix = "/api", endpoint = "teams/export", protocol = Queried)]
pub async fn export_team(agents: String) -> Result<TeamExport, AppError> {
    let viewer = viewer()?;
    let agents: Vec<AgentId> = agents.split(',').filter(|id| !id.is_empty()).map(AgentId::from).collect();
    Ok(hub().for_viewer(&viewer).teams().export(&agents).await?)
}

/// Makes one more agent of the role.
#[server(prefix = "/api", endpoint = "teams/another", protocol = Posted)]
pub async fn make_another(id: AgentRoleId) -> Result<AgentView, AppError> {
    let viewer = viewer()?;
    let agent = hub().for_viewer(&viewer).agent_roles().another(&id).await?;
    redirect(&format!("/agents/{}", agent.id));
    Ok(agent)
}

/// Lets there be so many agents of it at most; nothing stands for any number.
#[server(prefix = "/api", endpoint = "teams/limit", protocol = Posted)]
pub async fn limit_role(id: AgentRoleId, #[server(default)] most: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    let most = Some(most.trim()).filter(|most| !most.is_empty()).map(|most| most.parse().unwrap_or_default());
    hub().for_viewer(&viewer).agent_roles().set_limit(&id, most).await?;
    redirect("/teams?done=limited");
    Ok(())
}

/// Its agents stay, without a role.
#[server(prefix = "/api", endpoint = "teams/delete", protocol = Posted)]
pub async fn delete_role(id: AgentRoleId) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).agent_roles().delete(&id).await?;
    redirect("/teams?done=deleted");
    Ok(())
}
