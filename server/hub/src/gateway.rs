//! The one door that every tool call goes through, whoever makes it: policy, schema, hooks, intent,
//! effect, outcome. Nothing acts before its intent is committed.

mod audit;
mod cache;
mod caller;
mod consent;
mod page;
mod schema;

pub(crate) use cache::Results;
pub(crate) use caller::Caller;

use crate::error::{Error, Result};
use crate::log::conversation_entries;
use crate::network;
use crate::runs::refusal;
use crate::tools::{self, ToolError};
use agent::hooks;
use agent::tools::{self as declared, access};
use audit::{Ending, Visible, close, conclude, intend};
use cache::{Known, Read};
use caller::By;
use consent::Declared;
use protocol::hub::HookEvent;
use protocol::log::{Entry, EntryBody};
use protocol::model::{ToolCall, ToolResult};
use std::time::Instant;
use tokio_util::sync::CancellationToken;

/// Longest result handed to a model, in bytes.
const RESULT: usize = 128 * 1024;

/// What became of a call.
pub(crate) struct Answered {
    pub(crate) result: ToolResult,
    /// A person or a policy said no.
    pub(crate) denied: bool,
}

/// Why a call is not performed.
enum Refusal {
    /// The model can put it right.
    Mistake(String),
    Denied(String),
}

pub(crate) async fn call(caller: &Caller<'_>, call: &ToolCall, stop: &CancellationToken) -> Answered {
    match guarded(caller, call, stop).await {
        Ok(answered) => answered,
        Err(error) => Answered { result: refusal(call, &error.into_failure().to_string()), denied: false },
    }
}

/// A call that no model made and that only looks: through the same checks, into the audit, but not
/// into the log. `None` for anything else, and for what fails.
pub(crate) async fn look(
    caller: &Caller<'_>,
    call: &ToolCall,
    stop: &CancellationToken,
) -> Option<ToolResult> {
    if !declared::may_prefetch(call) {
        return None;
    }
    let (permitted, _) = permit(caller, call, stop).await.ok()?.ok()?;
    if !intend(caller, call, Visible::No).await.ok()? {
        return None;
    }
    let (outcome, ending) = tokio::select! {
        biased;
        () = stop.cancelled() => return None,
        performed = perform(caller, &permitted) => performed,
    };
    let mut appending = caller.hub.appending().await.ok()?;
    close(&mut appending, caller, &call.id, ending).await.ok()?;
    caller.hub.commit(appending).await.ok()?;
    outcome.ok().map(|content| answer(call, content))
}

async fn guarded(caller: &Caller<'_>, asked: &ToolCall, stop: &CancellationToken) -> Result<Answered> {
    let (call, told) = match permit(caller, asked, stop).await? {
        Ok(permitted) => permitted,
        Err(why) => {
            let (why, denied) = match why {
                Refusal::Mistake(why) => (why, false),
                Refusal::Denied(why) => (why, true),
            };
            let result = refusal(asked, &why);
            if !intend(caller, asked, Visible::No).await? {
                return repeated(caller, asked).await;
            }
            conclude(caller, &result, denied, Ending::Refused, 0).await?;
            return Ok(Answered { result, denied });
        }
    };
    if !intend(caller, asked, Visible::Yes).await? {
        return repeated(caller, asked).await;
    }
    let started = Instant::now();
    let (mut result, ending) = tokio::select! {
        biased;
        () = stop.cancelled() => (refusal(asked, "stopped by the person before it answered"), Ending::Stopped),
        (outcome, ending) = perform(caller, &call) => match outcome {
            Ok(content) => (answer(asked, content), ending),
            Err(ToolError(why)) => (refusal(asked, &why), ending),
        },
    };
    let tool = declared::find(&call.name);
    if !access::is_read_only(tool, &call.input) {
        caller.hub.results.called(caller.agent, tool, &call.input);
    }
    let millis = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let denied = tell(caller, &call, &mut result, told);
    conclude(caller, &result, denied, ending, millis).await?;
    Ok(Answered { result, denied })
}

/// Does what was permitted, unless an earlier call has brought what this one would.
async fn perform(caller: &Caller<'_>, call: &ToolCall) -> (std::result::Result<String, ToolError>, Ending) {
    let hub = caller.hub;
    let reading = match Read::of(caller, call).map(|read| hub.results.look_up(read, hub.now())) {
        Some(Known::Content(content)) => return (Ok(content), Ending::Cached),
        Some(Known::Not(reading)) => Some(reading),
        None => None,
    };
    let outcome = tools::perform(caller, call).await;
    match (&outcome, reading) {
        (Ok(content), Some(reading)) => reading.keep(content, hub.now()),
        (Ok(_), None) | (Err(_), _) => {}
    }
    let ending = if outcome.is_ok() { Ending::Done } else { Ending::Failed };
    (outcome, ending)
}

/// Policy, schema, network, hooks and, for a page, the person's consent. A tool that the agent was not given is
/// refused, whatever asks for it. The call comes back under the tool's own name, with what hooks have to say about it.
async fn permit(
    caller: &Caller<'_>,
    asked: &ToolCall,
    stop: &CancellationToken,
) -> Result<std::result::Result<(ToolCall, Vec<String>), Refusal>> {
    if stop.is_cancelled() {
        return Ok(Err(Refusal::Mistake("not run: the person pressed Stop".to_owned())));
    }
    let call = canonical(asked);
    let made = match declared::find(&call.name) {
        Some(_) => None,
        None => caller.hub.made_tool(caller.agent, &call.name).await?,
    };
    let spec = caller.spec;
    let given = spec.tools.iter().chain(&spec.deferred).any(|tool| tool.name == call.name);
    if !given && made.is_none() {
        let names: Vec<_> = spec.tools.iter().map(|tool| tool.name.as_str()).collect();
        let why = format!("There is no tool {} here. There are: {}.", call.name, names.join(", "));
        return Ok(Err(Refusal::Mistake(why)));
    }
    if let Err(why) = schema::check(&call, made.as_ref().map(|tool| &tool.spec)) {
        return Ok(Err(Refusal::Mistake(why)));
    }
    if let Some(why) = network::refuses(caller, &call).await? {
        return Ok(Err(Refusal::Denied(why)));
    }
    let verdict =
        hooks::evaluate(&spec.hooks, HookEvent::PreToolUse, Some(&call.name), &call.input.to_string());
    if let Some(reason) = verdict.denied {
        return Ok(Err(Refusal::Denied(format!("Not allowed: {reason}"))));
    }
    if let By::Page { tab } = caller.by {
        let declared = if made.is_some() { Declared::ByAgent } else { Declared::Here };
        if let Some(why) = consent::refused(caller, tab, &call, declared).await? {
            return Ok(Err(Refusal::Denied(why)));
        }
    }
    Ok(Ok((call, verdict.context)))
}

/// The call under the one name that its tool has here.
fn canonical(asked: &ToolCall) -> ToolCall {
    let (name, input) = match declared::resolve(&asked.name, &asked.input) {
        Some((tool, input)) => (tool.name.to_owned(), input),
        None => (asked.name.clone(), asked.input.clone()),
    };
    ToolCall { id: asked.id.clone(), name, input }
}

/// Adds what hooks say before and after the call. One that denies takes the result away; what the
/// call did is done.
fn tell(caller: &Caller<'_>, call: &ToolCall, result: &mut ToolResult, mut told: Vec<String>) -> bool {
    let hooks = &caller.spec.hooks;
    let verdict = hooks::evaluate(hooks, HookEvent::PostToolUse, Some(&call.name), &result.content);
    if let Some(reason) = verdict.denied {
        result.content = format!("The result was withheld: {reason}");
        result.is_error = true;
        return true;
    }
    // What hooks add is for a model to read; a page gets a result that it can take apart.
    if let By::Page { .. } = caller.by {
        return false;
    }
    told.extend(verdict.context);
    for text in told {
        result.content.push_str("\n\n");
        result.content.push_str(&text);
    }
    false
}

/// The answer to a call that was made before, under another driver for instance: what came of it then.
async fn repeated(caller: &Caller<'_>, call: &ToolCall) -> Result<Answered> {
    let made_before = || Error::Conflict(format!("The call {} was made before.", call.id));
    let By::Model { execution, turn } = caller.by else { return Err(made_before()) };
    let entries = conversation_entries(&caller.hub.store, caller.conversation).await?;
    let is_own = |entry: &&Entry| entry.run.as_ref() == Some(&execution.run);
    let found = entries.iter().rev().filter(is_own).find_map(|entry| match &entry.body {
        EntryBody::ToolFinished { turn: made, result, denied, .. }
            if *made == turn && result.call == call.id =>
        {
            Some(Answered { result: result.clone(), denied: *denied })
        }
        _ => None,
    });
    found.ok_or_else(made_before)
}

fn answer(call: &ToolCall, mut content: String) -> ToolResult {
    if content.len() > RESULT {
        let size = content.len();
        let cut = (0..=RESULT).rev().find(|&at| content.is_char_boundary(at)).unwrap_or(0);
        content.truncate(cut);
        content.push_str(&format!("\n[cut: {size} bytes in all]"));
    }
    ToolResult { call: call.id.clone(), name: call.name.clone(), content, media: Vec::new(), is_error: false }
}
