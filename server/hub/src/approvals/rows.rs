//! The statements of approvals.

use crate::error::Result;
use crate::store::{Row, Store};
use protocol::approval::{Approval, ApprovalView, Decision, Settled};
use protocol::{AgentId, ApprovalId, ConversationId, RunId, UserId};
use serde_json::Value;
use sqlx::Row as _;

/// An approval as it stands.
pub(super) struct Stored {
    pub(super) approval: Approval,
    pub(super) owner: UserId,
    pub(super) agent: AgentId,
    pub(super) conversation: ConversationId,
    pub(super) run: Option<RunId>,
    pub(super) settled: Option<Settled>,
    pub(super) answered_by: Option<UserId>,
    pub(super) is_taken: bool,
}

pub(super) async fn by_id(store: &Store, id: &ApprovalId) -> Result<Option<Stored>> {
    let row = sqlx::query(
        "SELECT user_id, agent_id, conversation_id, run_id, shown, decision, word, answered_by, answered_on, taken_at
         FROM approvals WHERE id = $1",
    )
    .bind(&id.0)
    .fetch_optional(store.read())
    .await?;
    row.as_ref().map(stored).transpose()
}

/// What was asked about this call of the run before, by another driver or before a restart.
pub(super) async fn of_call(store: &Store, run: &RunId, turn: u32, call: &str) -> Result<Option<Stored>> {
    let row = sqlx::query(
        "SELECT user_id, agent_id, conversation_id, run_id, shown, decision, word, answered_by, answered_on, taken_at
         FROM approvals WHERE run_id = $1 AND turn = $2 AND call_id = $3",
    )
    .bind(&run.0)
    .bind(i64::from(turn))
    .bind(call)
    .fetch_optional(store.read())
    .await?;
    row.as_ref().map(stored).transpose()
}

pub(super) async fn open(store: &Store, owner: &UserId, now: i64) -> Result<Vec<ApprovalView>> {
    let rows = sqlx::query(
        "SELECT p.agent_id, a.name, p.asked_at, p.shown FROM approvals p JOIN agents a ON a.id = p.agent_id
         WHERE p.user_id = $1 AND p.settled_at IS NULL AND p.expires_at > $2 ORDER BY p.asked_at, p.id",
    )
    .bind(&owner.0)
    .bind(now)
    .fetch_all(store.read())
    .await?;
    rows.iter()
        .map(|row| {
            Ok(ApprovalView {
                agent: AgentId(row.try_get("agent_id")?),
                agent_name: row.try_get("name")?,
                asked_at: row.try_get("asked_at")?,
                approval: serde_json::from_str(&row.try_get::<String, _>("shown")?)?,
            })
        })
        .collect()
}

pub(super) fn stored(row: &Row) -> Result<Stored> {
    let decision: Option<String> = row.try_get("decision")?;
    let settled = match decision.as_deref() {
        None => None,
        Some("expired") => Some(Settled::Expired),
        Some("withdrawn") => Some(Settled::Withdrawn),
        Some(decision) => Some(Settled::Decided {
            decision: serde_json::from_value(Value::from(decision))?,
            device: row.try_get::<Option<String>, _>("answered_on")?.unwrap_or_default(),
            word: row.try_get("word")?,
        }),
    };
    Ok(Stored {
        approval: serde_json::from_str(&row.try_get::<String, _>("shown")?)?,
        owner: UserId(row.try_get("user_id")?),
        agent: AgentId(row.try_get("agent_id")?),
        conversation: ConversationId(row.try_get("conversation_id")?),
        run: row.try_get::<Option<String>, _>("run_id")?.map(RunId),
        settled,
        answered_by: row.try_get::<Option<String>, _>("answered_by")?.map(UserId),
        is_taken: row.try_get::<Option<i64>, _>("taken_at")?.is_some(),
    })
}

pub(super) fn name(decision: Decision) -> &'static str {
    match decision {
        Decision::Once => "once",
        Decision::Run => "run",
        Decision::HalfHour => "half_hour",
        Decision::Always => "always",
        Decision::Deny => "deny",
    }
}
