//! `dom` and `runjs`: performed by the tab that shows the agent's page, which sends the page back.

use super::ToolError;
use crate::gateway::Caller;
use crate::live::{SkinCallError, TabLink};
use crate::skins::{self, Drawing};
use protocol::frame::{SkinCommand, SkinPage};
use protocol::model::ToolCall;
use protocol::view::SkinOrigin;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;

/// Milliseconds that `runjs` has.
const RUNJS_MS: u32 = 5000;
/// What a call may take on top of its own limit.
const ROUND_TRIP: Duration = Duration::from_secs(10);

pub(super) async fn dom(caller: &Caller<'_>, call: &ToolCall) -> Result<String, ToolError> {
    perform(caller, SkinCommand::Dom { input: call.input.clone() }).await
}

pub(super) async fn runjs(caller: &Caller<'_>, call: &ToolCall) -> Result<String, ToolError> {
    run(caller, call.input.get("code").and_then(Value::as_str).unwrap_or_default().to_owned()).await
}

/// Runs code in the page, as the body of an async function.
pub(super) async fn run(caller: &Caller<'_>, code: String) -> Result<String, ToolError> {
    perform(caller, SkinCommand::RunJs { code, timeout_ms: RUNJS_MS }).await
}

async fn perform(caller: &Caller<'_>, command: SkinCommand) -> Result<String, ToolError> {
    let tab = stage(caller).ok_or_else(|| {
        ToolError(
            "No page of this agent is open, so nothing was done. Say so, or go on without it.".to_owned(),
        )
    })?;
    let limit = Duration::from_millis(RUNJS_MS.into()) + ROUND_TRIP;
    let done = caller.hub.live.call_skin(&tab, caller.agent, command, limit).await.map_err(|error| {
        ToolError(match error {
            SkinCallError::TabGone => "outcome unknown: the page was closed before it answered".to_owned(),
            SkinCallError::TimedOut => {
                "outcome unknown: the page did not answer in time; a script may be stuck".to_owned()
            }
        })
    })?;
    keep(caller, &tab, &done.page).await?;
    let result = done.result.to_string();
    if done.is_error { Err(ToolError(result)) } else { Ok(result) }
}

/// The tab that drives the run if it shows the page, otherwise the one that was active last.
fn stage(caller: &Caller<'_>) -> Option<Arc<TabLink>> {
    let live = &caller.hub.live;
    caller
        .tab
        .and_then(|key| live.tab(key))
        .filter(|tab| tab.shows(caller.agent))
        .or_else(|| live.stage(caller.agent))
}

/// Stores the page as the next version if it changed.
async fn keep(caller: &Caller<'_>, tab: &TabLink, page: &SkinPage) -> Result<(), ToolError> {
    if serde_json::to_string(page)?.len() > skins::PAGE {
        return Err(ToolError("The page is larger than 2 MB and was not kept.".to_owned()));
    }
    let mut appending = caller.hub.appending().await?;
    let newest = skins::newest(&mut appending.tx, caller.agent).await?;
    let (version, shown) = newest.map_or((0, SkinPage::default()), |skin| (skin.version, skin.page));
    if shown == *page {
        return Ok(());
    }
    let drawing = Drawing {
        device: tab.device.as_ref(),
        by: Some(tab.id.clone()),
        ..Drawing::new(page, SkinOrigin::Run)
    };
    skins::store_next(&mut appending, &caller.place(), version, drawing).await?;
    caller.hub.commit(appending).await?;
    Ok(())
}
