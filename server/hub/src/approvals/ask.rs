//! Asking, and waiting for the answer: nothing is spent meanwhile, and nothing is lost if the process
//! ends. Whoever asks for the same call again waits for the same answer.

use super::hash::{hash_during, hash_of};
use super::in_words::asked_in_words;
use super::resolve::forget_old;
use super::rows;
use crate::approvals::Approvals;
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::gateway::Caller;
use crate::log::EntryScope;
use crate::notifications::News;
use crate::store::{Json, query};
use agent::tools::ResolvedCall;
use protocol::agent::ToolRisk;
use protocol::approval::{Approval, ApprovalOutcome, ApprovalReason, Asker, Decision};
use protocol::log::EntryBody;
use protocol::question;
use protocol::{ApprovalId, UserId};
use tokio_util::sync::CancellationToken;

/// How long a person has to say yes: for a run, which waits by itself, and for a page, before which one sits.
const PATIENCE_MS: i64 = 10 * 60 * 1000;
const PATIENCE_OF_PAGES_MS: i64 = 60 * 1000;

/// The number of the first question about a call that was under way when the hub stopped. Those before it end with the
/// process that asked them.
pub(crate) const AFTERWARDS: u32 = 1000;

/// The answer that has a call made once more whose outcome nobody knows.
pub(crate) const AGAIN: &str = "Make it again";

/// What a person is to be asked.
pub(crate) struct Question<'a> {
    pub(crate) call: &'a ResolvedCall,
    pub(crate) about: Option<String>,
    pub(crate) risk: ToolRisk,
    pub(crate) why: ApprovalReason,
    /// A yes to it holds for no other call.
    pub(crate) once: bool,
    /// Strangers may have asked for what it says.
    pub(crate) strangers: bool,
    /// Hosts that it could send things to besides what it is about.
    pub(crate) reaches: Vec<String>,
    /// What the call asks them, if that is what it is for.
    pub(crate) question: Option<question::Question>,
    /// 0 before the call is made. While it is under way each question has its number, and from [`AFTERWARDS`] on those
    /// that are asked when nobody knows what came of it.
    pub(crate) nth: u32,
}

/// What came of it.
#[derive(Debug)]
pub(crate) struct ApprovalResult {
    pub(crate) approval: ApprovalId,
    /// What the answer is bound to.
    pub(crate) hash: String,
    pub(crate) settled: ApprovalOutcome,
    pub(crate) by: Option<UserId>,
}

impl Approvals<'_> {
    pub(crate) async fn ask(
        self,
        caller: &Caller<'_>,
        question: Question<'_>,
        stop: &CancellationToken,
    ) -> Result<ApprovalResult> {
        let approval = self.asked(caller, question).await?;
        let patience = patience_ms(approval.asker, approval.question.as_deref());
        let until = self.hub.moment().plus_ms(self.hub.clock().left_ms(approval.expires_at, patience));
        loop {
            let waiting = self.hub.waiters().listen(&approval.id);
            let heard = waiting.notified();
            tokio::pin!(heard);
            heard.as_mut().enable();
            let stored =
                rows::by_id(self.hub.store(), &approval.id).await?.ok_or(Error::NotFound("approval"))?;
            if stored.approval.hash != approval.hash || stored.is_taken {
                return Err(Error::Conflict("This call was answered before.".to_owned()));
            }
            if let Some(settled) = stored.settled {
                self.hub.waiters().tell(&approval.id);
                return Ok(ApprovalResult {
                    approval: approval.id,
                    hash: approval.hash,
                    settled,
                    by: stored.answered_by,
                });
            }
            tokio::select! {
                biased;
                () = stop.cancelled() => self.resolve(&stored, ApprovalOutcome::Withdrawn).await?,
                () = caller.gave_up() => self.resolve(&stored, ApprovalOutcome::Withdrawn).await?,
                () = &mut heard => {}
                () = self.hub.clock().until(until) => self.resolve(&stored, ApprovalOutcome::Expired).await?,
            }
        }
    }

    /// The question as it stands on every device: a new one, or the one that was asked before.
    async fn asked(self, caller: &Caller<'_>, question: Question<'_>) -> Result<Approval> {
        let Question { call, about, risk, why, once, strangers, reaches, question, nth } = question;
        let (run, turn) = (caller.run(), caller.turn());
        let hash = hash_of(caller.agent, run, turn.unwrap_or(0), call);
        let hash = if nth == 0 { hash } else { hash_during(&hash, nth, question.as_ref())? };
        if let (Some(run), Some(turn)) = (run, turn)
            && let Some(former) = rows::of_call(self.hub.store(), run, turn, &call.id().0, nth).await?
        {
            // What is asked afterwards stands as it was asked, whatever a newer program would say.
            if former.approval.hash == hash || nth >= AFTERWARDS {
                return Ok(former.approval);
            }
            return Err(Error::Conflict("Another call was asked about under this name.".to_owned()));
        }
        let asker = caller.asker();
        let now = self.hub.now();
        let expires_at = now.saturating_add(patience_ms(asker, question.as_ref()));
        let approval = Approval {
            id: ApprovalId(new_id()),
            asker,
            page_of: caller.page_of.as_ref().map(|owner| owner.name.clone()),
            turn,
            call: call.in_own_words(),
            about,
            risk,
            why,
            once,
            strangers,
            reaches,
            question: question.map(Box::new),
            hash,
            expires_at,
        };
        let place = EntryScope {
            agent: caller.agent.clone(),
            conversation: Some(caller.conversation.clone()),
            run: run.cloned(),
        };
        let mut appending = self.hub.log().appending().await?;
        forget_old(&mut appending.tx, now).await?;
        appending.append(&place, EntryBody::ApprovalAsked { approval: approval.clone() }).await?;
        query(
            "INSERT INTO approvals (id, user_id, agent_id, conversation_id, run_id, turn, call_id, nth, shown,
                                    hash, asked_at, expires_at, in_words)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
            (
                &approval.id,
                &caller.owner,
                &caller.agent,
                &caller.conversation,
                run,
                turn.unwrap_or(0),
                call.id(),
                nth,
                Json(&approval),
                &approval.hash,
                now,
                approval.expires_at,
                asked_in_words(&approval).is_some(),
            ),
        )
        .execute(&mut *appending.tx)
        .await?;
        if let Some(run) = run {
            appending.require_running(run).await?;
        }
        let news = News::Asked(&approval);
        self.hub
            .notifications()
            .note(&mut appending.tx, caller.agent, Some(caller.conversation), news)
            .await?;
        self.hub.log().commit(appending).await?;
        Ok(approval)
    }
}

fn patience_ms(asker: Asker, question: Option<&question::Question>) -> i64 {
    match (question, asker) {
        (Some(question), _) => i64::from(question.wait_minutes) * 60 * 1000,
        (None, Asker::Model) => PATIENCE_MS,
        (None, Asker::Page) => PATIENCE_OF_PAGES_MS,
    }
}

impl ApprovalResult {
    /// Whether a person allowed the call.
    pub(crate) fn is_yes(&self) -> bool {
        match &self.settled {
            ApprovalOutcome::Decided { decision, .. } => match decision {
                Decision::Once | Decision::Run | Decision::HalfHour | Decision::Always => true,
                Decision::Deny => false,
            },
            ApprovalOutcome::Answered { .. } | ApprovalOutcome::Expired | ApprovalOutcome::Withdrawn => false,
        }
    }
}
