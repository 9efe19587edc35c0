//! The one door that every tool call goes through, whoever drives the run: schema, policy, intent,
//! effect, outcome. Nothing acts before its intent is committed.

mod schema;

use crate::error::Result;
use crate::runs::{Execution, refusal};
use crate::tools;
use protocol::log::EntryBody;
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

pub(crate) async fn call(
    execution: &Execution,
    turn: u32,
    call: &ToolCall,
    stop: &CancellationToken,
) -> ToolResult {
    match guarded(execution, turn, call, stop).await {
        Ok(result) => result,
        Err(error) => refusal(call, &error.into_failure().to_string()),
    }
}

async fn guarded(
    execution: &Execution,
    turn: u32,
    call: &ToolCall,
    stop: &CancellationToken,
) -> Result<ToolResult> {
    if let Err(why) = permit(execution, call, stop) {
        let result = refusal(call, &why);
        intend(execution, turn, call, Visible::No).await?;
        conclude(execution, turn, &result, Ending::Refused, 0).await?;
        return Ok(result);
    }
    intend(execution, turn, call, Visible::Yes).await?;
    let started = Instant::now();
    let (result, ending) = tokio::select! {
        biased;
        () = stop.cancelled() => (refusal(call, "stopped by the person before it answered"), Ending::Stopped),
        outcome = tools::perform(execution, call) => match outcome {
            Ok(content) => (answer(call, content), Ending::Done),
            Err(tools::ToolError(why)) => (refusal(call, &why), Ending::Failed),
        },
    };
    let millis = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    conclude(execution, turn, &result, ending, millis).await?;
    Ok(result)
}

/// Schema and policy. A tool that the agent was not given is refused, whatever asks for it.
fn permit(
    execution: &Execution,
    call: &ToolCall,
    stop: &CancellationToken,
) -> std::result::Result<(), String> {
    if stop.is_cancelled() {
        return Err("not run: the person pressed Stop".to_owned());
    }
    let given = execution.spec.tools.iter().any(|tool| tool.name == call.name);
    if !given {
        let names: Vec<_> = execution.spec.tools.iter().map(|tool| tool.name.as_str()).collect();
        return Err(format!("There is no tool {} here. There are: {}.", call.name, names.join(", ")));
    }
    schema::check(call)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Visible {
    Yes,
    No,
}

/// Writes down what is about to be done. A call that was written down before is never done again.
async fn intend(execution: &Execution, turn: u32, call: &ToolCall, visible: Visible) -> Result<()> {
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
        return Err(crate::Error::Conflict(format!("The call {} was made before.", call.id)));
    }
    if visible == Visible::Yes {
        appending.append(&execution.place(), EntryBody::ToolStarted { turn, call: call.clone() }).await?;
        execution.require_lease(&mut appending).await?;
    }
    execution.hub().commit(appending).await?;
    Ok(())
}

async fn conclude(
    execution: &Execution,
    turn: u32,
    result: &ToolResult,
    ending: Ending,
    millis: u64,
) -> Result<()> {
    let mut appending = execution.hub().appending().await?;
    sqlx::query(
        "UPDATE tool_calls SET finished_at = $4, outcome = $5 WHERE run_id = $1 AND turn = $2 AND call_id = $3",
    )
    .bind(&execution.run.0)
    .bind(i64::from(turn))
    .bind(&result.call.0)
    .bind(execution.hub().now())
    .bind(match ending {
        Ending::Done => "done",
        Ending::Failed => "failed",
        Ending::Refused => "refused",
        Ending::Stopped => "stopped",
    })
    .execute(&mut *appending.tx)
    .await?;
    let body = EntryBody::ToolFinished { turn, result: result.clone(), millis };
    appending.append(&execution.place(), body).await?;
    execution.hub().commit(appending).await?;
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
