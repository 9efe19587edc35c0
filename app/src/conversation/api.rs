//! The server functions of a conversation. Forms without script come back to the page they are on.

use crate::AppError;
use leptos::prelude::*;
use leptos::server_fn::codec::{GetUrl, PostUrl};
use protocol::AgentId;
use protocol::log::Entry;
use protocol::view::{Answered, Home, Sent, When};

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};
#[cfg(feature = "ssr")]
use protocol::TabId;
#[cfg(feature = "ssr")]
use std::time::Duration;

/// `tab` is the tab that the message comes from, or empty: an agent that lives in the browser runs there.
/// `key` is the sender's own for this message, or empty: what comes again under it is not sent again.
#[server(prefix = "/api", endpoint = "agents/send", input = PostUrl)]
pub async fn send_message(
    agent: AgentId,
    text: String,
    #[server(default)] tab: String,
    #[server(default)] key: String,
) -> Result<Sent, AppError> {
    let viewer = viewer()?;
    let key = Some(key.as_str()).filter(|key| !key.is_empty());
    Ok(hub().for_viewer(&viewer).send_message(&agent, &text, key, named(tab).as_ref()).await?)
}

/// Sends a message and waits for its answer, at most `wait_seconds` (0: two minutes; ten are the most).
#[server(prefix = "/api", endpoint = "agents/ask", input = PostUrl)]
pub async fn ask_agent(
    agent: AgentId,
    text: String,
    #[server(default)] key: String,
    #[server(default)] wait_seconds: u64,
) -> Result<Answered, AppError> {
    let viewer = viewer()?;
    let key = Some(key.as_str()).filter(|key| !key.is_empty());
    let wait = Duration::from_secs(if wait_seconds == 0 { 120 } else { wait_seconds });
    Ok(hub().for_viewer(&viewer).ask(&agent, &text, key, wait).await?)
}

#[server(prefix = "/api", endpoint = "agents/retry", input = PostUrl)]
pub async fn retry_run(agent: AgentId, #[server(default)] tab: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).retry(&agent, named(tab).as_ref()).await?)
}

/// Wakes the agent for the errors of its page that it was not woken for.
#[server(prefix = "/api", endpoint = "agents/repair", input = PostUrl)]
pub async fn repair_page(agent: AgentId, #[server(default)] tab: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).repair(&agent, named(tab).as_ref()).await?)
}

#[server(prefix = "/api", endpoint = "agents/stop", input = PostUrl)]
pub async fn stop_run(agent: AgentId) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).stop(&agent).await?)
}

/// Goes on in this tab with the run that another one drives.
#[server(prefix = "/api", endpoint = "agents/take_over", input = PostUrl)]
pub async fn take_over_run(agent: AgentId, tab: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).take_over(&agent, &TabId(tab)).await?)
}

/// Moves the agent to another home, with the run under way: `after` its turn, or `now`. `tab` is the one
/// that a run goes to in a browser, or empty: the one that shows the agent.
#[server(prefix = "/api", endpoint = "agents/move", input = PostUrl)]
pub async fn move_agent(
    agent: AgentId,
    home: Home,
    #[server(default)] when: When,
    #[server(default)] tab: String,
) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).move_agent(&agent, home, when, named(tab).as_ref()).await?)
}

/// Entries of the agent's log with a `seq` above `after`, oldest first, at most 500.
#[server(prefix = "/api", endpoint = "agents/entries", input = GetUrl)]
pub async fn entries(agent: AgentId, #[server(default)] after: u64) -> Result<Vec<Entry>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).entries(&agent, after).await?)
}

#[cfg(feature = "ssr")]
fn named(tab: String) -> Option<TabId> {
    (!tab.is_empty()).then_some(TabId(tab))
}
