//! Folders of this device that the person opened for an agent. The browser keeps how to reach them, and asks again when
//! it has forgotten that the person allowed it.

use super::Problem;
use crate::database::Database;
use crate::services;
use js_sys::{Array, Date, Function, Object, Promise, Reflect};
use language::say;
use leptos::prelude::window;
use protocol::AgentId;
use protocol::view::shell::PromptSubject;
use std::cell::RefCell;
use std::collections::HashMap;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{DomException, FileSystemDirectoryHandle};

const FOLDERS: Database = Database { name: "vivarium-folders", store: "folders" };
const PICKER: &str = "showDirectoryPicker";
/// Folders of one agent, at most.
const MOST_FOLDERS: usize = 20;

/// How long a call waits for the person. The hub waits a little longer.
const PATIENCE_MS: f64 = 60_000.0;

thread_local! {
    /// What the person is asked now, by agent and folder.
    static ASKED: RefCell<HashMap<String, Promise>> = RefCell::default();
}

pub(super) enum Opening {
    Open(FileSystemDirectoryHandle),
    /// There is none of that name.
    Unknown,
    /// The person, or the browser for them, said no.
    Refused,
}

/// Whether this browser lets a person pick folders.
pub fn can_pick() -> bool {
    Reflect::has(&window(), &PICKER.into()).unwrap_or_default()
}

/// Has the person pick a folder, and gives the name that it has for the agent. None: they picked none. Browsers want
/// a press for that.
pub async fn pick(agent: AgentId) -> Result<Option<String>, String> {
    match picked(&agent).await {
        Ok(name) => Ok(Some(name)),
        Err(error) if error.dyn_ref::<DomException>().is_some_and(|error| error.name() == "AbortError") => {
            Ok(None)
        }
        Err(error) => Err(Problem::from(error).message),
    }
}

async fn picked(agent: &AgentId) -> Result<String, JsValue> {
    let pick: Function = Reflect::get(&window(), &PICKER.into())?.dyn_into()?;
    let promise: Promise = pick.call1(&window(), &for_writing()?.into())?.dyn_into()?;
    let folder: FileSystemDirectoryHandle = JsFuture::from(promise).await?.unchecked_into();
    let there = names(agent).await?;
    if there.len() >= MOST_FOLDERS {
        return Err(say!("An agent has {MOST_FOLDERS} folders at most. Take one away first.").into());
    }
    let name = free_name(&folder.name(), &there);
    FOLDERS.write(&key(agent, &name), &folder).await?;
    Ok(name)
}

/// Takes a folder away from the agent. The folder itself stays as it is.
pub async fn forget(agent: AgentId, name: String) -> Result<(), String> {
    FOLDERS.remove(&key(&agent, &name)).await.map_err(|error| Problem::from(error).message)
}

pub(super) async fn names(agent: &AgentId) -> Result<Vec<String>, JsValue> {
    let prefix = key(agent, "");
    let all = FOLDERS.names().await?;
    Ok(all.iter().filter_map(|key| key.strip_prefix(&prefix)).map(str::to_owned).collect())
}

pub(super) async fn open(agent: &AgentId, name: &str) -> Result<Opening, JsValue> {
    let found = FOLDERS.read(&key(agent, name)).await?;
    if found.is_undefined() {
        return Ok(Opening::Unknown);
    }
    let folder: FileSystemDirectoryHandle = found.unchecked_into();
    let allowed = match permission(&folder, "queryPermission")? {
        // Nobody has to be asked for what the browser keeps itself.
        None => true,
        Some(state) => match JsFuture::from(state).await?.as_string().as_deref() {
            Some("granted") => true,
            Some("prompt") => ask(agent, name, folder.clone()).await?,
            _ => false,
        },
    };
    Ok(if allowed { Opening::Open(folder) } else { Opening::Refused })
}

/// The same where it is the person who opens it, with a press: the browser asks them by itself.
pub(super) async fn open_by_hand(agent: &AgentId, name: &str) -> Result<Opening, JsValue> {
    let found = FOLDERS.read(&key(agent, name)).await?;
    if found.is_undefined() {
        return Ok(Opening::Unknown);
    }
    let folder: FileSystemDirectoryHandle = found.unchecked_into();
    let is_open = match permission(&folder, "requestPermission")? {
        None => true,
        Some(state) => JsFuture::from(state).await?.as_string().as_deref() == Some("granted"),
    };
    Ok(if is_open { Opening::Open(folder) } else { Opening::Refused })
}

/// Asks the person, and with their press the browser: once for all that wait for it. Whoever waited too long does
/// nothing any more, for the hub has given up on it.
async fn ask(agent: &AgentId, name: &str, folder: FileSystemDirectoryHandle) -> Result<bool, JsValue> {
    let (begun, key) = (Date::now(), key(agent, name));
    let asked = ASKED.with_borrow(|asked| asked.get(&key).cloned()).unwrap_or_else(|| {
        let asked = question(agent, name, folder);
        ASKED.with_borrow_mut(|all| all.insert(key.clone(), asked.clone()));
        asked
    });
    let answer = JsFuture::from(asked).await;
    ASKED.with_borrow_mut(|all| all.remove(&key));
    Ok(answer?.as_string().as_deref() == Some("granted") && Date::now() - begun < PATIENCE_MS)
}

fn question(agent: &AgentId, name: &str, folder: FileSystemDirectoryHandle) -> Promise {
    let mut asked = Some((agent.clone(), name.to_owned(), folder));
    Promise::new(&mut |resolve, _| {
        let Some((agent, name, folder)) = asked.take() else { return };
        services::ask(&agent, PromptSubject::Folder { name }, move |said_yes| {
            let state = if said_yes { permission(&folder, "requestPermission") } else { Ok(None) };
            let answer = state.ok().flatten().map_or(JsValue::NULL, JsValue::from);
            // Whoever waited for it may be gone.
            let _ = resolve.call1(&JsValue::NULL, &answer);
        });
    })
}

/// None: this browser has no such question.
fn permission(folder: &FileSystemDirectoryHandle, question: &str) -> Result<Option<Promise>, JsValue> {
    let Ok(question) = Reflect::get(folder, &question.into())?.dyn_into::<Function>() else {
        return Ok(None);
    };
    Ok(Some(Reflect::apply(&question, folder, &Array::of1(&for_writing()?.into()))?.dyn_into()?))
}

fn for_writing() -> Result<Object, JsValue> {
    let options = Object::new();
    Reflect::set(&options, &"mode".into(), &"readwrite".into())?;
    Ok(options)
}

fn key(agent: &AgentId, name: &str) -> String {
    format!("{agent}/{name}")
}

/// A name that a path can have, and no other folder has.
fn free_name(name: &str, taken: &[String]) -> String {
    let fits = |each: char| !each.is_control() && !['/', '\\', ':'].contains(&each);
    let name: String = name.chars().map(|each| if fits(each) { each } else { '-' }).take(60).collect();
    let name = match name.trim() {
        "" | "." | ".." => "folder".to_owned(),
        name => name.to_owned(),
    };
    let mut names = (2..).map(|number| format!("{name}-{number}"));
    let mut free = name.clone();
    while taken.contains(&free) {
        free = names.next().unwrap_or_default();
    }
    free
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_gets_a_name_that_is_a_part_of_a_path_and_free() {
        for (name, taken, expected) in [
            ("notes", &[][..], "notes"),
            ("notes", &["notes"], "notes-2"),
            ("notes", &["notes", "notes-2"], "notes-3"),
            ("a/b\\c:d", &[], "a-b-c-d"),
            ("..", &[], "folder"),
            (" ", &[], "folder"),
        ] {
            let taken: Vec<String> = taken.iter().map(|name| (*name).to_owned()).collect();
            assert_eq!(free_name(name, &taken), expected);
        }
    }
}
