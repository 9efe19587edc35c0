//! Ending a question: by an answer, by time, or because nobody waits any more. Once, whoever is first.

use super::rows::{self, Stored};
use crate::Hub;
use crate::error::{Error, Result};
use crate::log::{Appending, Place};
use crate::store::{Store, Transaction};
use protocol::approval::Settled;
use protocol::log::EntryBody;
use protocol::{AgentId, ApprovalId, RunId};
use sqlx::Row as _;

/// How long a question is kept after it was settled: 30 days.
const KEPT_MS: i64 = 30 * 24 * 60 * 60 * 1000;

impl Hub {
    /// Ends it without an answer, unless one came first.
    pub(super) async fn settle(&self, stored: &Stored, settled: Settled) -> Result<()> {
        let mut appending = self.appending().await?;
        if appending.settle(stored, settled).await? {
            self.commit(appending).await?;
        }
        Ok(())
    }

    /// Ends the questions of this run whose time is up. `None`: none is open; otherwise when the next one
    /// ends.
    pub(crate) async fn expire_approvals_of(&self, run: &RunId) -> Result<Option<i64>> {
        let rows =
            sqlx::query("SELECT id, expires_at FROM approvals WHERE run_id = $1 AND settled_at IS NULL")
                .bind(&run.0)
                .fetch_all(self.store.read())
                .await?;
        let mut next = None;
        for row in rows {
            let expires_at: i64 = row.try_get("expires_at")?;
            if expires_at > self.now() {
                next = next.max(Some(expires_at));
                continue;
            }
            let id = ApprovalId(row.try_get("id")?);
            if let Some(stored) = rows::by_id(&self.store, &id).await? {
                self.settle(&stored, Settled::Expired).await?;
                self.approvals.tell(&id);
            }
        }
        Ok(next)
    }

    /// Questions of pages, which are gone with the process that they asked.
    pub(crate) async fn withdraw_questions_of_pages(&self) -> Result<()> {
        let rows = sqlx::query("SELECT id FROM approvals WHERE run_id IS NULL AND settled_at IS NULL")
            .fetch_all(self.store.read())
            .await?;
        for row in rows {
            let id = ApprovalId(row.try_get("id")?);
            if let Some(stored) = rows::by_id(&self.store, &id).await? {
                self.settle(&stored, Settled::Withdrawn).await?;
            }
        }
        Ok(())
    }
}

/// Lets go of questions that were settled long ago, of runs that are over. What was asked and decided
/// stands in the log and with the calls.
pub(super) async fn forget_old(tx: &mut Transaction, now: i64) -> Result<()> {
    sqlx::query(
        "DELETE FROM approvals WHERE settled_at <= $1
           AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.id = approvals.run_id AND runs.running = 1)",
    )
    .bind(now - KEPT_MS)
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Whether a call of the run waits for a person, or for going on with what they said.
pub(crate) async fn is_open(store: &Store, run: &RunId) -> Result<bool> {
    let row = sqlx::query("SELECT 1 FROM approvals WHERE run_id = $1 AND taken_at IS NULL")
        .bind(&run.0)
        .fetch_optional(store.read())
        .await?;
    Ok(row.is_some())
}

/// The call goes on with the answer to this very question. Fails if another one did.
pub(crate) async fn take(appending: &mut Appending, id: &ApprovalId, hash: &str) -> Result<()> {
    let now = appending.now();
    let taken = sqlx::query(
        "UPDATE approvals SET taken_at = $3
         WHERE id = $1 AND hash = $2 AND settled_at IS NOT NULL AND taken_at IS NULL",
    )
    .bind(&id.0)
    .bind(hash)
    .bind(now)
    .execute(&mut *appending.tx)
    .await?;
    if taken.rows_affected() == 0 {
        return Err(Error::Conflict("What was allowed is another call, or was done before.".to_owned()));
    }
    Ok(())
}

impl Appending {
    /// `false`: it was ended before.
    pub(super) async fn settle(&mut self, stored: &Stored, settled: Settled) -> Result<bool> {
        let (decision, word, device) = match &settled {
            Settled::Decided { decision, word, device } => {
                (rows::name(*decision), word.as_deref(), Some(device.as_str()))
            }
            Settled::Expired => ("expired", None, None),
            Settled::Withdrawn => ("withdrawn", None, None),
        };
        let answered_by = device.map(|_| stored.owner.0.as_str());
        let now = self.now();
        let done = sqlx::query(
            "UPDATE approvals SET settled_at = $2, decision = $3, word = $4, answered_by = $5, answered_on = $6
             WHERE id = $1 AND settled_at IS NULL AND ($5 IS NULL OR expires_at > $2)",
        )
        .bind(&stored.approval.id.0)
        .bind(now)
        .bind(decision)
        .bind(word)
        .bind(answered_by)
        .bind(device)
        .execute(&mut *self.tx)
        .await?;
        if done.rows_affected() == 0 {
            return Ok(false);
        }
        let place = Place {
            agent: stored.agent.clone(),
            conversation: Some(stored.conversation.clone()),
            run: stored.run.clone(),
        };
        let body = EntryBody::ApprovalSettled { approval: stored.approval.id.clone(), settled };
        self.append(&place, body).await?;
        if stored.run.is_some() {
            self.go_on(&stored.agent).await?;
        }
        Ok(true)
    }

    /// The agent is at work again, unless something else of its run waits.
    pub(crate) async fn go_on(&mut self, agent: &AgentId) -> Result<()> {
        sqlx::query(
            "UPDATE agents SET status = 'running' WHERE id = $1 AND status = 'waiting'
               AND EXISTS (SELECT 1 FROM runs WHERE agent_id = $1 AND running = 1)
               AND NOT EXISTS (SELECT 1 FROM approvals
                               WHERE agent_id = $1 AND run_id IS NOT NULL AND settled_at IS NULL)
               AND NOT EXISTS (SELECT 1 FROM tool_calls
                               WHERE agent_id = $1 AND run_id IS NOT NULL AND finished_at IS NULL
                                 AND device_wait > 0)",
        )
        .bind(&agent.0)
        .execute(&mut *self.tx)
        .await?;
        Ok(())
    }

    /// A run ends: what it asked is asked no more.
    pub(crate) async fn withdraw_questions_of(&mut self, run: &RunId) -> Result<()> {
        let rows = sqlx::query(
            "SELECT user_id, agent_id, conversation_id, run_id, shown, decision, word, answered_by, answered_on, taken_at
             FROM approvals WHERE run_id = $1 AND settled_at IS NULL ORDER BY asked_at, id",
        )
        .bind(&run.0)
        .fetch_all(&mut *self.tx)
        .await?;
        for row in &rows {
            self.settle(&rows::stored(row)?, Settled::Withdrawn).await?;
        }
        Ok(())
    }
}
