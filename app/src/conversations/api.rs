//! The server functions of conversations.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::view::{ConversationFilter, ConversationList, ConversationView, Draft, Rating, Thumb};
use protocol::{AgentId, AttachmentId, ConversationId, RunId};

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};
#[cfg(feature = "ssr")]
use hub::DraftChange;

/// The conversations of an agent, 50 at a time: pinned ones first, then those that were used last. `page`
/// counts from 0. Without a `folder` those of all.
#[server(prefix = "/api", endpoint = "conversations/list", protocol = Queried)]
pub async fn list_conversations(
    agent: AgentId,
    #[server(default)] filter: ConversationFilter,
    #[server(default)] page: u32,
    #[server(default)] folder: String,
) -> Result<ConversationList, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).conversations().list_folder(&agent, filter, &folder, page).await?)
}

/// The conversations of all agents that were used last: 200, without archived and deleted ones.
#[server(prefix = "/api", endpoint = "conversations/recent", protocol = Queried)]
pub async fn recent_conversations() -> Result<Vec<ConversationView>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).conversations().recent().await?)
}

#[server(prefix = "/api", endpoint = "conversations/get", protocol = Queried)]
pub async fn get_conversation(id: ConversationId) -> Result<ConversationView, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).conversations().get(&id).await?)
}

/// Begins a conversation. If nothing was said in the newest one yet, it is that one. A `temporary` one has no memory, is
/// found by no search, and is removed a day after it was last used.
#[server(prefix = "/api", endpoint = "conversations/create", protocol = Posted)]
pub async fn create_conversation(
    agent: AgentId,
    #[server(default)] temporary: bool,
) -> Result<ConversationView, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let conversations = hub.for_viewer(&viewer).conversations();
    let begun = match temporary {
        true => conversations.create_temporary(&agent).await?,
        false => conversations.create(&agent).await?,
    };
    crate::context::redirect(&super::address(&begun));
    Ok(begun)
}

/// Begins a conversation of its own that has everything of this one up to the answer of `run`; without one, everything
/// before the message that is the entry `entry`, whose words become its draft.
#[server(prefix = "/api", endpoint = "conversations/fork", protocol = Posted)]
pub async fn fork_conversation(
    id: ConversationId,
    #[server(default)] run: Option<RunId>,
    #[server(default)] entry: u64,
) -> Result<ConversationView, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let conversations = hub.for_viewer(&viewer).conversations();
    let begun = match run {
        Some(run) => conversations.fork(&id, &run).await?,
        None => conversations.fork_before(&id, entry).await?,
    };
    crate::context::redirect(&super::address(&begun));
    Ok(begun)
}

/// Its person has seen everything in it, on whatever device.
#[server(prefix = "/api", endpoint = "conversations/read", protocol = Posted)]
pub async fn read_conversation(id: ConversationId) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).conversations().read(&id).await?)
}

/// What the person writes in it and has not sent, on whatever device.
#[server(prefix = "/api", endpoint = "conversations/draft", protocol = Queried)]
pub async fn get_draft(id: ConversationId) -> Result<Draft, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).conversations().draft(&id).await?)
}

/// Keeps this as what they write in it; without a `text` nothing, with `files_only` what it was. Files come to it by
/// `attach` and leave it by `detach`. Gives the draft as it is then, without files that are not there any more.
#[server(prefix = "/api", endpoint = "conversations/keep_draft", protocol = Posted)]
pub async fn keep_draft(
    id: ConversationId,
    #[server(default)] text: String,
    #[server(default)] files_only: bool,
    #[server(default)] attach: Vec<AttachmentId>,
    #[server(default)] detach: Vec<AttachmentId>,
) -> Result<Draft, AppError> {
    let viewer = viewer()?;
    let text = (!files_only).then_some(&*text);
    let change = DraftChange { text, attach: &attach, detach: &detach };
    Ok(hub().for_viewer(&viewer).conversations().keep_draft(&id, change).await?)
}

#[server(prefix = "/api", endpoint = "conversations/rename", protocol = Posted)]
pub async fn rename_conversation(id: ConversationId, title: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).conversations().rename(&id, &title).await?)
}

/// Holds it with this model of the agent's provider from the next run on; empty: with the agent's own.
#[server(prefix = "/api", endpoint = "conversations/set_model", protocol = Posted)]
pub async fn set_conversation_model(
    id: ConversationId,
    #[server(default)] model: String,
) -> Result<ConversationView, AppError> {
    let viewer = viewer()?;
    let hub = hub();
    let conversations = hub.for_viewer(&viewer).conversations();
    conversations.set_model(&id, &model).await?;
    Ok(conversations.get(&id).await?)
}

/// Keeps it at the top of the list, or no longer.
#[server(prefix = "/api", endpoint = "conversations/pin", protocol = Posted)]
pub async fn pin_conversation(id: ConversationId, #[server(default)] pinned: bool) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).conversations().pin(&id, pinned).await?)
}

/// Puts it into the folder of this name, or without one into none.
#[server(prefix = "/api", endpoint = "conversations/put_into", protocol = Posted)]
pub async fn put_conversation_into(
    id: ConversationId,
    #[server(default)] folder: String,
) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).conversations().put_into(&id, &folder).await?)
}

/// Puts it out of the list, or back; not one in which nothing was said. Whoever says something in it brings it back
/// too.
#[server(prefix = "/api", endpoint = "conversations/archive", protocol = Posted)]
pub async fn archive_conversation(
    id: ConversationId,
    #[server(default)] archived: bool,
) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).conversations().archive(&id, archived).await?)
}

/// A run in it is stopped. For 30 days it can be restored.
#[server(prefix = "/api", endpoint = "conversations/delete", protocol = Posted)]
pub async fn delete_conversation(id: ConversationId) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).conversations().delete(&id).await?)
}

#[server(prefix = "/api", endpoint = "conversations/restore", protocol = Posted)]
pub async fn restore_conversation(id: ConversationId) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).conversations().restore(&id).await?)
}

/// What the person thinks of answers in it, in the order of the entries that they are.
#[server(prefix = "/api", endpoint = "conversations/ratings", protocol = Queried)]
pub async fn list_ratings(id: ConversationId) -> Result<Vec<Rating>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).conversations().ratings(&id).await?)
}

/// Rates the answer that is the entry `entry`, or without a `thumb` takes that back.
#[server(prefix = "/api", endpoint = "conversations/rate", protocol = Posted)]
pub async fn rate_answer(
    id: ConversationId,
    entry: u64,
    #[server(default)] thumb: Option<Thumb>,
) -> Result<Vec<Rating>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).conversations().rate(&id, entry, thumb).await?)
}

/// Leaves a note on the answer that is the entry `entry`, which the next run in the conversation is given; an empty
/// one takes it back.
#[server(prefix = "/api", endpoint = "conversations/note", protocol = Posted)]
pub async fn note_on_answer(
    id: ConversationId,
    entry: u64,
    #[server(default)] text: String,
) -> Result<Vec<Rating>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).conversations().leave_note(&id, entry, &text).await?)
}
