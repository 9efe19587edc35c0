//! The server functions of the policy.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
#[cfg(feature = "ssr")]
use protocol::approval::PolicyDraft;
use protocol::approval::PolicyRule;
use protocol::view::{StateRule, StateValue};
use protocol::{AgentId, PolicyRuleId};

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};

/// The rules that hold for calls of this agent, the newest first.
#[server(prefix = "/api", endpoint = "policy/rules", protocol = Queried)]
pub async fn list_rules(agent: AgentId) -> Result<Vec<PolicyRule>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).policies().list(&agent).await?)
}

/// Adds a rule: for `agent`, or for all agents of the person if that is left out.
#[server(prefix = "/api", endpoint = "policy/add", protocol = Posted)]
pub async fn add_rule(
    #[server(default)] agent: String,
    #[server(default)] asker: String,
    tool: String,
    #[server(default)] about: String,
    verdict: String,
    #[server(default)] uses: u32,
    #[server(default)] minutes: u32,
) -> Result<PolicyRule, AppError> {
    let viewer = viewer()?;
    let draft = PolicyDraft { agent, asker, tool, about, verdict, uses, minutes };
    Ok(hub().for_viewer(&viewer).policies().add(&draft).await?)
}

#[server(prefix = "/api", endpoint = "policy/delete", protocol = Posted)]
pub async fn delete_rule(id: PolicyRuleId) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).policies().delete(&id).await?)
}

/// The rules about its state that wake this agent.
#[server(prefix = "/api", endpoint = "agents/state_rules", protocol = Queried)]
pub async fn list_state_rules(id: AgentId) -> Result<Vec<StateRule>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).states().rules(&id).await?)
}

/// Takes the rule of this key away. Gives those that are left.
#[server(prefix = "/api", endpoint = "agents/remove_state_rule", protocol = Posted)]
pub async fn remove_state_rule(id: AgentId, key: String) -> Result<Vec<StateRule>, AppError> {
    let viewer = viewer()?;
    let hub = hub();
    let states = hub.for_viewer(&viewer).states();
    states.remove_rule(&id, &key).await?;
    Ok(states.rules(&id).await?)
}

/// What agent and page keep together as `flo.state`, by key, each value with who set it last.
#[server(prefix = "/api", endpoint = "agents/state_values", protocol = Queried)]
pub async fn list_state(id: AgentId) -> Result<Vec<StateValue>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).states().values(&id).await?)
}

/// Sets a key of it to this JSON, as the page would; without a value it is removed. Gives what stood there before.
#[server(prefix = "/api", endpoint = "agents/set_state", protocol = Posted)]
pub async fn set_state(
    id: AgentId,
    key: String,
    #[server(default)] value: String,
) -> Result<Option<StateValue>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).states().set_by_person(&id, key, &value).await?)
}
