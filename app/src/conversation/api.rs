//! The server functions of a conversation. Forms without script come back to the page they are on.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::agent::Home;
use protocol::log::Entry;
use protocol::view::{ConversationView, MessageOutcome, Sent, When};
use protocol::{AgentId, AttachmentId, ConversationId, RunId};

#[cfg(feature = "ssr")]
use crate::context::{conversation_named, hub, viewer};
#[cfg(feature = "ssr")]
use crate::conversations::address;
#[cfg(feature = "ssr")]
use hub::Outgoing;
#[cfg(feature = "ssr")]
use protocol::TabId;
#[cfg(feature = "ssr")]
use std::time::Duration;

/// An empty `conversation` is the one that was used last. `tab` is the tab that the message comes from, or empty: an agent that lives in the browser runs there.
/// `attachments` are what `POST /attachments` made of files; a message that has some may have no text.
/// `key` is the sender's own for this message, or empty: what comes again under it is not sent again.
/// `model` answers this message alone; empty, the one that the conversation is held with does.
#[server(prefix = "/api", endpoint = "agents/send", protocol = Posted)]
pub async fn send_message(
    agent: AgentId,
    text: String,
    #[server(default)] tab: String,
    #[server(default)] key: String,
    #[server(default)] conversation: String,
    #[server(default)] attachments: Vec<AttachmentId>,
    #[server(default)] model: String,
) -> Result<Sent, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let key = Some(key.as_str()).filter(|key| !key.is_empty());
    let conversation = conversation_named(conversation);
    let runs = hub.for_viewer(&viewer).runs().of_conversation(conversation.as_ref()).answered_by(&model);
    let message = Outgoing { text: &text, attachments: &attachments, key };
    Ok(runs.send(&agent, message, named(tab).as_ref()).await?)
}

/// Says this instead of the message that is the entry `entry` of the conversation `id`: in a branch of it, which
/// has all that came before. The rest is as for `agents/send`.
#[server(prefix = "/api", endpoint = "conversations/edit", protocol = Posted)]
pub async fn edit_message(
    id: ConversationId,
    entry: u64,
    text: String,
    #[server(default)] tab: String,
    #[server(default)] key: String,
    #[server(default)] attachments: Vec<AttachmentId>,
) -> Result<Sent, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let key = Some(key.as_str()).filter(|key| !key.is_empty());
    let scoped = hub.for_viewer(&viewer);
    let message = Outgoing { text: &text, attachments: &attachments, key };
    let sent = scoped.runs().send_instead(&id, entry, message, named(tab).as_ref()).await?;
    crate::context::redirect(&address(&scoped.conversations().get(&sent.conversation).await?));
    Ok(sent)
}

/// Answers again what `run` answered in the conversation `id`: in a branch of it, which has all that came before
/// that run. `model` is asked for this one answer; empty, it is the one that the conversation is held with.
#[server(prefix = "/api", endpoint = "conversations/regenerate", protocol = Posted)]
pub async fn regenerate_answer(
    id: ConversationId,
    run: RunId,
    #[server(default)] tab: String,
    #[server(default)] model: String,
) -> Result<ConversationView, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let branch = hub.for_viewer(&viewer).runs().regenerate(&id, &run, &model, named(tab).as_ref()).await?;
    crate::context::redirect(&address(&branch));
    Ok(branch)
}

/// Sends a message and waits for its answer, at most `wait_seconds` (0: two minutes; ten are the most).
#[server(prefix = "/api", endpoint = "agents/ask", protocol = Posted)]
pub async fn ask_agent(
    agent: AgentId,
    text: String,
    #[server(default)] key: String,
    #[server(default)] wait_seconds: u64,
    #[server(default)] conversation: String,
) -> Result<MessageOutcome, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let key = Some(key.as_str()).filter(|key| !key.is_empty());
    let wait = Duration::from_secs(if wait_seconds == 0 { 120 } else { wait_seconds });
    let conversation = conversation_named(conversation);
    let runs = hub.for_viewer(&viewer).runs().of_conversation(conversation.as_ref());
    Ok(runs.ask(&agent, &text, key, wait).await?)
}

#[server(prefix = "/api", endpoint = "agents/retry", protocol = Posted)]
pub async fn retry_run(
    agent: AgentId,
    #[server(default)] tab: String,
    #[server(default)] conversation: String,
) -> Result<(), AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let conversation = conversation_named(conversation);
    let runs = hub.for_viewer(&viewer).runs().of_conversation(conversation.as_ref());
    Ok(runs.retry(&agent, named(tab).as_ref()).await?)
}

/// Wakes the agent for the errors of its page that it was not woken for.
#[server(prefix = "/api", endpoint = "agents/repair", protocol = Posted)]
pub async fn repair_page(agent: AgentId, #[server(default)] tab: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).runs().repair(&agent, named(tab).as_ref()).await?)
}

#[server(prefix = "/api", endpoint = "agents/stop", protocol = Posted)]
pub async fn stop_run(agent: AgentId) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).runs().stop(&agent).await?)
}

/// Goes on in this tab with the run that another one drives.
#[server(prefix = "/api", endpoint = "agents/take_over", protocol = Posted)]
pub async fn take_over_run(agent: AgentId, tab: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).runs().take_over(&agent, &TabId(tab)).await?)
}

/// Moves the agent to another home, with the run under way: `after` its turn, or `now`. `tab` is the one
/// that a run goes to in a browser, or empty: the one that shows the agent.
#[server(prefix = "/api", endpoint = "agents/move", protocol = Posted)]
pub async fn move_agent(
    agent: AgentId,
    home: Home,
    #[server(default)] when: When,
    #[server(default)] tab: String,
) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).runs().move_agent(&agent, home, when, named(tab).as_ref()).await?)
}

/// Entries of the agent's log with a `seq` above `after`, oldest first: at most 500, and no more once they
/// have a megabyte.
#[server(prefix = "/api", endpoint = "agents/entries", protocol = Queried)]
pub async fn entries(agent: AgentId, #[server(default)] after: u64) -> Result<Vec<Entry>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).conversations().entries(&agent, after).await?)
}

#[cfg(feature = "ssr")]
fn named(tab: String) -> Option<TabId> {
    (!tab.is_empty()).then_some(TabId(tab))
}
