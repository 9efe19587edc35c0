//! The server functions of to-do lists. Forms without script come back to the page they are on.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::ConversationId;
use protocol::todo::{TodoList, TodoState};

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};

/// What there is to do in a conversation.
#[server(prefix = "/api", endpoint = "todo/list", protocol = Queried)]
pub async fn list_todo(conversation: ConversationId) -> Result<TodoList, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).todos().read(&conversation).await?)
}

/// Adds a task, of which the agent is told before its next turn.
#[server(prefix = "/api", endpoint = "todo/add", protocol = Posted)]
pub async fn add_todo(conversation: ConversationId, text: String) -> Result<TodoList, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).todos().add(&conversation, &text).await?)
}

/// Ticks the task with this number, strikes it, or takes that back.
#[server(prefix = "/api", endpoint = "todo/mark", protocol = Posted)]
pub async fn mark_todo(
    conversation: ConversationId,
    task: u32,
    state: TodoState,
) -> Result<TodoList, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).todos().mark(&conversation, task, state).await?)
}
