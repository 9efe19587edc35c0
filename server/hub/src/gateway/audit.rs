//! What the gateway writes down of a call: the intent before anything acts, and how it ended. Calls
//! of a model stand in the log as well; those of a page would only fill it.

use super::blocked;
use super::caller::{By, Caller};
use super::consent::{Decided, DecidedBy};
use super::counts::{self, Ended};
use crate::audit::KEPT_MS;
use crate::error::Result;
use crate::log::Appending;
use crate::policy::Subject;
use crate::store::Transaction;
use crate::{Hub, approvals};
use agent::tools::find;
use protocol::log::EntryBody;
use protocol::model::{ToolCall, ToolResult};
use protocol::{AgentId, CallId};

/// Why a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Done,
    /// Answered by what an earlier call brought.
    Cached,
    Failed,
    /// A mistake of whoever called.
    Refused,
    /// A person or a policy said no.
    Denied,
    Stopped,
}

/// Whether the log shows that the call begins.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Visible {
    Yes,
    No,
}

/// Writes down what is about to be done, and who decided about it; `false` if it was written down before.
/// Then it is never done again. An answer of a person's is used up by it.
pub(super) async fn intend(
    caller: &Caller<'_>,
    call: &ToolCall,
    decided: &Decided,
    visible: Visible,
) -> Result<bool> {
    let mut appending = caller.hub.appending().await?;
    let (by, run, turn) = match caller.by {
        By::Model { execution, turn } => ("model", Some(execution.run.0.as_str()), turn),
        By::Page { .. } => ("page", None, 0),
    };
    let tool = find(&call.name);
    let written = sqlx::query(
        "INSERT INTO tool_calls (caller, run_id, call_id, agent_id, turn, name, input, started_at, decided_by,
                                 rule_id, approval_id, answered_by, user_id, agent_name, declared, about)
         SELECT $1, $2, $3, $4, CAST($5 AS BIGINT), $6, $7, CAST($8 AS BIGINT), $9, $10, $11, $12, $13, $14,
                CAST($15 AS BIGINT), $16
         WHERE EXISTS (SELECT 1 FROM agents WHERE id = $4) ON CONFLICT DO NOTHING",
    )
    .bind(by)
    .bind(run)
    .bind(&call.id.0)
    .bind(&caller.agent.0)
    .bind(i64::from(turn))
    .bind(&call.name)
    .bind(call.input.to_string())
    .bind(caller.hub.now())
    .bind(decided.by.name())
    .bind(decided.rule.as_ref().map(|rule| rule.0.as_str()))
    .bind(decided.answer.as_ref().map(|answer| answer.approval.0.as_str()))
    .bind(decided.answer.as_ref().and_then(|answer| answer.by.as_ref()).map(|person| person.0.as_str()))
    .bind(&caller.owner.0)
    .bind(&caller.spec.name)
    .bind(i64::from(tool.is_some()))
    .bind(Subject::of(tool, call).text())
    .execute(&mut *appending.tx)
    .await?;
    if written.rows_affected() == 0 {
        return Ok(false);
    }
    sqlx::query("DELETE FROM tool_calls WHERE user_id = $1 AND started_at < $2")
        .bind(&caller.owner.0)
        .bind(caller.hub.now() - KEPT_MS)
        .execute(&mut *appending.tx)
        .await?;
    counts::forget_old(&mut appending.tx, caller.owner, caller.hub.now()).await?;
    if let Some(answer) = &decided.answer {
        approvals::take(&mut appending, &answer.approval, &answer.hash).await?;
    }
    if let (By::Model { execution, turn }, Visible::Yes) = (caller.by, visible) {
        appending.append(&caller.place(), EntryBody::ToolStarted { turn, call: call.clone() }).await?;
        execution.require_running(&mut appending).await?;
    }
    caller.hub.commit(appending).await?;
    Ok(true)
}

/// Writes down how the call ended, and for a model its result.
pub(super) async fn conclude(
    caller: &Caller<'_>,
    result: &ToolResult,
    denied: bool,
    ending: Ending,
    millis: u64,
    blocked: Option<(&ToolCall, DecidedBy)>,
) -> Result<()> {
    let mut appending = caller.hub.appending().await?;
    close(&mut appending, caller, &result.call, ending).await?;
    if let By::Model { execution, turn } = caller.by {
        execution.end_wait(&mut appending, turn, &result.call).await?;
        let body = EntryBody::ToolFinished { turn, result: result.clone(), millis, denied };
        appending.append(&caller.place(), body).await?;
    }
    if let Some((call, by)) = blocked {
        blocked::note(&mut appending, caller, call, by).await?;
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
    let ended = match caller.by {
        By::Model { execution, turn } => Ended::OfModel { run: &execution.run, turn, call },
        By::Page { .. } => Ended::OfPage { agent: caller.agent, call },
    };
    counts::count(&mut appending.tx, ended, word(ending), caller.hub.now()).await?;
    let statement = match caller.by {
        By::Model { execution, turn } => sqlx::query(
            "UPDATE tool_calls SET finished_at = $1, outcome = $2 WHERE call_id = $3 AND run_id = $4 AND turn = $5",
        )
        .bind(caller.hub.now())
        .bind(word(ending))
        .bind(&call.0)
        .bind(&execution.run.0)
        .bind(i64::from(turn)),
        By::Page { .. } => sqlx::query(
            "UPDATE tool_calls SET finished_at = $1, outcome = $2 WHERE call_id = $3 AND agent_id = $4 AND run_id IS NULL",
        )
        .bind(caller.hub.now())
        .bind(word(ending))
        .bind(&call.0)
        .bind(&caller.agent.0),
    };
    statement.execute(&mut *appending.tx).await?;
    Ok(())
}

impl Hub {
    /// Calls of pages that were under way when the hub stopped: nobody knows how they ended.
    pub(crate) async fn close_abandoned_page_calls(&self) -> Result<()> {
        let mut tx = self.store.write().await?;
        counts::count_abandoned_of_pages(&mut tx, self.now()).await?;
        sqlx::query(
            "UPDATE tool_calls SET finished_at = $1, outcome = 'unknown'
             WHERE run_id IS NULL AND finished_at IS NULL",
        )
        .bind(self.now())
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(())
    }
}

/// That an agent called something stays; with what is deleted with everything else that it said.
pub(crate) async fn forget_inputs(tx: &mut Transaction, agent: &AgentId) -> Result<()> {
    sqlx::query("UPDATE tool_calls SET input = '', about = NULL WHERE agent_id = $1")
        .bind(&agent.0)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

fn word(ending: Ending) -> &'static str {
    match ending {
        Ending::Done => "done",
        Ending::Cached => "cached",
        Ending::Failed => "failed",
        Ending::Refused => "refused",
        Ending::Denied => "denied",
        Ending::Stopped => "stopped",
    }
}
