//! `dom` and `runjs`: performed by the tab that shows the agent's page, or by the hub's engine while
//! none does. Either sends the page back.

use super::ToolError;
use crate::engine::{Done, Job};
use crate::live::{SkinCallError, TabLink};
use crate::runs::Execution;
use crate::{skins, state};
use protocol::TabId;
use protocol::frame::{SkinCommand, SkinDone, SkinPage};
use protocol::log::EntryBody;
use protocol::model::ToolCall;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// Milliseconds that `runjs` has.
const RUNJS_MS: u32 = 5000;
/// What a call has on the page itself, `dom` too.
const TIME: Duration = Duration::from_millis(RUNJS_MS as u64);
/// What a call may take on top of its own limit.
const ROUND_TRIP: Duration = Duration::from_secs(10);
/// Largest page, as JSON, in bytes.
const PAGE: usize = 2 * 1024 * 1024;

pub(super) async fn dom(execution: &Execution, call: &ToolCall) -> Result<String, ToolError> {
    perform(execution, SkinCommand::Dom { input: call.input.clone() }).await
}

pub(super) async fn runjs(execution: &Execution, call: &ToolCall) -> Result<String, ToolError> {
    run(execution, call.input.get("code").and_then(Value::as_str).unwrap_or_default().to_owned()).await
}

/// Runs code where the page is, as the body of an async function.
pub(super) async fn run(execution: &Execution, code: String) -> Result<String, ToolError> {
    perform(execution, SkinCommand::RunJs { code, timeout_ms: RUNJS_MS }).await
}

async fn perform(execution: &Execution, command: SkinCommand) -> Result<String, ToolError> {
    let (backend, result, is_error) = match stage(execution) {
        Some(tab) => {
            let SkinDone { result, is_error, page } = in_page(execution, &tab, command).await?;
            keep(execution, Some(&tab.id), &page, BTreeMap::new()).await?;
            ("page", result, is_error)
        }
        None => {
            let Done { result, is_error, page, set } = in_engine(execution, command).await?;
            keep(execution, None, &page, set).await?;
            ("hub", result, is_error)
        }
    };
    let result = answered_by(backend, result).to_string();
    if is_error { Err(ToolError(result)) } else { Ok(result) }
}

async fn in_page(execution: &Execution, tab: &TabLink, command: SkinCommand) -> Result<SkinDone, ToolError> {
    let limit = TIME + ROUND_TRIP;
    execution.hub().live.call_skin(tab, &execution.agent, command, limit).await.map_err(|error| {
        ToolError(match error {
            SkinCallError::TabGone => "outcome unknown: the page was closed before it answered".to_owned(),
            SkinCallError::TimedOut => {
                "outcome unknown: the page did not answer in time; a script may be stuck".to_owned()
            }
        })
    })
}

/// On the page as it is stored, for nobody has it open.
async fn in_engine(execution: &Execution, command: SkinCommand) -> Result<Done, ToolError> {
    let hub = execution.hub();
    let page = hub.skin_of(&execution.agent).await?.map_or_else(SkinPage::default, |skin| skin.page);
    let state = hub.state_of(&execution.agent).await?;
    let job = Job { command, page, state };
    hub.engine.perform(&job, TIME).await.map_err(|error| ToolError(format!("No page is open; {error}.")))
}

/// Who answered is for the hub to say, whatever the page says.
fn answered_by(backend: &str, mut result: Value) -> Value {
    match result.as_object_mut() {
        Some(parts) => {
            parts.insert("backend".to_owned(), Value::from(backend));
            result
        }
        None => json!({ "backend": backend, "result": result }),
    }
}

/// The tab that drives the run if it shows the page, otherwise the one that was active last.
pub(super) fn stage(execution: &Execution) -> Option<Arc<TabLink>> {
    execution.hub().live.stage(&execution.agent, execution.tab)
}

/// Stores what the call set, and the page as the next version if it changed.
async fn keep(
    execution: &Execution,
    by: Option<&TabId>,
    page: &SkinPage,
    set: BTreeMap<String, Value>,
) -> Result<(), ToolError> {
    let text = serde_json::to_string(page)?;
    if text.len() > PAGE {
        return Err(ToolError("The page is larger than 2 MB and was not kept.".to_owned()));
    }
    let (hub, agent, place) = (execution.hub(), &execution.agent, execution.place());
    let mut appending = hub.appending().await?;
    let newest = skins::newest(&mut appending.tx, agent).await?;
    let (version, shown) = newest.map_or((0, SkinPage::default()), |skin| (skin.version, skin.page));
    if shown == *page && set.is_empty() {
        return Ok(());
    }
    for (key, value) in set {
        state::put_state(&mut appending.tx, agent, &key, &value).await.map_err(|error| {
            ToolError(format!("What the script set was not kept: {}", error.into_failure()))
        })?;
        appending.append(&place, EntryBody::State { key, value }).await?;
    }
    if shown != *page {
        let version = version + 1;
        skins::store_skin(&mut appending.tx, agent, version, page, Some(&execution.run), hub.now()).await?;
        appending.append(&place, EntryBody::Skin { version, by: by.cloned() }).await?;
    }
    hub.commit(appending).await?;
    Ok(())
}
