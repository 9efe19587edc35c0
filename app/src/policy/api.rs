//! The server functions of the policy.

use crate::AppError;
use leptos::prelude::*;
use leptos::server_fn::codec::{GetUrl, PostUrl};
#[cfg(feature = "ssr")]
use protocol::approval::PolicyDraft;
use protocol::approval::PolicyRule;
use protocol::{AgentId, PolicyRuleId};

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};

/// The rules that hold for calls of this agent, the newest first.
#[server(prefix = "/api", endpoint = "policy/rules", input = GetUrl)]
pub async fn list_rules(agent: AgentId) -> Result<Vec<PolicyRule>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).policy_rules(&agent).await?)
}

/// Adds a rule: for `agent`, or for all agents of the person if that is left out.
#[server(prefix = "/api", endpoint = "policy/add", input = PostUrl)]
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
    Ok(hub().for_viewer(&viewer).add_policy_rule(&draft).await?)
}

#[server(prefix = "/api", endpoint = "policy/delete", input = PostUrl)]
pub async fn delete_rule(id: PolicyRuleId) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).delete_policy_rule(&id).await?)
}
