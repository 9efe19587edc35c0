//! The server functions of agents.

#![expect(clippy::too_many_arguments, reason = "a server function's arguments are the fields of its form")]

use super::loop_fields::LoopFields;
use super::network_form::NetworkPolicy;
use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::agent::{Home, ProviderKind};
use protocol::archive::LeftBehind;
use protocol::log::Skin;
use protocol::view::{AgentCard, AgentPage, AgentView, ProposedAgent, ToolView, WebSecretView};
use protocol::{AgentId, ProviderId};
use serde_json::Value;
use std::collections::BTreeMap;

#[cfg(feature = "ssr")]
use super::wish;
#[cfg(feature = "ssr")]
use crate::context::{conversation_named, hub, viewer};
#[cfg(feature = "ssr")]
use leptos_router::location::Url;
#[cfg(feature = "ssr")]
use protocol::view::AgentDraft;

/// Pinned ones first, then the newest activity.
#[server(prefix = "/api", endpoint = "agents/list", protocol = Queried)]
pub async fn list_agents() -> Result<Vec<AgentCard>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).agents().list().await?)
}

#[server(prefix = "/api", endpoint = "agents/get", protocol = Queried)]
pub async fn get_agent(id: AgentId) -> Result<AgentView, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).agents().get(&id).await?)
}

/// The agent with the end of this conversation, or, unless `before` is 0, with what stands before that entry.
/// An empty `conversation` is the one that was used last.
#[server(prefix = "/api", endpoint = "agents/page", protocol = Queried)]
pub async fn get_agent_page(
    id: AgentId,
    #[server(default)] before: u64,
    #[server(default)] conversation: String,
) -> Result<AgentPage, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let conversation = conversation_named(conversation);
    let pages = hub.for_viewer(&viewer).pages().of_conversation(conversation.as_ref());
    Ok(match before {
        0 => pages.latest(&id).await?,
        before => pages.before(&id, before).await?,
    })
}

/// How many messages the agent's conversation has, from both sides.
#[server(prefix = "/api", endpoint = "agents/message_count", protocol = Queried)]
pub async fn count_messages(id: AgentId) -> Result<u64, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).agents().message_count(&id).await?)
}

/// The tools that an agent can be given.
#[server(prefix = "/api", endpoint = "agents/tools", protocol = Queried)]
pub async fn list_tools() -> Result<Vec<ToolView>, AppError> {
    let viewer = viewer()?;
    let mut tools = hub().for_viewer(&viewer).agents().tools().await?;
    for tool in &mut tools {
        tool.summary = language::sentence(&tool.summary).into_owned();
    }
    Ok(tools)
}

/// The newest page; `null` until the agent has drawn.
#[server(prefix = "/api", endpoint = "agents/skin", protocol = Queried)]
pub async fn get_skin(id: AgentId) -> Result<Option<Skin>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).skins().current(&id).await?)
}

#[server(prefix = "/api", endpoint = "agents/state", protocol = Queried)]
pub async fn get_state(id: AgentId) -> Result<BTreeMap<String, Value>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).states().read(&id).await?)
}

/// An empty `provider` is none yet, an empty `model` the first one that the provider has; without `tools` the agent can
/// only talk; 0 tokens stand for the usual limit.
#[server(prefix = "/api", endpoint = "agents/create", protocol = Posted)]
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
    let hub = hub();
    let own = hub.for_viewer(&viewer);
    let agent = own.agents().create(wish::with_model(&own, draft).await?).await?;
    crate::context::redirect(&format!("/agents/{}", agent.id));
    Ok(agent)
}

/// Makes an agent from a sentence, with everything else as it usually is, and says the sentence to it.
/// `null`: nothing was made, because there is no provider that it could think with.
#[server(prefix = "/api", endpoint = "agents/wish", protocol = Posted)]
pub async fn wish_for_agent(wish: String) -> Result<Option<AgentView>, AppError> {
    let viewer = viewer()?;
    let hub = hub();
    let agents = hub.for_viewer(&viewer);
    let agent = wish::fulfil(&agents, &wish).await?;
    crate::context::redirect(&match &agent {
        Some(agent) => format!("/agents/{}", agent.id),
        None => format!("/?wish={}", Url::escape(&wish)),
    });
    Ok(agent)
}

/// The same for who has no provider yet: saves one of this kind first, if its connection works.
#[server(prefix = "/api", endpoint = "agents/wish_with_key", protocol = Posted)]
pub async fn wish_with_key(
    wish: String,
    kind: ProviderKind,
    #[server(default)] base_url: String,
    #[server(default)] key: String,
) -> Result<AgentView, AppError> {
    let viewer = viewer()?;
    let hub = hub();
    let agents = hub.for_viewer(&viewer);
    wish::check(&wish)?;
    wish::connect(&agents, kind, filled(&base_url), filled(&key)).await?;
    let Some(agent) = wish::fulfil(&agents, &wish).await? else {
        return Err(hub::Error::Conflict(
            t("The provider was taken away again. Add it once more.").to_owned(),
        )
        .into());
    };
    crate::context::redirect(&format!("/agents/{}", agent.id));
    Ok(agent)
}

/// Proposes what an agent for what `text` says could be called and told to be, by a model of this provider: an empty
/// `model` is the first one that it has. Nothing is made.
#[server(prefix = "/api", endpoint = "agents/propose", protocol = Posted)]
pub async fn propose_agent(
    text: String,
    provider: ProviderId,
    #[server(default)] model: String,
) -> Result<ProposedAgent, AppError> {
    let viewer = viewer()?;
    let hub = hub();
    let own = hub.for_viewer(&viewer);
    let model = match filled(&model) {
        Some(model) => model.to_owned(),
        None => wish::own_first_model(&own, &provider).await?,
    };
    Ok(own.side_calls().propose_agent(&text, &provider, &model).await?)
}

/// Replaces the whole definition.
#[server(prefix = "/api", endpoint = "agents/edit", protocol = Posted)]
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
    let hub = hub();
    let own = hub.for_viewer(&viewer);
    let agent = own.agents().edit(&id, wish::with_model(&own, draft).await?).await?;
    crate::context::redirect(&format!("/agents/{id}"));
    Ok(agent)
}

/// Hosts are set apart by spaces, commas or line ends. They count only for `allow_list`.
#[server(prefix = "/api", endpoint = "agents/set_network", protocol = Posted)]
pub async fn set_network(
    id: AgentId,
    policy: NetworkPolicy,
    #[server(default)] hosts: String,
) -> Result<AgentView, AppError> {
    let viewer = viewer()?;
    let agent = hub().for_viewer(&viewer).networks().set(&id, policy.with(&hosts)).await?;
    crate::context::redirect(&format!("/agents/{id}/edit?done=network#network"));
    Ok(agent)
}

/// Whether it reads of the web only what `robots.txt` lets programs read.
#[server(prefix = "/api", endpoint = "agents/follow_robots", protocol = Posted)]
pub async fn follow_robots(id: AgentId, #[server(default)] follows: bool) -> Result<AgentView, AppError> {
    let viewer = viewer()?;
    let agent = hub().for_viewer(&viewer).networks().follow_robots(&id, follows).await?;
    crate::context::redirect(&format!("/agents/{id}/edit?done=robots#network"));
    Ok(agent)
}

/// Whether the commands that it runs reach the hosts on its list as well.
#[server(prefix = "/api", endpoint = "agents/let_commands_out", protocol = Posted)]
pub async fn let_commands_out(id: AgentId, #[server(default)] allowed: bool) -> Result<AgentView, AppError> {
    let viewer = viewer()?;
    let agent = hub().for_viewer(&viewer).networks().let_commands_out(&id, allowed).await?;
    crate::context::redirect(&format!("/agents/{id}/edit?done=commands#network"));
    Ok(agent)
}

/// A key that only this agent uses, for the provider that it has now.
#[server(prefix = "/api", endpoint = "agents/set_key", protocol = Posted)]
pub async fn set_agent_key(id: AgentId, key: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).providers().set_agent_key(&id, &key).await?;
    crate::context::redirect(&format!("/agents/{id}/edit?done=key#own-key"));
    Ok(())
}

#[server(prefix = "/api", endpoint = "agents/forget_key", protocol = Posted)]
pub async fn forget_agent_key(id: AgentId) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).providers().forget_agent_key(&id).await?;
    crate::context::redirect(&format!("/agents/{id}/edit?done=forgotten#own-key"));
    Ok(())
}

/// Secrets that the agent sends and nobody reads: their names, and where each goes.
#[server(prefix = "/api", endpoint = "agents/secrets", protocol = Queried)]
pub async fn list_web_secrets(id: AgentId) -> Result<Vec<WebSecretView>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).web_secrets().list(&id).await?)
}

/// Gives those that are left.
#[server(prefix = "/api", endpoint = "agents/forget_secret", protocol = Posted)]
pub async fn forget_web_secret(id: AgentId, name: String) -> Result<Vec<WebSecretView>, AppError> {
    let viewer = viewer()?;
    let hub = hub();
    let secrets = hub.for_viewer(&viewer).web_secrets();
    secrets.forget(&id, &name).await?;
    Ok(secrets.list(&id).await?)
}

/// What does not go along into a copy, and into an archive.
#[server(prefix = "/api", endpoint = "agents/left_behind", protocol = Queried)]
pub async fn get_left_behind(id: AgentId) -> Result<LeftBehind, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).agents().left_behind(&id).await?)
}

/// With `conversations` all that was said goes along.
#[server(prefix = "/api", endpoint = "agents/duplicate", protocol = Posted)]
pub async fn duplicate_agent(
    id: AgentId,
    #[server(default)] conversations: bool,
) -> Result<AgentView, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let copies = hub.for_viewer(&viewer).copies();
    let copy = match conversations {
        true => copies.make_with_conversations(&id).await?,
        false => copies.make(&id).await?,
    };
    crate::context::redirect(&format!("/agents/{}", copy.id));
    Ok(copy)
}

/// Pauses the agent: the run under way ends before its next model call, and none begins. Or lets it go on with what
/// waited.
#[server(prefix = "/api", endpoint = "agents/pause", protocol = Posted)]
pub async fn pause_agent(agent: AgentId, #[server(default)] paused: bool) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).runs().pause(&agent, paused).await?)
}

/// Lets it stand before the others, or no longer.
#[server(prefix = "/api", endpoint = "agents/pin", protocol = Posted)]
pub async fn pin_agent(agent: AgentId, #[server(default)] pinned: bool) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).agents().pin(&agent, pinned).await?)
}

/// The same for all agents of the viewer.
#[server(prefix = "/api", endpoint = "agents/pause_all", protocol = Posted)]
pub async fn pause_all_agents(#[server(default)] paused: bool) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).runs().pause_all(paused).await?)
}

#[server(prefix = "/api", endpoint = "agents/delete", protocol = Posted)]
pub async fn delete_agent(id: AgentId) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).agents().delete(&id).await?;
    crate::context::redirect("/");
    Ok(())
}

#[cfg(feature = "ssr")]
fn filled(text: &str) -> Option<&str> {
    Some(text.trim()).filter(|text| !text.is_empty())
}
