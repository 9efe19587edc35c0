//! The statements of approvals.

use crate::error::{Error, Result};
use crate::store::{FromRow, Json, Row, Store, named, query};
use protocol::approval::{Approval, ApprovalOutcome, ApprovalView};
use protocol::{AgentId, ApprovalId, ConversationId, RunId, UserId};

/// An approval as it stands.
pub(super) struct ApprovalRow {
    pub(super) approval: Approval,
    pub(super) owner: UserId,
    pub(super) agent: AgentId,
    pub(super) conversation: ConversationId,
    pub(super) run: Option<RunId>,
    pub(super) settled: Option<ApprovalOutcome>,
    pub(super) answered_by: Option<UserId>,
    pub(super) is_taken: bool,
}

pub(super) async fn by_id(store: &Store, id: &ApprovalId) -> Result<Option<ApprovalRow>> {
    query(
        "SELECT user_id, agent_id, conversation_id, run_id, shown, decision, word, answered_by, answered_on,
         answer, taken_at
         FROM approvals WHERE id = $1",
        (id,),
    )
    .fetch_optional(store.read())
    .await
}

/// What was asked about this call of the run before, by another driver or before a restart.
pub(super) async fn of_call(
    store: &Store,
    run: &RunId,
    turn: u32,
    call: &str,
    nth: u32,
) -> Result<Option<ApprovalRow>> {
    query(
        "SELECT user_id, agent_id, conversation_id, run_id, shown, decision, word, answered_by, answered_on,
         answer, taken_at
         FROM approvals WHERE run_id = $1 AND turn = $2 AND call_id = $3 AND nth = $4",
        (run, turn, call, nth),
    )
    .fetch_optional(store.read())
    .await
}

/// What this run asked first of what is open and words answer.
pub(super) async fn asked_in_words(
    store: &Store,
    owner: &UserId,
    run: &RunId,
    now: i64,
) -> Result<Option<ApprovalRow>> {
    query(
        "SELECT user_id, agent_id, conversation_id, run_id, shown, decision, word, answered_by, answered_on,
         answer, taken_at
         FROM approvals
         WHERE run_id = $1 AND user_id = $2 AND settled_at IS NULL AND in_words = 1 AND expires_at > $3
         ORDER BY asked_at, id LIMIT 1",
        (run, owner, now),
    )
    .fetch_optional(store.read())
    .await
}

pub(super) async fn open_count(store: &Store, now: i64) -> Result<u64> {
    query("SELECT COUNT(*) FROM approvals WHERE settled_at IS NULL AND expires_at > $1", (now,))
        .fetch_one(store.read())
        .await
}

pub(super) async fn open(store: &Store, owner: &UserId, now: i64) -> Result<Vec<ApprovalView>> {
    let rows = query(
        "SELECT p.agent_id, a.name, p.asked_at, p.shown FROM approvals p JOIN agents a ON a.id = p.agent_id
         WHERE p.user_id = $1 AND p.settled_at IS NULL AND p.expires_at > $2 ORDER BY p.asked_at, p.id",
        (owner, now),
    )
    .fetch_all::<Row>(store.read())
    .await?;
    rows.iter()
        .map(|row| {
            Ok(ApprovalView {
                agent: row.get("agent_id")?,
                agent_name: row.get("name")?,
                asked_at: row.get("asked_at")?,
                approval: row.get::<Json<_>>("shown")?.0,
            })
        })
        .collect()
}

impl FromRow for ApprovalRow {
    fn from_row(row: &Row) -> Result<Self> {
        let decision: Option<String> = row.get("decision")?;
        let settled = match decision.as_deref() {
            None => None,
            Some("expired") => Some(ApprovalOutcome::Expired),
            Some("withdrawn") => Some(ApprovalOutcome::Withdrawn),
            Some("answered") => Some(ApprovalOutcome::Answered {
                answer: row.get::<Json<_>>("answer")?.0,
                device: row.get::<Option<String>>("answered_on")?.unwrap_or_default(),
            }),
            Some(decision) => Some(ApprovalOutcome::Decided {
                decision: named(decision).map_err(Error::internal)?,
                device: row.get::<Option<String>>("answered_on")?.unwrap_or_default(),
                word: row.get("word")?,
            }),
        };
        Ok(Self {
            approval: row.get::<Json<_>>("shown")?.0,
            owner: row.get("user_id")?,
            agent: row.get("agent_id")?,
            conversation: row.get("conversation_id")?,
            run: row.get("run_id")?,
            settled,
            answered_by: row.get("answered_by")?,
            is_taken: row.get::<Option<i64>>("taken_at")?.is_some(),
        })
    }
}
