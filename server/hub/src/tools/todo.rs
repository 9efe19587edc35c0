//! `todo`: the agent's half of the list of what there is to do.

use super::ToolError;
use crate::gateway::Caller;
use crate::todo::TodoChange;
use agent::tools::ResolvedCall;
use protocol::todo::TodoState;
use serde::Deserialize;
use serde_json::json;

/// The input, as its schema has checked it.
#[derive(Deserialize)]
struct Asked {
    action: Action,
    tasks: Option<Vec<Wanted>>,
    text: Option<String>,
    id: Option<u32>,
    state: Option<TodoState>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Action {
    List,
    Replace,
    Add,
    Change,
    Complete,
}

#[derive(Deserialize)]
struct Wanted {
    text: String,
    #[serde(default)]
    state: TodoState,
}

pub(super) async fn perform(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let Asked { action, tasks, text, id, state } = Asked::deserialize(call.input())?;
    let needs = |what: &str| ToolError(format!("This action needs {what}."));
    let change = match action {
        Action::List => None,
        Action::Replace => {
            let tasks = tasks.ok_or_else(|| needs("tasks"))?;
            let items = tasks.into_iter().map(|Wanted { text, state }| (text, state)).collect();
            Some(TodoChange::Replace { items })
        }
        Action::Add => Some(TodoChange::Add { text: text.ok_or_else(|| needs("text"))? }),
        Action::Change if text.is_none() && state.is_none() => return Err(needs("state or text")),
        Action::Change => Some(TodoChange::Change { id: id.ok_or_else(|| needs("id"))?, text, state }),
        Action::Complete => {
            let id = id.ok_or_else(|| needs("id"))?;
            Some(TodoChange::Change { id, text: None, state: Some(TodoState::Done) })
        }
    };
    let todos = caller.hub.todos();
    let list = match change {
        Some(change) => todos.change_own(&caller.place(), change).await?,
        None => todos.read(caller.conversation).await?,
    };
    Ok(json!({ "tasks": list.items }).to_string())
}
