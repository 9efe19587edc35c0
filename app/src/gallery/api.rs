//! The server functions of archives and templates. One is sent in by a form of its own, `POST
//! /archives`, which takes larger bodies than a server function.

#![expect(clippy::too_many_arguments, reason = "a server function's arguments are the fields of its form")]

use crate::AppError;
use crate::agents::loop_fields::LoopFields;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::agent::Home;
use protocol::archive::{ArchiveReview, TemplateCard};
use protocol::view::AgentView;

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};
#[cfg(feature = "ssr")]
use hub::Accepted;
#[cfg(feature = "ssr")]
use protocol::view::AgentDraft;

/// The templates that ship with the product.
#[server(prefix = "/api", endpoint = "archives/gallery", protocol = Queried)]
pub async fn list_templates() -> Result<Vec<TemplateCard>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).archives().templates()?)
}

/// What is in an archive, or in a template, and the agent that it would become.
#[server(prefix = "/api", endpoint = "archives/review", protocol = Queried)]
pub async fn review_archive(id: String) -> Result<ArchiveReview, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).archives().review_stored(&id).await?)
}

/// Makes an agent of an archive, with this definition and all else that is in it; with what it proposes to be allowed
/// only where that is accepted.
#[server(prefix = "/api", endpoint = "archives/create", protocol = Posted)]
pub async fn create_from_archive(
    id: String,
    name: String,
    colour: String,
    #[server(default)] instructions: String,
    #[server(default)] provider: String,
    #[server(default)] model: String,
    #[server(default)] tools: Vec<String>,
    #[server(default)] max_output_tokens: u32,
    #[server(default)] home: Home,
    #[server(default)] loop_settings: LoopFields,
    #[server(default)] accept_network: bool,
    #[server(default)] accept_rules: bool,
    #[server(default)] accept_conversations: bool,
) -> Result<AgentView, AppError> {
    let viewer = viewer()?;
    let loop_settings = loop_settings.into();
    let draft = AgentDraft {
        name,
        colour,
        instructions,
        provider,
        model,
        tools,
        max_output_tokens,
        home,
        loop_settings,
        ..AgentDraft::default()
    };
    let accepted =
        Accepted { network: accept_network, rules: accept_rules, conversations: accept_conversations };
    let agent = hub().for_viewer(&viewer).archives().create_with(&id, draft, accepted).await?;
    crate::context::redirect(&format!("/agents/{}", agent.id));
    Ok(agent)
}

#[server(prefix = "/api", endpoint = "archives/discard", protocol = Posted)]
pub async fn discard_archive(id: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).archives().discard(&id).await?;
    crate::context::redirect("/gallery");
    Ok(())
}
