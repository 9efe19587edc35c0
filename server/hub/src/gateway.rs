//! The one door that every tool call goes through, whoever makes it: policy, schema, hooks, intent,
//! effect, outcome. Nothing acts before its intent is committed.

mod audit;
mod caller;
mod consent;
mod page;
mod schema;

pub(crate) use caller::Caller;

use crate::error::Result;
use crate::runs::refusal;
use crate::tools;
use agent::hooks;
use agent::tools as declared;
use audit::{Ending, Visible, close, conclude, intend};
use caller::By;
use consent::Declared;
use protocol::hub::HookEvent;
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
    intend(caller, call, Visible::No).await.ok()?;
    let outcome = tokio::select! {
        biased;
        () = stop.cancelled() => return None,
        outcome = tools::perform(caller, &permitted) => outcome,
    };
    let ending = if outcome.is_ok() { Ending::Done } else { Ending::Failed };
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
            intend(caller, asked, Visible::No).await?;
            conclude(caller, &result, denied, Ending::Refused, 0).await?;
            return Ok(Answered { result, denied });
        }
    };
    intend(caller, asked, Visible::Yes).await?;
    let started = Instant::now();
    let (mut result, ending) = tokio::select! {
        biased;
        () = stop.cancelled() => (refusal(asked, "stopped by the person before it answered"), Ending::Stopped),
        outcome = tools::perform(caller, &call) => match outcome {
            Ok(content) => (answer(asked, content), Ending::Done),
            Err(tools::ToolError(why)) => (refusal(asked, &why), Ending::Failed),
        },
    };
    let millis = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let denied = tell(caller, &call, &mut result, told);
    conclude(caller, &result, denied, ending, millis).await?;
    Ok(Answered { result, denied })
}

/// Policy, schema, hooks and, for a page, the person's consent. A tool that the agent was not given is
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

fn answer(call: &ToolCall, mut content: String) -> ToolResult {
    if content.len() > RESULT {
        let size = content.len();
        let cut = (0..=RESULT).rev().find(|&at| content.is_char_boundary(at)).unwrap_or(0);
        content.truncate(cut);
        content.push_str(&format!("\n[cut: {size} bytes in all]"));
    }
    ToolResult { call: call.id.clone(), name: call.name.clone(), content, media: Vec::new(), is_error: false }
}
