//! Ending a question: by an answer, by time, or because nobody waits any more. Once, whoever is first.

use super::ask::AFTERWARDS;
use super::rows::{self, ApprovalRow};
use crate::approvals::Approvals;
use crate::clock::{Moment, is_good};
use crate::error::{Error, Result};
use crate::log::{Appending, EntryScope};
use crate::notifications;
use crate::store::{Json, Row, Store, Transaction, name_of, query};
use protocol::approval::ApprovalOutcome;
use protocol::log::EntryBody;
use protocol::{AgentId, ApprovalId, RunId, UserId};
use std::ops::RangeInclusive;

/// How long a question is kept after it was settled: 30 days.
const KEPT_MS: i64 = 30 * 24 * 60 * 60 * 1000;

impl Approvals<'_> {
    /// Ends it without an answer, unless one came first.
    pub(super) async fn resolve(self, stored: &ApprovalRow, settled: ApprovalOutcome) -> Result<()> {
        let mut appending = self.hub.log().appending().await?;
        if appending.settle(stored, settled).await? {
            self.hub.log().commit(appending).await?;
        }
        Ok(())
    }

    /// Ends the questions of this run whose time is up. `None`: none is open; otherwise when the next one
    /// ends.
    pub(crate) async fn expire_of(self, run: &RunId) -> Result<Option<Moment>> {
        let rows = query(
            "SELECT id, asked_at, expires_at FROM approvals WHERE run_id = $1 AND settled_at IS NULL",
            (run,),
        )
        .fetch_all::<Row>(self.hub.store().read())
        .await?;
        let mut next = None;
        for row in rows {
            let expires_at: i64 = row.get("expires_at")?;
            let patience = expires_at.saturating_sub(row.get("asked_at")?);
            if is_good(expires_at, patience, self.hub.now()) {
                let left = self.hub.clock().left_ms(expires_at, patience);
                next = next.max(Some(self.hub.moment().plus_ms(left)));
                continue;
            }
            let id: ApprovalId = row.get("id")?;
            if let Some(stored) = rows::by_id(self.hub.store(), &id).await? {
                self.resolve(&stored, ApprovalOutcome::Expired).await?;
                self.settled(&id, &stored.owner).await;
            }
        }
        Ok(next)
    }

    /// Questions of pages, which are gone with the process that they asked.
    pub(crate) async fn withdraw_questions_of_pages(self, person: Option<&UserId>) -> Result<()> {
        let rows = query(
            "SELECT q.id FROM approvals q JOIN agents a ON a.id = q.agent_id
             WHERE q.run_id IS NULL AND q.settled_at IS NULL AND (CAST($1 AS TEXT) IS NULL OR a.user_id = $1)",
            (person,),
        )
        .fetch_all::<Row>(self.hub.store().read())
        .await?;
        for row in rows {
            let id: ApprovalId = row.get("id")?;
            if let Some(stored) = rows::by_id(self.hub.store(), &id).await? {
                self.resolve(&stored, ApprovalOutcome::Withdrawn).await?;
            }
        }
        Ok(())
    }
}

/// Lets go of questions that were settled long ago, of runs that are over. What was asked and decided
/// stands in the log and with the calls.
pub(super) async fn forget_old(tx: &mut Transaction, now: i64) -> Result<()> {
    query(
        "DELETE FROM approvals WHERE settled_at <= $1
           AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.id = approvals.run_id AND runs.running = 1)",
        (now - KEPT_MS,),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Whether a call of the run waits for a person, or for going on with what they said.
pub(crate) async fn is_open(store: &Store, run: &RunId) -> Result<bool> {
    query(
        "SELECT 1 FROM approvals
         WHERE run_id = $1 AND taken_at IS NULL AND (nth = 0 OR settled_at IS NULL)",
        (run,),
    )
    .exists(store.read())
    .await
}

/// Whether a call of the run has gone on with what a person said, at `since` or later.
pub(crate) async fn were_taken_since(store: &Store, run: &RunId, since: i64) -> Result<bool> {
    query(
        "SELECT 1 FROM approvals WHERE run_id = $1 AND (taken_at >= $2 OR (nth > 0 AND settled_at >= $2))",
        (run, since),
    )
    .exists(store.read())
    .await
}

/// The call goes on with the answer to this very question. Fails if another one did.
pub(crate) async fn take(appending: &mut Appending, id: &ApprovalId, hash: &str) -> Result<()> {
    let now = appending.now();
    let taken = query(
        "UPDATE approvals SET taken_at = $3
         WHERE id = $1 AND hash = $2 AND settled_at IS NOT NULL AND taken_at IS NULL",
        (id, hash, now),
    )
    .execute(&mut *appending.tx)
    .await?;
    if taken == 0 {
        return Err(Error::Conflict("What was allowed is another call, or was done before.".to_owned()));
    }
    Ok(())
}

impl Appending {
    /// `false`: it was ended before.
    pub(super) async fn settle(&mut self, stored: &ApprovalRow, settled: ApprovalOutcome) -> Result<bool> {
        let (decision, word, answer, device) = match &settled {
            ApprovalOutcome::Decided { decision, word, device } => {
                (name_of(decision)?, word.as_deref(), None, Some(device.as_str()))
            }
            ApprovalOutcome::Answered { answer, device } => {
                ("answered".to_owned(), None, Some(Json(answer)), Some(device.as_str()))
            }
            ApprovalOutcome::Expired => ("expired".to_owned(), None, None, None),
            ApprovalOutcome::Withdrawn => ("withdrawn".to_owned(), None, None, None),
        };
        let answered_by = device.map(|_| stored.owner.0.as_str());
        let now = self.now();
        let done = query(
            "UPDATE approvals SET settled_at = $2, decision = $3, word = $4, answered_by = $5,
             answered_on = $6, answer = $7
             WHERE id = $1 AND settled_at IS NULL AND ($5 IS NULL OR expires_at > $2)",
            (&stored.approval.id, now, decision, word, answered_by, device, answer),
        )
        .execute(&mut *self.tx)
        .await?;
        if done == 0 {
            return Ok(false);
        }
        notifications::is_settled(&mut self.tx, &stored.approval.id, now).await?;
        let place = EntryScope {
            agent: stored.agent.clone(),
            conversation: Some(stored.conversation.clone()),
            run: stored.run.clone(),
        };
        let body = EntryBody::ApprovalSettled { approval: stored.approval.id.clone(), settled };
        self.append(&place, body).await?;
        if stored.run.is_some() {
            self.mark_working(&stored.agent).await?;
        }
        Ok(true)
    }

    /// The agent is at work again, unless something else of its run waits.
    pub(crate) async fn mark_working(&mut self, agent: &AgentId) -> Result<()> {
        query(
            "UPDATE agents SET status = 'running' WHERE id = $1 AND status = 'waiting'
               AND EXISTS (SELECT 1 FROM runs WHERE agent_id = $1 AND running = 1)
               AND NOT EXISTS (SELECT 1 FROM approvals
                               WHERE agent_id = $1 AND run_id IS NOT NULL AND settled_at IS NULL)
               AND NOT EXISTS (SELECT 1 FROM tool_calls
                               WHERE agent_id = $1 AND run_id IS NOT NULL AND finished_at IS NULL
                                 AND device_wait > 0)",
            (agent,),
        )
        .execute(&mut *self.tx)
        .await?;
        Ok(())
    }

    /// A run ends: what it asked is asked no more.
    pub(crate) async fn withdraw_questions_of(&mut self, run: &RunId) -> Result<()> {
        self.withdraw_questions_from(run, 0..=u32::MAX).await
    }

    /// What calls asked that were under way is asked no more: nobody hears the answers.
    pub(crate) async fn withdraw_questions_during_calls(&mut self, run: &RunId) -> Result<()> {
        self.withdraw_questions_from(run, 1..=AFTERWARDS - 1).await
    }

    async fn withdraw_questions_from(&mut self, run: &RunId, nth: RangeInclusive<u32>) -> Result<()> {
        let asked = query(
            "SELECT user_id, agent_id, conversation_id, run_id, shown, decision, word, answered_by,
                    answered_on, answer, taken_at
             FROM approvals WHERE run_id = $1 AND settled_at IS NULL AND nth BETWEEN $2 AND $3
             ORDER BY asked_at, id",
            (run, *nth.start(), *nth.end()),
        )
        .fetch_all(&mut *self.tx)
        .await?;
        for stored in &asked {
            self.settle(stored, ApprovalOutcome::Withdrawn).await?;
        }
        Ok(())
    }
}
