//! The one door that every tool call goes through, whoever drives the run: policy, schema, hooks,
//! intent, effect, outcome. Nothing acts before its intent is committed.

mod schema;

use crate::error::Result;
use crate::log::{Appending, conversation_entries};
use crate::runs::{Execution, refusal};
use crate::tools;
use agent::hooks;
use agent::tools as declared;
use protocol::CallId;
use protocol::hub::HookEvent;
use protocol::log::{Entry, EntryBody};
use protocol::model::{ToolCall, ToolResult};
use std::time::Instant;
use tokio_util::sync::CancellationToken;

/// Longest result handed to a model, in bytes.
const RESULT: usize = 128 * 1024;

/// Why a call ended, as the audit keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    Done,
    Failed,
    Refused,
    Stopped,
}

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

pub(crate) async fn call(
    execution: &Execution,
    turn: u32,
    call: &ToolCall,
    stop: &CancellationToken,
) -> Answered {
    match guarded(execution, turn, call, stop).await {
        Ok(answered) => answered,
        Err(error) => Answered { result: refusal(call, &error.into_failure().to_string()), denied: false },
    }
}

/// A call that no model made and that only looks: through the same checks, into the audit, but not
/// into the log. `None` for anything else, and for what fails.
pub(crate) async fn look(
    execution: &Execution,
    turn: u32,
    call: &ToolCall,
    stop: &CancellationToken,
) -> Option<ToolResult> {
    if !declared::may_prefetch(call) {
        return None;
    }
    let (permitted, _) = permit(execution, call, stop).await.ok()?.ok()?;
    if !intend(execution, turn, call, Visible::No).await.ok()? {
        return None;
    }
    let outcome = tokio::select! {
        biased;
        () = stop.cancelled() => return None,
        outcome = tools::perform(execution, &permitted) => outcome,
    };
    let ending = if outcome.is_ok() { Ending::Done } else { Ending::Failed };
    let mut appending = execution.hub().appending().await.ok()?;
    close(&mut appending, execution, turn, &call.id, ending).await.ok()?;
    execution.hub().commit(appending).await.ok()?;
    outcome.ok().map(|content| answer(call, content))
}

async fn guarded(
    execution: &Execution,
    turn: u32,
    asked: &ToolCall,
    stop: &CancellationToken,
) -> Result<Answered> {
    let (call, told) = match permit(execution, asked, stop).await? {
        Ok(permitted) => permitted,
        Err(why) => {
            let (why, denied) = match why {
                Refusal::Mistake(why) => (why, false),
                Refusal::Denied(why) => (why, true),
            };
            let result = refusal(asked, &why);
            if !intend(execution, turn, asked, Visible::No).await? {
                return repeated(execution, turn, asked).await;
            }
            let answered = Answered { result, denied };
            conclude(execution, turn, &answered, Ending::Refused, 0).await?;
            return Ok(answered);
        }
    };
    if !intend(execution, turn, asked, Visible::Yes).await? {
        return repeated(execution, turn, asked).await;
    }
    let started = Instant::now();
    let (mut result, ending) = tokio::select! {
        biased;
        () = stop.cancelled() => (refusal(asked, "stopped by the person before it answered"), Ending::Stopped),
        outcome = tools::perform(execution, &call) => match outcome {
            Ok(content) => (answer(asked, content), Ending::Done),
            Err(tools::ToolError(why)) => (refusal(asked, &why), Ending::Failed),
        },
    };
    let millis = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let denied = tell(execution, &call, &mut result, told);
    let answered = Answered { result, denied };
    conclude(execution, turn, &answered, ending, millis).await?;
    Ok(answered)
}

/// Policy, schema and hooks. A tool that the agent was not given is refused, whatever asks for it.
/// The call comes back under the tool's own name, with what hooks have to say about it.
async fn permit(
    execution: &Execution,
    asked: &ToolCall,
    stop: &CancellationToken,
) -> Result<std::result::Result<(ToolCall, Vec<String>), Refusal>> {
    if stop.is_cancelled() {
        return Ok(Err(Refusal::Mistake("not run: the person pressed Stop".to_owned())));
    }
    let call = canonical(asked);
    let made = match declared::find(&call.name) {
        Some(_) => None,
        None => execution.hub().made_tool(&execution.agent, &call.name).await?,
    };
    let spec = &execution.spec;
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
    Ok(match verdict.denied {
        Some(reason) => Err(Refusal::Denied(format!("Not allowed: {reason}"))),
        None => Ok((call, verdict.context)),
    })
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
fn tell(execution: &Execution, call: &ToolCall, result: &mut ToolResult, mut told: Vec<String>) -> bool {
    let hooks = &execution.spec.hooks;
    let verdict = hooks::evaluate(hooks, HookEvent::PostToolUse, Some(&call.name), &result.content);
    if let Some(reason) = verdict.denied {
        result.content = format!("The result was withheld: {reason}");
        result.is_error = true;
        return true;
    }
    told.extend(verdict.context);
    for text in told {
        result.content.push_str("\n\n");
        result.content.push_str(&text);
    }
    false
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Visible {
    Yes,
    No,
}

/// The answer to a call that was made before, under another driver for instance: what came of it then.
async fn repeated(execution: &Execution, turn: u32, call: &ToolCall) -> Result<Answered> {
    let entries = conversation_entries(&execution.hub().store, execution.conversation()).await?;
    let is_own = |entry: &&Entry| entry.run.as_ref() == Some(&execution.run);
    let found = entries.iter().rev().filter(is_own).find_map(|entry| match &entry.body {
        EntryBody::ToolFinished { turn: made, result, denied, .. }
            if *made == turn && result.call == call.id =>
        {
            Some(Answered { result: result.clone(), denied: *denied })
        }
        _ => None,
    });
    found.ok_or_else(|| crate::Error::Conflict(format!("The call {} was made before.", call.id)))
}

/// Writes down what is about to be done; `false` if it was written down before. Then it is never done
/// again.
async fn intend(execution: &Execution, turn: u32, call: &ToolCall, visible: Visible) -> Result<bool> {
    let mut appending = execution.hub().appending().await?;
    let written = sqlx::query(
        "INSERT INTO tool_calls (run_id, call_id, agent_id, turn, name, input, started_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING",
    )
    .bind(&execution.run.0)
    .bind(&call.id.0)
    .bind(&execution.agent.0)
    .bind(i64::from(turn))
    .bind(&call.name)
    .bind(call.input.to_string())
    .bind(execution.hub().now())
    .execute(&mut *appending.tx)
    .await?;
    if written.rows_affected() == 0 {
        return Ok(false);
    }
    if visible == Visible::Yes {
        appending.append(&execution.place(), EntryBody::ToolStarted { turn, call: call.clone() }).await?;
        execution.require_running(&mut appending).await?;
    }
    execution.hub().commit(appending).await?;
    Ok(true)
}

async fn conclude(
    execution: &Execution,
    turn: u32,
    answered: &Answered,
    ending: Ending,
    millis: u64,
) -> Result<()> {
    let Answered { result, denied } = answered;
    let mut appending = execution.hub().appending().await?;
    close(&mut appending, execution, turn, &result.call, ending).await?;
    let body = EntryBody::ToolFinished { turn, result: result.clone(), millis, denied: *denied };
    appending.append(&execution.place(), body).await?;
    execution.hub().commit(appending).await?;
    Ok(())
}

/// Writes down how the call ended.
async fn close(
    appending: &mut Appending,
    execution: &Execution,
    turn: u32,
    call: &CallId,
    ending: Ending,
) -> Result<()> {
    sqlx::query(
        "UPDATE tool_calls SET finished_at = $4, outcome = $5 WHERE run_id = $1 AND turn = $2 AND call_id = $3",
    )
    .bind(&execution.run.0)
    .bind(i64::from(turn))
    .bind(&call.0)
    .bind(execution.hub().now())
    .bind(match ending {
        Ending::Done => "done",
        Ending::Failed => "failed",
        Ending::Refused => "refused",
        Ending::Stopped => "stopped",
    })
    .execute(&mut *appending.tx)
    .await?;
    Ok(())
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
