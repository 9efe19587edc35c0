//! `dom` and `runjs`: performed by the tab that shows the agent's page, or by the hub's engine while
//! none does. Either sends the page back.

use super::devices;
use super::screenshot;
use super::{ToolAnswer, ToolError};
use crate::engine::{Done, Job};
use crate::gateway::Caller;
use crate::live::{TabCallError, TabLink};
use crate::skins::{self, Drawing};
use crate::state;
use agent::tools::ResolvedCall;
use protocol::Failure;
use protocol::log::DeviceWanted;
use protocol::page::{ScriptContext, SkinCommand, SkinDone, SkinPage};
use protocol::view::{SkinOrigin, ToolReach};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// Milliseconds that `runjs` has.
const RUNJS_MS: u32 = 5000;
/// What a call has on the page itself, `dom` too.
const CALL_TIMEOUT: Duration = Duration::from_millis(RUNJS_MS as u64);
/// What a call may take on top of its own limit.
const ROUND_TRIP: Duration = Duration::from_secs(10);

pub(super) async fn dom(caller: &Caller<'_>, call: &ResolvedCall) -> Result<ToolAnswer, ToolError> {
    let (wanted, input) = devices::split(call.input());
    let is_picture = screenshot::is_wanted(&input);
    let mut result = performed(caller, call, wanted.as_ref(), SkinCommand::Dom { input }).await?;
    let files = if is_picture {
        screenshot::keep(caller, &mut result).await?.into_iter().collect()
    } else {
        Vec::new()
    };
    Ok(ToolAnswer { content: result.to_string(), files })
}

pub(super) async fn runjs(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let (wanted, input) = devices::split(call.input());
    let text = |name: &str| input.get(name).and_then(Value::as_str).unwrap_or_default();
    let context = if text("context") == "worker" { ScriptContext::Worker } else { ScriptContext::Page };
    perform(caller, call, wanted.as_ref(), script(text("code").to_owned(), context)).await
}

/// Runs code where the page is, as the body of an async function.
pub(super) async fn run(caller: &Caller<'_>, call: &ResolvedCall, code: String) -> Result<String, ToolError> {
    perform(caller, call, None, script(code, ScriptContext::Page)).await
}

/// Runs code in the engine, whoever has the page open: there are no page and no `flo` but these keys of the state.
pub(super) async fn run_apart(
    caller: &Caller<'_>,
    code: String,
    reach: &ToolReach,
) -> Result<String, ToolError> {
    let mut state = caller.hub.states().read(caller.agent).await?;
    state.retain(|key, _| reach.reads.contains(key));
    let command = script(code, ScriptContext::Page);
    let job = Job { command, page: SkinPage::default(), state };
    let done = caller.hub.engine().perform(caller.owner, job, CALL_TIMEOUT).await;
    let Done { result, is_error, page: _, set } =
        done.map_err(|error| ToolError(format!("Nothing came of it: {error}.")))?;
    if let Some(key) = set.keys().find(|key| !reach.writes.contains(key)) {
        let words = format!("It set {key}, which it does not declare, so nothing that it set was kept.");
        return Err(ToolError(answered_by("hub", json!({ "error": words })).to_string()));
    }
    keep(caller, None, None, set).await?;
    let result = answered_by("hub", result).to_string();
    if is_error { Err(ToolError(result)) } else { Ok(result) }
}

fn script(code: String, context: ScriptContext) -> SkinCommand {
    SkinCommand::RunJs { code, timeout_ms: RUNJS_MS, context }
}

async fn perform(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    wanted: Option<&DeviceWanted>,
    command: SkinCommand,
) -> Result<String, ToolError> {
    performed(caller, call, wanted, command).await.map(|result| result.to_string())
}

async fn performed(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    wanted: Option<&DeviceWanted>,
    command: SkinCommand,
) -> Result<Value, ToolError> {
    let is_beside_page = matches!(command, SkinCommand::RunJs { context: ScriptContext::Worker, .. });
    let (backend, result, is_error) = match in_page(caller, call, wanted, &command).await? {
        // A worker has no page, and what comes with its answer is none.
        Some((_, SkinDone { result, is_error, .. })) if is_beside_page => ("worker", result, is_error),
        Some((tab, SkinDone { result, is_error, page })) => {
            keep(caller, Some(&tab), Some(&page), BTreeMap::new()).await?;
            ("page", result, is_error)
        }
        None => {
            let Done { result, is_error, page, set } = in_engine(caller, command).await?;
            keep(caller, None, Some(&page), set).await?;
            ("hub", result, is_error)
        }
    };
    let result = answered_by(backend, result);
    if is_error { Err(ToolError(result.to_string())) } else { Ok(result) }
}

/// In a page that somebody has open; `None`: there is none that answers, and any will do.
async fn in_page(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    wanted: Option<&DeviceWanted>,
    command: &SkinCommand,
) -> Result<Option<(Arc<TabLink>, SkinDone)>, ToolError> {
    let limit = CALL_TIMEOUT + ROUND_TRIP;
    if let Some(wanted) = wanted {
        return devices::perform(caller, call.id(), wanted, command, limit).await.map(Some);
    }
    let live = caller.hub.live();
    let tabs = live.pages(caller.agent, None);
    if tabs.is_empty() {
        return Ok(None);
    }
    match live.call_tab(tabs, caller.agent, command.clone(), limit).await {
        Ok(done) => Ok(Some(done)),
        Err(TabCallError::NobodyThere) => Ok(None),
        Err(error @ (TabCallError::TabGone | TabCallError::TimedOut)) => {
            Err(ToolError(error.in_words::<SkinCommand>().to_owned()))
        }
    }
}

/// On the page as it is stored.
async fn in_engine(caller: &Caller<'_>, command: SkinCommand) -> Result<Done, ToolError> {
    let hub = caller.hub;
    let page = hub.skins().current(caller.agent).await?.map_or_else(SkinPage::default, |skin| skin.page);
    let state = hub.states().read(caller.agent).await?;
    let job = Job { command, page, state };
    let done = hub.engine().perform(caller.owner, job, CALL_TIMEOUT).await;
    done.map_err(|error| ToolError(format!("No open page answers; {error}.")))
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

/// As an object, like whatever names what a script chose.
fn not_kept(failure: &Failure) -> ToolError {
    let words = format!("What the script set was not kept: {failure}");
    ToolError(answered_by("hub", json!({ "error": words })).to_string())
}

/// Stores what the call set, and the page as the next version if it changed. No page: it had none.
async fn keep(
    caller: &Caller<'_>,
    tab: Option<&TabLink>,
    page: Option<&SkinPage>,
    set: BTreeMap<String, Value>,
) -> Result<(), ToolError> {
    if let Some(page) = page
        && serde_json::to_string(page)?.len() > skins::PAGE
    {
        return Err(ToolError("The page is larger than 2 MB and was not kept.".to_owned()));
    }
    if let Some(why) = caller.refuses_state(&set).await? {
        return Err(ToolError(format!(
            "What the script set was not kept, and nothing else that it did. {why}"
        )));
    }
    let (hub, place) = (caller.hub, caller.place());
    let mut appending = hub.log().appending().await?;
    let newest = skins::newest(&mut appending.tx, caller.agent).await?;
    let (version, shown) = newest.map_or((0, SkinPage::default()), |skin| (skin.version, skin.page));
    let changed = page.filter(|page| shown != **page);
    if changed.is_none() && set.is_empty() {
        return Ok(());
    }
    let fired =
        state::write(&mut appending, &place, set).await.map_err(|error| not_kept(&error.into_failure()))?;
    if let Some(page) = changed {
        let drawing = Drawing {
            device: tab.and_then(|tab| tab.device.as_ref()),
            by: tab.map(|tab| tab.id.clone()),
            ..Drawing::new(page, SkinOrigin::Run)
        };
        skins::store_next(&mut appending, &place, version, drawing).await?;
    }
    hub.log().commit(appending).await?;
    hub.states().wake_for_rules(caller.agent, fired).await?;
    Ok(())
}
