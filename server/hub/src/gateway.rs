//! The one door that every tool call goes through, whoever makes it: schema, pace, hooks, policy, approval,
//! intent, effect, outcome. Nothing acts before its intent is committed.

mod audit;
mod blocked;
mod cache;
mod caller;
mod consent;
mod counts;
mod device;
mod led;
mod listed;
mod pace;
mod page;
mod permit;
mod schema;
mod written;

pub(crate) use audit::forget_inputs;
pub(crate) use blocked::Blocked;
pub(crate) use cache::Results;
pub(crate) use caller::Caller;
pub(crate) use counts::count_abandoned;
pub(crate) use led::Led;
pub(crate) use pace::Paces;

use crate::error::{Error, Result};
use crate::log::conversation_entries;
use crate::runs::refusal;
use crate::tools::{self, ToolError};
use agent::hooks;
use agent::tools::{self as declared, access};
use audit::{Ending, Visible, close, conclude, intend};
use cache::{Known, Read};
use caller::By;
use consent::DecidedBy;
use permit::{Permitted, Questions, Refused, permit};
use protocol::hub::HookEvent;
use protocol::log::{Entry, EntryBody};
use protocol::model::{ToolCall, ToolResult};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Longest result handed to a model, in bytes.
const RESULT: usize = 128 * 1024;

/// What became of a call.
pub(crate) struct Answered {
    pub(crate) result: ToolResult,
    /// A person or a policy said no.
    pub(crate) denied: bool,
}

pub(crate) async fn call(caller: &Caller<'_>, call: &ToolCall, stop: &CancellationToken) -> Answered {
    match guarded(caller, call, stop).await {
        Ok(answered) => answered,
        Err(error) => Answered { result: refusal(call, &error.into_failure().to_string()), denied: false },
    }
}

/// A call that no model made and that only looks: through the same checks, into the audit, but not
/// into the log. `None` for anything else, for what fails, and for what is not there in time.
pub(crate) async fn look(
    caller: &Caller<'_>,
    call: &ToolCall,
    until: Instant,
    stop: &CancellationToken,
) -> Option<ToolResult> {
    if !declared::may_prefetch(call) {
        return None;
    }
    let permitted = permit(caller, call, Questions::No, stop).await.ok()?.ok()?;
    if !intend(caller, call, &permitted.decided, Visible::No).await.ok()? {
        return None;
    }
    let (content, ending) = tokio::select! {
        biased;
        () = stop.cancelled() => (None, Ending::Stopped),
        () = tokio::time::sleep_until(until) => (None, Ending::Stopped),
        (outcome, ending) = perform(caller, &permitted.call) => (outcome.ok(), ending),
    };
    let mut appending = caller.hub.appending().await.ok()?;
    close(&mut appending, caller, &call.id, ending).await.ok()?;
    caller.hub.commit(appending).await.ok()?;
    content.map(|content| answer(call, content))
}

async fn guarded(caller: &Caller<'_>, asked: &ToolCall, stop: &CancellationToken) -> Result<Answered> {
    let Permitted { call, told, decided } = match permit(caller, asked, Questions::Yes, stop).await? {
        Ok(permitted) => permitted,
        Err(Refused { why, denied, decided }) => {
            let result = refusal(asked, &why);
            if !intend(caller, asked, &decided, Visible::No).await? {
                return repeated(caller, asked).await;
            }
            // What no page may do says nothing about this one.
            if let By::Page { tab } = caller.by
                && denied
                && decided.by != DecidedBy::Default
            {
                tab.calls.count_denial(caller.agent);
            }
            let ending = if denied { Ending::Denied } else { Ending::Refused };
            let blocked = denied.then_some((asked, decided.by));
            conclude(caller, &result, denied, ending, 0, blocked).await?;
            return Ok(Answered { result, denied });
        }
    };
    if !intend(caller, asked, &decided, Visible::Yes).await? {
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
    conclude(caller, &result, denied, ending, millis, None).await?;
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
