//! Asking, and waiting for the answer: nothing is spent meanwhile, and nothing is lost if the process
//! ends. Whoever asks for the same call again waits for the same answer.

use super::settle::forget_old;
use super::{hash_of, rows};
use crate::Hub;
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::gateway::Caller;
use crate::log::Place;
use protocol::approval::{Approval, Asker, Decision, Settled, WhyAsked};
use protocol::log::EntryBody;
use protocol::model::ToolCall;
use protocol::view::ToolRisk;
use protocol::{ApprovalId, UserId};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How long a person has: for a run, which waits by itself, and for a page, before which one sits.
const PATIENCE: Duration = Duration::from_secs(10 * 60);
const PATIENCE_OF_PAGES: Duration = Duration::from_secs(60);

/// What a person is to be asked.
pub(crate) struct Question<'a> {
    pub(crate) call: &'a ToolCall,
    pub(crate) about: Option<String>,
    pub(crate) risk: ToolRisk,
    pub(crate) why: WhyAsked,
    /// A yes to it holds for no other call.
    pub(crate) once: bool,
}

/// What came of it.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) approval: ApprovalId,
    pub(crate) settled: Settled,
    pub(crate) by: Option<UserId>,
}

impl Hub {
    pub(crate) async fn ask_person(
        &self,
        caller: &Caller<'_>,
        question: Question<'_>,
        stop: &CancellationToken,
    ) -> Result<Said> {
        let approval = self.asked(caller, question).await?;
        loop {
            let waiting = self.approvals.listen(&approval.id);
            let heard = waiting.notified();
            tokio::pin!(heard);
            heard.as_mut().enable();
            let stored = rows::by_id(&self.store, &approval.id).await?.ok_or(Error::NotFound("approval"))?;
            if stored.approval.hash != approval.hash || stored.is_taken {
                return Err(Error::Conflict("This call was answered before.".to_owned()));
            }
            if let Some(settled) = stored.settled {
                self.approvals.tell(&approval.id);
                return Ok(Said { approval: approval.id, settled, by: stored.answered_by });
            }
            tokio::select! {
                biased;
                () = stop.cancelled() => self.settle(&stored, Settled::Withdrawn).await?,
                () = caller.gave_up() => self.settle(&stored, Settled::Withdrawn).await?,
                () = &mut heard => {}
                () = self.clock.until(approval.expires_at) => self.settle(&stored, Settled::Expired).await?,
            }
        }
    }

    /// The question as it stands on every device: a new one, or the one that was asked before.
    async fn asked(&self, caller: &Caller<'_>, question: Question<'_>) -> Result<Approval> {
        let Question { call, about, risk, why, once } = question;
        let (run, turn) = (caller.run(), caller.turn());
        let hash = hash_of(caller.agent, run, turn.unwrap_or(0), call);
        if let (Some(run), Some(turn)) = (run, turn)
            && let Some(former) = rows::of_call(&self.store, run, turn, &call.id.0).await?
        {
            if former.approval.hash == hash {
                return Ok(former.approval);
            }
            return Err(Error::Conflict("Another call was asked about under this name.".to_owned()));
        }
        let asker = caller.asker();
        let patience = match asker {
            Asker::Model => PATIENCE,
            Asker::Page => PATIENCE_OF_PAGES,
        };
        let now = self.now();
        let approval = Approval {
            id: ApprovalId(new_id()),
            asker,
            turn,
            call: call.clone(),
            about,
            risk,
            why,
            once,
            hash,
            expires_at: now.saturating_add(i64::try_from(patience.as_millis()).unwrap_or(i64::MAX)),
        };
        let place = Place {
            agent: caller.agent.clone(),
            conversation: Some(caller.conversation.clone()),
            run: run.cloned(),
        };
        let mut appending = self.appending().await?;
        forget_old(&mut appending.tx, now).await?;
        appending.append(&place, EntryBody::ApprovalAsked { approval: approval.clone() }).await?;
        sqlx::query(
            "INSERT INTO approvals (id, user_id, agent_id, conversation_id, run_id, turn, call_id, shown, hash,
                                    asked_at, expires_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        )
        .bind(&approval.id.0)
        .bind(&caller.owner.0)
        .bind(&caller.agent.0)
        .bind(&caller.conversation.0)
        .bind(run.map(|run| run.0.as_str()))
        .bind(i64::from(turn.unwrap_or(0)))
        .bind(&call.id.0)
        .bind(serde_json::to_string(&approval)?)
        .bind(&approval.hash)
        .bind(now)
        .bind(approval.expires_at)
        .execute(&mut *appending.tx)
        .await?;
        if let Some(run) = run {
            appending.require_running(run).await?;
        }
        self.commit(appending).await?;
        self.call_for_person(caller.owner, caller.agent);
        Ok(approval)
    }
}

impl Said {
    /// Whether the call may be made.
    pub(crate) fn is_yes(&self) -> bool {
        match &self.settled {
            Settled::Decided { decision, .. } => match decision {
                Decision::Once | Decision::Run | Decision::HalfHour | Decision::Always => true,
                Decision::Deny => false,
            },
            Settled::Expired | Settled::Withdrawn => false,
        }
    }
}
