//! The server functions of memories. Forms without script come back to the page they are on.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::view::{MemoryChoice, MemoryImport, MemoryKind, MemoryList, MemoryMeaning};
use protocol::{AgentId, MemoryId};

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};
#[cfg(feature = "ssr")]
use protocol::view::{MemoryDraft, SaidAt};
#[cfg(feature = "ssr")]
use protocol::{ProviderId, RunId};

/// What is remembered of the viewer, 50 at a time: what has any of the words in `text`, the best fitting first, or
/// else what changed last; with what waits for a yes and, without words, what was forgotten. `page` counts from 0. With a `run` those that went
/// into the answer that it gave, and no others.
#[server(prefix = "/api", endpoint = "memories/list", protocol = Queried)]
pub async fn list_memories(
    #[server(default)] text: String,
    #[server(default)] page: u32,
    #[server(default)] run: String,
) -> Result<MemoryList, AppError> {
    let viewer = viewer()?;
    let hub = hub();
    let memories = hub.for_viewer(&viewer).memories();
    Ok(match run.is_empty() {
        true => memories.list(&text, page).await?,
        false => memories.of_run(&RunId(run)).await?,
    })
}

/// What was said, for a memory to begin with: the person's message that is the entry `message` of the agent's log,
/// or what the agent said last in `run`. 500 characters at most.
#[server(prefix = "/api", endpoint = "memories/said", protocol = Queried)]
pub async fn read_said(
    agent: AgentId,
    #[server(default)] message: Option<u64>,
    #[server(default)] run: String,
) -> Result<String, AppError> {
    let viewer = viewer()?;
    let said = SaidAt { agent, message, run: RunId(run) };
    Ok(hub().for_viewer(&viewer).memories().said(&said).await?)
}

/// Remembers this. `agent` is the one that is told of it, `workspace` that of those that are; without either all agents
/// that have a memory are. `of_agent` with `of_message` or `of_run` name what was said, as [`read_said`] does: it stands on
/// the page as where this came from.
#[server(prefix = "/api", endpoint = "memories/create", protocol = Posted)]
pub async fn create_memory(
    text: String,
    #[server(default)] kind: MemoryKind,
    importance: u8,
    #[server(default)] tags: String,
    #[server(default)] agent: String,
    #[server(default)] workspace: String,
    #[server(default)] of_agent: String,
    #[server(default)] of_message: Option<u64>,
    #[server(default)] of_run: String,
) -> Result<MemoryId, AppError> {
    let viewer = viewer()?;
    let draft = MemoryDraft { text, kind, importance, tags, agent, workspace };
    let hub = hub();
    let memories = hub.for_viewer(&viewer).memories();
    Ok(match of_agent.is_empty() {
        true => memories.create(&draft).await?,
        false => {
            let said = SaidAt { agent: AgentId(of_agent), message: of_message, run: RunId(of_run) };
            memories.create_of(&draft, &said).await?
        }
    })
}

/// Puts this in the place of what it said.
#[server(prefix = "/api", endpoint = "memories/edit", protocol = Posted)]
pub async fn edit_memory(
    id: MemoryId,
    text: String,
    #[server(default)] kind: MemoryKind,
    importance: u8,
    #[server(default)] tags: String,
    #[server(default)] agent: String,
    #[server(default)] workspace: String,
) -> Result<(), AppError> {
    let viewer = viewer()?;
    let draft = MemoryDraft { text, kind, importance, tags, agent, workspace };
    Ok(hub().for_viewer(&viewer).memories().edit(&id, &draft).await?)
}

/// Keeps what was proposed or forgotten.
#[server(prefix = "/api", endpoint = "memories/keep", protocol = Posted)]
pub async fn keep_memory(id: MemoryId) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).memories().keep(&id).await?)
}

/// Takes it away from all agents. For thirty days it can be kept again.
#[server(prefix = "/api", endpoint = "memories/forget", protocol = Posted)]
pub async fn forget_memory(id: MemoryId) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).memories().forget(&id).await?)
}

/// Says which holds of this one and the older one that it speaks against. What does not is forgotten.
#[server(prefix = "/api", endpoint = "memories/settle", protocol = Posted)]
pub async fn settle_memory(id: MemoryId, keep: MemoryChoice) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).memories().settle(&id, keep).await?)
}

/// Remembers what the text says: a file of `GET /memories/export`, or else a memory to a line, 10,000 at most. What is known
/// already is not kept twice.
#[server(prefix = "/api", endpoint = "memories/import", protocol = Posted)]
pub async fn import_memories(text: String) -> Result<MemoryImport, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).memories().import(&text).await?)
}

/// By which model the viewer's memories are found by their meaning, if by any, how many wait for it, and what is in the
/// way.
#[server(prefix = "/api", endpoint = "memories/meaning", protocol = Queried)]
pub async fn get_meaning() -> Result<MemoryMeaning, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).memories().meaning().await?)
}

/// Has memories found by their meaning too, by a model of one of the viewer's providers, which is sent what they say and
/// what is looked for. An empty `provider` leaves it at their words.
#[server(prefix = "/api", endpoint = "memories/choose_meaning", protocol = Posted)]
pub async fn choose_meaning(
    #[server(default)] provider: String,
    #[server(default)] model: String,
) -> Result<(), AppError> {
    let viewer = viewer()?;
    let provider = (!provider.is_empty()).then(|| ProviderId::from(provider.as_str()));
    hub().for_viewer(&viewer).memories().choose_meaning(provider.as_ref(), &model).await?;
    crate::context::redirect("/memory?done=meaning#meaning");
    Ok(())
}
