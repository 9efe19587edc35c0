//! What the gateway writes down of a call: the intent before anything acts, and how it ended.

use super::caller::{By, Caller};
use crate::error::{Error, Result};
use crate::log::Appending;
use protocol::CallId;
use protocol::log::EntryBody;
use protocol::model::ToolCall;

/// Why a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Done,
    Failed,
    Refused,
    Stopped,
}

/// Whether the log shows that the call begins.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Visible {
    Yes,
    No,
}

/// Writes down what is about to be done. A call that was written down before is never done again.
pub(super) async fn intend(caller: &Caller<'_>, call: &ToolCall, visible: Visible) -> Result<()> {
    let mut appending = caller.hub.appending().await?;
    let By::Model { execution, turn } = caller.by;
    let written = sqlx::query(
        "INSERT INTO tool_calls (run_id, call_id, agent_id, turn, name, input, started_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING",
    )
    .bind(&execution.run.0)
    .bind(&call.id.0)
    .bind(&caller.agent.0)
    .bind(i64::from(turn))
    .bind(&call.name)
    .bind(call.input.to_string())
    .bind(caller.hub.now())
    .execute(&mut *appending.tx)
    .await?;
    if written.rows_affected() == 0 {
        return Err(Error::Conflict(format!("The call {} was made before.", call.id)));
    }
    if visible == Visible::Yes {
        appending.append(&caller.place(), EntryBody::ToolStarted { turn, call: call.clone() }).await?;
        execution.require_lease(&mut appending).await?;
    }
    caller.hub.commit(appending).await?;
    Ok(())
}

/// Writes down how the call ended.
pub(super) async fn close(
    appending: &mut Appending,
    caller: &Caller<'_>,
    call: &CallId,
    ending: Ending,
) -> Result<()> {
    let By::Model { execution, turn } = caller.by;
    sqlx::query(
        "UPDATE tool_calls SET finished_at = $4, outcome = $5 WHERE run_id = $1 AND turn = $2 AND call_id = $3",
    )
    .bind(&execution.run.0)
    .bind(i64::from(turn))
    .bind(&call.0)
    .bind(caller.hub.now())
    .bind(word(ending))
    .execute(&mut *appending.tx)
    .await?;
    Ok(())
}

fn word(ending: Ending) -> &'static str {
    match ending {
        Ending::Done => "done",
        Ending::Failed => "failed",
        Ending::Refused => "refused",
        Ending::Stopped => "stopped",
    }
}
