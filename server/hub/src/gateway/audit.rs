//! What the gateway writes down of a call: the intent before anything acts, and how it ended. Calls
//! of a model stand in the log as well; those of a page would only fill it.

use super::blocked;
use super::call::Call;
use super::caller::{CallOrigin, Caller};
use super::consent::Decided;
use super::counts::{self, Ended};
use crate::approvals;
use crate::audit::KEPT_MS;
use crate::error::Result;
use crate::gateway::Gateway;
use crate::log::Appending;
use crate::policy::Subject;
use crate::store::{name_of, query, stored_by_name};
use agent::tools::ResolvedCall;
use protocol::approval::Asker;
use protocol::log::EntryBody;
use protocol::model::ToolResult;
use protocol::view::CallDecider;
use protocol::{CallId, UserId};
use serde::{Deserialize, Serialize};

/// Why a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
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
    /// The hub stopped before it was made.
    NotMade,
    /// The hub stopped while it was made.
    Unknown,
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
    call: &Call,
    decided: &Decided,
    visible: Visible,
) -> Result<bool> {
    let mut appending = caller.hub.log().appending().await?;
    let (by, run, turn) = match caller.by {
        CallOrigin::Model { execution, turn } => (Asker::Model, Some(&execution.run), turn),
        CallOrigin::Page { .. } => (Asker::Page, None, 0),
    };
    let Call { resolved, made, .. } = call;
    let asked = resolved.asked();
    // What was refused because its address is none is about nothing.
    let subject = Subject::of(resolved).ok();
    let about = match made {
        Some(made) => made.reach_in_short(),
        None => subject.as_ref().and_then(Subject::text).map(str::to_owned),
    };
    let written = query(
        "INSERT INTO tool_calls (caller, run_id, call_id, agent_id, turn, name, input, started_at,
                                 decided_by,
                                 rule_id, approval_id, answered_by, user_id, agent_name, declared, about)
         SELECT $1, $2, $3, $4, CAST($5 AS BIGINT), $6, $7, CAST($8 AS BIGINT), $9, $10, $11, $12, $13, $14,
                CAST($15 AS BIGINT), $16
         WHERE EXISTS (SELECT 1 FROM agents WHERE id = $4) ON CONFLICT DO NOTHING",
        (
            by,
            run,
            &asked.id,
            &caller.agent,
            turn,
            &asked.name,
            asked.input.to_string(),
            caller.hub.now(),
            decided.by,
            &decided.rule,
            decided.answer.as_ref().map(|answer| &answer.approval),
            decided.answer.as_ref().and_then(|answer| answer.by.as_ref()),
            &caller.owner,
            &caller.spec.name,
            resolved.tool().is_some(),
            about,
        ),
    )
    .execute(&mut *appending.tx)
    .await?;
    if written == 0 {
        return Ok(false);
    }
    query(
        "DELETE FROM tool_calls WHERE user_id = $1 AND started_at < $2",
        (&caller.owner, caller.hub.now() - KEPT_MS),
    )
    .execute(&mut *appending.tx)
    .await?;
    counts::forget_old(&mut appending.tx, caller.owner, caller.hub.now()).await?;
    if let Some(answer) = &decided.answer {
        approvals::take(&mut appending, &answer.approval, &answer.hash).await?;
    }
    if let (CallOrigin::Model { execution, turn }, Visible::Yes) = (caller.by, visible) {
        appending.append(&caller.place(), EntryBody::ToolStarted { turn, call: asked.clone() }).await?;
        execution.require_running(&mut appending).await?;
    }
    caller.hub.log().commit(appending).await?;
    Ok(true)
}

/// How a call ended.
pub(super) struct Conclusion<'a> {
    pub(super) result: &'a ToolResult,
    pub(super) denied: bool,
    pub(super) ending: Ending,
    pub(super) millis: u64,
    /// The call that was kept from acting, and who decided so.
    pub(super) blocked: Option<(&'a ResolvedCall, CallDecider)>,
}

/// Writes down how the call ended, and for a model its result.
pub(super) async fn conclude(caller: &Caller<'_>, conclusion: &Conclusion<'_>) -> Result<()> {
    let Conclusion { result, denied, ending, millis, blocked } = *conclusion;
    let mut appending = caller.hub.log().appending().await?;
    close(&mut appending, caller, &result.call, ending).await?;
    if let CallOrigin::Model { execution, turn } = caller.by {
        execution.end_wait(&mut appending, turn, &result.call).await?;
        appending.keep_brought(caller.agent, &result.media).await?;
        let body = EntryBody::ToolFinished { turn, result: result.clone(), millis, denied };
        appending.append(&caller.place(), body).await?;
    }
    if let Some((call, by)) = blocked {
        blocked::note(&mut appending, caller, call, by).await?;
    }
    caller.hub.log().commit(appending).await?;
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
        CallOrigin::Model { execution, turn } => Ended::OfModel { run: &execution.run, turn, call },
        CallOrigin::Page { .. } => Ended::OfPage { agent: caller.agent, call },
    };
    counts::count(&mut appending.tx, ended, &name_of(&ending)?, caller.hub.now()).await?;
    let statement = match caller.by {
        CallOrigin::Model { execution, turn } => query(
            "UPDATE tool_calls SET finished_at = $1, outcome = $2 WHERE call_id = $3 AND run_id = $4
             AND turn = $5",
            (caller.hub.now(), ending, call, &execution.run, turn),
        ),
        CallOrigin::Page { .. } => query(
            "UPDATE tool_calls SET finished_at = $1, outcome = $2 WHERE call_id = $3 AND agent_id = $4
             AND run_id IS NULL",
            (caller.hub.now(), ending, call, &caller.agent),
        ),
    };
    statement.execute(&mut *appending.tx).await?;
    Ok(())
}

impl Gateway<'_> {
    /// Calls of pages that were under way when the hub stopped: nobody knows how they ended.
    pub(crate) async fn close_abandoned_page_calls(self, person: Option<&UserId>) -> Result<()> {
        let mut tx = self.hub.store().write().await?;
        counts::count_abandoned_of_pages(&mut tx, person, self.hub.now()).await?;
        query(
            "UPDATE tool_calls SET finished_at = $1, outcome = 'unknown'
             WHERE run_id IS NULL AND finished_at IS NULL
               AND (CAST($2 AS TEXT) IS NULL OR agent_id IN (SELECT id FROM agents WHERE user_id = $2))",
            (self.hub.now(), person),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(())
    }
}

stored_by_name!(Ending);
