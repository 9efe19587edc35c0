//! Files of this device that an agent has: what the browser keeps for it (`/opfs`), and folders that the person opened
//! for it (`/local`). The hub decides first; no frame has a way here.

mod by_hand;
mod folders;
mod tree;

pub use by_hand::{delete, download, list, read};
pub use folders::{can_pick, forget, pick};

use folders::Opening;
use js_sys::Reflect;
use leptos::prelude::window;
use leptos::task::spawn_local;
use protocol::AgentId;
use protocol::device::{DeviceAnswer, DeviceAsk, DeviceMount, DevicePath, DeviceProblem};
use std::cell::Cell;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{DomException, FileSystemDirectoryHandle};

thread_local! {
    static IS_ASKED: Cell<bool> = const { Cell::new(false) };
}

/// The folder of all agents in what the browser keeps.
const AGENTS: &str = "agents";

/// What this device has of an agent's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceFiles {
    /// Files that the browser keeps, and their bytes.
    pub kept: (usize, u64),
    /// Folders of the person's.
    pub folders: Vec<String>,
}

/// Why something did not work out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) why: DeviceProblem,
    pub(crate) message: String,
}

impl Problem {
    pub(crate) fn of(why: DeviceProblem) -> Self {
        Self { why, message: String::new() }
    }
}

impl From<JsValue> for Problem {
    fn from(error: JsValue) -> Self {
        let (name, message) = match error.dyn_ref::<DomException>() {
            Some(error) => (error.name(), error.message()),
            None => (String::new(), error.as_string().unwrap_or_default()),
        };
        let why = match name.as_str() {
            "NotFoundError" | "TypeMismatchError" => DeviceProblem::Missing,
            "NotAllowedError" | "SecurityError" => DeviceProblem::NotAllowed,
            _ => DeviceProblem::Other,
        };
        Self { why, message }
    }
}

/// What there is of the agent's on this device.
pub async fn look(agent: AgentId) -> DeviceFiles {
    let kept = match kept(&agent, false).await {
        Ok(root) => tree::list(root, "").await.map(|(files, _)| files).unwrap_or_default(),
        Err(_) => Vec::new(),
    };
    let kept = (kept.len(), kept.iter().map(|file| file.size).sum());
    DeviceFiles { kept, folders: folders::names(&agent).await.unwrap_or_default() }
}

/// Deletes what the browser keeps for the agent.
pub async fn empty(agent: AgentId) -> Result<(), String> {
    let emptied = async {
        let all = tree::folder(&storage().await?, AGENTS, false).await?;
        tree::remove(&all, &agent.0).await
    };
    match emptied.await {
        Ok(()) | Err(Problem { why: DeviceProblem::Missing, .. }) => Ok(()),
        Err(Problem { message, .. }) => Err(message),
    }
}

pub(crate) async fn perform(agent: &AgentId, ask: DeviceAsk) -> Result<DeviceAnswer, Problem> {
    match ask {
        DeviceAsk::Folders => Ok(DeviceAnswer::Folders { names: folders::names(agent).await? }),
        DeviceAsk::List { at } => {
            let (files, more) = match root(agent, &at, false).await {
                Ok(root) => tree::list(root, &at.path).await?,
                Err(nothing) if is_empty(&at, &nothing) => (Vec::new(), false),
                Err(problem) => return Err(problem),
            };
            Ok(DeviceAnswer::Files { files, more })
        }
        DeviceAsk::Read { at } => {
            let content = tree::read(root(agent, &at, false).await?, &at.path).await?;
            Ok(DeviceAnswer::Content { content: tree::in_base64(&content) })
        }
        DeviceAsk::Write { at, content, was } => {
            tree::write(root(agent, &at, true).await?, &at.path, &content, was).await?;
            if at.mount == DeviceMount::Opfs {
                ask_to_keep();
            }
            Ok(DeviceAnswer::Done)
        }
        DeviceAsk::Delete { at, was } => {
            tree::delete(root(agent, &at, false).await?, &at.path, &was).await?;
            Ok(DeviceAnswer::Done)
        }
        DeviceAsk::Location { .. } | DeviceAsk::ReadClipboard | DeviceAsk::WriteClipboard { .. } => {
            Err(Problem::of(DeviceProblem::Unsupported))
        }
    }
}

/// Where nothing was kept yet, nothing is kept.
fn is_empty(at: &DevicePath, problem: &Problem) -> bool {
    at.mount == DeviceMount::Opfs && at.path.is_empty() && problem.why == DeviceProblem::Missing
}

async fn root(agent: &AgentId, at: &DevicePath, create: bool) -> Result<FileSystemDirectoryHandle, Problem> {
    match &at.mount {
        DeviceMount::Opfs => kept(agent, create).await,
        DeviceMount::Local(name) => match folders::open(agent, name).await? {
            Opening::Open(folder) => Ok(folder),
            Opening::Unknown => Err(Problem::of(DeviceProblem::NoFolder)),
            Opening::Refused => Err(Problem::of(DeviceProblem::NotAllowed)),
        },
    }
}

/// The agent's own folder in what the browser keeps.
async fn kept(agent: &AgentId, create: bool) -> Result<FileSystemDirectoryHandle, Problem> {
    let agents = tree::folder(&storage().await?, AGENTS, create).await?;
    tree::folder(&agents, &agent.0, create).await
}

/// Asks the browser, once for this page, not to clear by itself what it keeps here when it is short of room. Some ask
/// their person, so nobody waits for the answer.
fn ask_to_keep() {
    let manager = Reflect::get(&window().navigator(), &"storage".into()).unwrap_or_default();
    let can_ask = Reflect::has(&manager, &"persist".into()).unwrap_or_default();
    if !can_ask || IS_ASKED.replace(true) {
        return;
    }
    spawn_local(async {
        if let Ok(asked) = window().navigator().storage().persist() {
            // Whoever says no keeps it as long as there is room.
            let _ = JsFuture::from(asked).await;
        }
    });
}

async fn storage() -> Result<FileSystemDirectoryHandle, Problem> {
    let manager = Reflect::get(&window().navigator(), &"storage".into()).unwrap_or_default();
    if !Reflect::has(&manager, &"getDirectory".into()).unwrap_or_default() {
        return Err(Problem::of(DeviceProblem::Unsupported));
    }
    let root = JsFuture::from(window().navigator().storage().get_directory()).await?;
    Ok(root.unchecked_into())
}
