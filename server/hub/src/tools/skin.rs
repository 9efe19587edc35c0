//! `dom` and `runjs`: performed by the tab that shows the agent's page, which sends the page back.

use super::ToolError;
use crate::live::{SkinCallError, TabLink};
use crate::runs::Execution;
use crate::skins;
use protocol::frame::{ScriptContext, SkinCommand, SkinPage};
use protocol::log::EntryBody;
use protocol::model::ToolCall;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;

/// Milliseconds that `runjs` has.
const RUNJS_MS: u32 = 5000;
/// What a call may take on top of its own limit.
const ROUND_TRIP: Duration = Duration::from_secs(10);
/// Largest page, as JSON, in bytes.
const PAGE: usize = 2 * 1024 * 1024;

pub(super) async fn dom(execution: &Execution, call: &ToolCall) -> Result<String, ToolError> {
    perform(execution, SkinCommand::Dom { input: call.input.clone() }).await
}

pub(super) async fn runjs(execution: &Execution, call: &ToolCall) -> Result<String, ToolError> {
    let text = |name: &str| call.input.get(name).and_then(Value::as_str).unwrap_or_default();
    let context = if text("context") == "worker" { ScriptContext::Worker } else { ScriptContext::Page };
    script(execution, text("code").to_owned(), context).await
}

/// Runs code in the page, as the body of an async function.
pub(super) async fn run(execution: &Execution, code: String) -> Result<String, ToolError> {
    script(execution, code, ScriptContext::Page).await
}

async fn script(execution: &Execution, code: String, context: ScriptContext) -> Result<String, ToolError> {
    perform(execution, SkinCommand::RunJs { code, timeout_ms: RUNJS_MS, context }).await
}

async fn perform(execution: &Execution, command: SkinCommand) -> Result<String, ToolError> {
    let tab = stage(execution).ok_or_else(|| {
        ToolError(
            "No page of this agent is open, so nothing was done. Say so, or go on without it.".to_owned(),
        )
    })?;
    // A worker has no page, and what comes with its answer is none.
    let has_page = !matches!(command, SkinCommand::RunJs { context: ScriptContext::Worker, .. });
    let limit = Duration::from_millis(RUNJS_MS.into()) + ROUND_TRIP;
    let done =
        execution.hub().live.call_skin(&tab, &execution.agent, command, limit).await.map_err(|error| {
            ToolError(match error {
                SkinCallError::TabGone => {
                    "outcome unknown: the page was closed before it answered".to_owned()
                }
                SkinCallError::TimedOut => {
                    "outcome unknown: the page did not answer in time; a script may be stuck".to_owned()
                }
            })
        })?;
    if has_page {
        keep(execution, &tab, &done.page).await?;
    }
    let result = done.result.to_string();
    if done.is_error { Err(ToolError(result)) } else { Ok(result) }
}

/// The tab that drives the run if it shows the page, otherwise the one that was active last.
fn stage(execution: &Execution) -> Option<Arc<TabLink>> {
    let live = &execution.hub().live;
    execution
        .tab
        .and_then(|key| live.tab(key))
        .filter(|tab| tab.shows(&execution.agent))
        .or_else(|| live.stage(&execution.agent))
}

/// Stores the page as the next version if it changed.
async fn keep(execution: &Execution, tab: &TabLink, page: &SkinPage) -> Result<(), ToolError> {
    let text = serde_json::to_string(page)?;
    if text.len() > PAGE {
        return Err(ToolError("The page is larger than 2 MB and was not kept.".to_owned()));
    }
    let hub = execution.hub();
    let mut appending = hub.appending().await?;
    let newest = skins::newest(&mut appending.tx, &execution.agent).await?;
    let (version, shown) = newest.map_or((0, SkinPage::default()), |skin| (skin.version, skin.page));
    if shown == *page {
        return Ok(());
    }
    let version = version + 1;
    skins::store_skin(&mut appending.tx, &execution.agent, version, page, Some(&execution.run), hub.now())
        .await?;
    let body = EntryBody::Skin { version, by: Some(tab.id.clone()) };
    appending.append(&execution.place(), body).await?;
    hub.commit(appending).await?;
    Ok(())
}
