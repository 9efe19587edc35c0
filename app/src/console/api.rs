//! The server functions of the console.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::AgentId;
use protocol::view::{ConsoleAnswer, ConsoleSent, ConsoleView};

#[cfg(feature = "ssr")]
use super::data;
#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};

/// What goes on between the agents, and which devices look on.
#[server(prefix = "/api", endpoint = "console/show", protocol = Queried)]
pub async fn show_console() -> Result<ConsoleView, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).console().show().await?)
}

/// What each of these agents was asked last, and what it has answered so far; at most 24 of them.
#[server(prefix = "/api", endpoint = "console/answers", protocol = Queried)]
pub async fn console_answers(
    #[server(default)] agents: Vec<AgentId>,
) -> Result<Vec<ConsoleAnswer>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).console().answers(&agents).await?)
}

/// Says it to each of these agents, at most 50. Where it did not reach all, what is said again under the same `key`
/// reaches the others alone.
#[server(prefix = "/api", endpoint = "console/say", protocol = Posted)]
pub async fn say_to_several(
    #[server(default)] agents: Vec<AgentId>,
    text: String,
    #[server(default)] key: String,
) -> Result<Vec<ConsoleSent>, AppError> {
    let viewer = viewer()?;
    let key = Some(key.as_str()).filter(|key| !key.is_empty());
    let sent = hub().for_viewer(&viewer).console().say(&agents, &text, key).await?;
    crate::context::redirect(&data::address(&agents));
    Ok(sent)
}

/// Stops what these agents are at work on, or, of none, what all are. How many were?
#[server(prefix = "/api", endpoint = "console/stop", protocol = Posted)]
pub async fn stop_several(#[server(default)] agents: Vec<AgentId>) -> Result<u32, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).console().stop(&agents).await?)
}
