//! The server functions of agents.

#![expect(clippy::too_many_arguments, reason = "a server function's arguments are the fields of its form")]

use super::loop_fields::LoopFields;
use super::network_form::NetworkPolicy;
use crate::AppError;
use leptos::prelude::*;
use leptos::server_fn::codec::{GetUrl, PostUrl};
use protocol::AgentId;
use protocol::log::Skin;
use protocol::view::{AgentCard, AgentPage, AgentView, Home, ToolView};
use serde_json::Value;
use std::collections::BTreeMap;

#[cfg(feature = "ssr")]
use super::wish;
#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};
#[cfg(feature = "ssr")]
use protocol::view::AgentDraft;

/// The newest activity first.
#[server(prefix = "/api", endpoint = "agents/list", input = GetUrl)]
pub async fn list_agents() -> Result<Vec<AgentCard>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).agents().await?)
}

#[server(prefix = "/api", endpoint = "agents/get", input = GetUrl)]
pub async fn get_agent(id: AgentId) -> Result<AgentView, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).agent(&id).await?)
}

#[server(prefix = "/api", endpoint = "agents/page", input = GetUrl)]
pub async fn get_agent_page(id: AgentId) -> Result<AgentPage, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).agent_page(&id).await?)
}

/// How many messages the agent's conversation has, from both sides.
#[server(prefix = "/api", endpoint = "agents/message_count", input = GetUrl)]
pub async fn count_messages(id: AgentId) -> Result<u64, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).message_count(&id).await?)
}

/// The tools that an agent can be given.
#[server(prefix = "/api", endpoint = "agents/tools", input = GetUrl)]
pub async fn list_tools() -> Result<Vec<ToolView>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).tool_views())
}

/// The newest page; `null` until the agent has drawn.
#[server(prefix = "/api", endpoint = "agents/skin", input = GetUrl)]
pub async fn get_skin(id: AgentId) -> Result<Option<Skin>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).skin(&id).await?)
}

#[server(prefix = "/api", endpoint = "agents/state", input = GetUrl)]
pub async fn get_state(id: AgentId) -> Result<BTreeMap<String, Value>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).state(&id).await?)
}

/// An empty `provider` is none yet; without `tools` the agent can only talk; 0 tokens stand for
/// the usual limit.
#[server(prefix = "/api", endpoint = "agents/create", input = PostUrl)]
pub async fn create_agent(
    name: String,
    colour: String,
    #[server(default)] instructions: String,
    #[server(default)] provider: String,
    #[server(default)] model: String,
    #[server(default)] fallback_provider: String,
    #[server(default)] fallback_model: String,
    #[server(default)] tools: Vec<String>,
    #[server(default)] max_output_tokens: u32,
    #[server(default)] home: Home,
    #[server(default)] loop_settings: LoopFields,
) -> Result<AgentView, AppError> {
    let viewer = viewer()?;
    let loop_settings = loop_settings.into();
    let draft = AgentDraft {
        name,
        colour,
        instructions,
        provider,
        model,
        fallback_provider,
        fallback_model,
        tools,
        max_output_tokens,
        home,
        loop_settings,
    };
    let agent = hub().for_viewer(&viewer).create_agent(draft).await?;
    leptos_axum::redirect(&format!("/agents/{}", agent.id));
    Ok(agent)
}

/// Makes an agent from a sentence, with everything else as it usually is.
#[server(prefix = "/api", endpoint = "agents/wish", input = PostUrl)]
pub async fn wish_for_agent(wish: String) -> Result<AgentView, AppError> {
    let viewer = viewer()?;
    let hub = hub();
    let agents = hub.for_viewer(&viewer);
    let agent = agents.create_agent(wish::draft(&agents, wish).await?).await?;
    leptos_axum::redirect(&format!("/agents/{}", agent.id));
    Ok(agent)
}

/// Replaces the whole definition.
#[server(prefix = "/api", endpoint = "agents/edit", input = PostUrl)]
pub async fn edit_agent(
    id: AgentId,
    name: String,
    colour: String,
    #[server(default)] instructions: String,
    #[server(default)] provider: String,
    #[server(default)] model: String,
    #[server(default)] fallback_provider: String,
    #[server(default)] fallback_model: String,
    #[server(default)] tools: Vec<String>,
    #[server(default)] max_output_tokens: u32,
    #[server(default)] home: Home,
    #[server(default)] loop_settings: LoopFields,
) -> Result<AgentView, AppError> {
    let viewer = viewer()?;
    let loop_settings = loop_settings.into();
    let draft = AgentDraft {
        name,
        colour,
        instructions,
        provider,
        model,
        fallback_provider,
        fallback_model,
        tools,
        max_output_tokens,
        home,
        loop_settings,
    };
    let agent = hub().for_viewer(&viewer).edit_agent(&id, draft).await?;
    leptos_axum::redirect(&format!("/agents/{id}"));
    Ok(agent)
}

/// Hosts are set apart by spaces, commas or line ends. They count only for `allow_list`.
#[server(prefix = "/api", endpoint = "agents/set_network", input = PostUrl)]
pub async fn set_network(
    id: AgentId,
    policy: NetworkPolicy,
    #[server(default)] hosts: String,
) -> Result<AgentView, AppError> {
    let viewer = viewer()?;
    let agent = hub().for_viewer(&viewer).set_network(&id, policy.with(&hosts)).await?;
    leptos_axum::redirect(&format!("/agents/{id}/edit"));
    Ok(agent)
}

/// A key that only this agent uses, for the provider that it has now.
#[server(prefix = "/api", endpoint = "agents/set_key", input = PostUrl)]
pub async fn set_agent_key(id: AgentId, key: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).set_agent_key(&id, &key).await?;
    leptos_axum::redirect(&format!("/agents/{id}/edit#own-key"));
    Ok(())
}

#[server(prefix = "/api", endpoint = "agents/forget_key", input = PostUrl)]
pub async fn forget_agent_key(id: AgentId) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).forget_agent_key(&id).await?;
    leptos_axum::redirect(&format!("/agents/{id}/edit#own-key"));
    Ok(())
}

#[server(prefix = "/api", endpoint = "agents/duplicate", input = PostUrl)]
pub async fn duplicate_agent(id: AgentId) -> Result<AgentView, AppError> {
    let viewer = viewer()?;
    let copy = hub().for_viewer(&viewer).duplicate_agent(&id).await?;
    leptos_axum::redirect(&format!("/agents/{}", copy.id));
    Ok(copy)
}

#[server(prefix = "/api", endpoint = "agents/delete", input = PostUrl)]
pub async fn delete_agent(id: AgentId) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).delete_agent(&id).await?;
    leptos_axum::redirect("/");
    Ok(())
}
