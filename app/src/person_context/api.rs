//! The server functions of a person's context. Forms without script come back to the page they are on.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::view::PersonContext;
use protocol::{AgentId, ContextSource, SayingId};

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};

/// The sources of the viewer's context with what would be told of each now, the keys, what their agents said lately,
/// and which agents may know of it.
#[server(prefix = "/api", endpoint = "person_context/show", protocol = Queried)]
pub async fn show_person_context() -> Result<PersonContext, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).person_context().show().await?)
}

/// Turns a source on for all agents that may know of the context. `entered` is the time zone for the time, and the
/// place for the place.
#[server(prefix = "/api", endpoint = "person_context/turn_on", protocol = Posted)]
pub async fn turn_on_source(
    source: ContextSource,
    #[server(default)] entered: String,
) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).person_context().turn_on(source, &entered).await?)
}

/// Turns a source off, and forgets what was known of it.
#[server(prefix = "/api", endpoint = "person_context/turn_off", protocol = Posted)]
pub async fn turn_off_source(source: ContextSource) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).person_context().turn_off(source).await?)
}

/// Turns the place on, as a device found it, in degrees. Two decimal places are kept.
#[server(prefix = "/api", endpoint = "person_context/locate", protocol = Posted)]
pub async fn locate_person(latitude: f64, longitude: f64) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).person_context().locate(latitude, longitude).await?)
}

/// Notes a value under a name, for all agents that may know of the context. An empty one removes it.
#[server(prefix = "/api", endpoint = "person_context/note", protocol = Posted)]
pub async fn note_context_key(name: String, #[server(default)] value: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).person_context().note(&name, &value).await?)
}

/// Says whether the agent `sees` the context, and whether it `hears` what the other agents said lately.
#[server(prefix = "/api", endpoint = "person_context/let_agent", protocol = Posted)]
pub async fn let_agent_know(
    agent: AgentId,
    #[server(default)] sees: bool,
    #[server(default)] hears: bool,
) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).person_context().let_agent(&agent, sees, hears).await?)
}

/// No agent is told of this answer any more.
#[server(prefix = "/api", endpoint = "person_context/delete_saying", protocol = Posted)]
pub async fn delete_saying(id: SayingId) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).person_context().delete_saying(&id).await?)
}

/// The same for all of them.
#[server(prefix = "/api", endpoint = "person_context/clear_sayings", protocol = Posted)]
pub async fn clear_sayings() -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).person_context().clear_sayings().await?)
}
