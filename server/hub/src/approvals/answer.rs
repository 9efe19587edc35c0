//! A person's answer: from any device, to what they were shown, the first one counts.

use super::rows::{self, ApprovalRow};
use crate::access::Via;
use crate::approvals::OwnApprovals;
use crate::audit::AuditEvent;
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::policy::{self, MOST_USES};
use crate::store::name_of;
use protocol::approval::{Approval, ApprovalOutcome, ApprovalReason, Asker, Decision, PolicyRule, Verdict};
use protocol::question::Answer;
use protocol::view::AuditAction;
use protocol::{AgentId, ApprovalId, PolicyRuleId};

/// Characters of a word to the agent.
const WORD: usize = 500;
const HALF_HOUR_MS: i64 = 30 * 60 * 1000;

impl OwnApprovals<'_> {
    /// Answers the question with this `hash`. A second answer is a conflict that says who was first.
    pub async fn answer(self, id: &ApprovalId, hash: &str, decision: Decision, word: &str) -> Result<()> {
        self.answer_for(id, hash, decision, word, 0).await
    }

    /// The same, for so many calls like it after this one; 0 is any number.
    pub async fn answer_for(
        self,
        id: &ApprovalId,
        hash: &str,
        decision: Decision,
        word: &str,
        times: u32,
    ) -> Result<()> {
        if times > MOST_USES {
            return Err(Error::invalid(format!("An answer holds at most {MOST_USES} times.")));
        }
        if let (1.., Decision::Once | Decision::Deny) = (times, decision) {
            return Err(Error::invalid(
                "A number of times goes with an answer that holds for longer: for this run, half an hour or always.",
            ));
        }
        let word = word.trim();
        if word.chars().count() > WORD {
            return Err(Error::invalid(format!("A word to the agent has at most {WORD} characters.")));
        }
        let stored = self.meant(id, hash).await?;
        if stored.approval.question.is_some() {
            return Err(Error::invalid("The agent asks something. Answer that, or skip it."));
        }
        if let (Asker::Page, Decision::Run) = (stored.approval.asker, decision) {
            return Err(Error::invalid(
                "A page's call belongs to no run. Allow it once, for half an hour or always.",
            ));
        }
        if let (ApprovalReason::Denials, Decision::Run | Decision::HalfHour | Decision::Always) =
            (stored.approval.why, decision)
        {
            return Err(Error::invalid(
                "After denials each call that changes something is asked about by itself. Allow it once, or deny it.",
            ));
        }
        if let (true, Decision::Run | Decision::HalfHour | Decision::Always) =
            (stored.approval.once, decision)
        {
            return Err(Error::invalid(
                "What an agent is told later is agreed to one by one. Allow it once, or deny it.",
            ));
        }
        let settled = ApprovalOutcome::Decided {
            decision,
            device: self.device_name().await?,
            word: (!word.is_empty()).then(|| word.to_owned()),
        };
        let mut appending = self.scoped.hub.log().appending().await?;
        if !appending.settle(&stored, settled).await? {
            appending.give_up().await?;
            return Err(self.too_late(id).await?);
        }
        let root = crate::agents::root_of(&mut appending.tx, &stored.agent).await?;
        if let Some(rule) = rule_of(&stored, root, decision, times, appending.now()) {
            let now = appending.now();
            policy::insert(&mut appending.tx, &stored.owner, &rule, now).await?;
        }
        let action = match decision {
            Decision::Deny => AuditAction::CallDenied,
            Decision::Once | Decision::Run | Decision::HalfHour | Decision::Always => {
                AuditAction::CallAllowed
            }
        };
        let line = AuditEvent::done(action, self.scoped.viewer)
            .object(&named(&stored, &name_of(&decision)?))
            .answering(&stored.approval.id);
        self.scoped.hub.audit().note(&mut appending.tx, line).await?;
        self.scoped.hub.log().commit(appending).await?;
        self.scoped.hub.approvals().settled(id, &stored.owner).await;
        Ok(())
    }

    /// What stands for what was asked.
    pub(super) async fn hash_of(self, id: &ApprovalId) -> Result<String> {
        let stored = rows::by_id(self.scoped.hub.store(), id).await?;
        Ok(stored.ok_or(Error::NotFound("question"))?.approval.hash)
    }

    /// The viewer's question, if it is still the one that was shown.
    pub(super) async fn meant(self, id: &ApprovalId, hash: &str) -> Result<ApprovalRow> {
        let stored = rows::by_id(self.scoped.hub.store(), id)
            .await?
            .filter(|stored| stored.owner == self.scoped.viewer.me.id)
            .ok_or(Error::NotFound("question"))?;
        if stored.approval.hash != hash {
            return Err(Error::Conflict(
                "The call that was asked about is another one. Load the page again and look.".to_owned(),
            ));
        }
        Ok(stored)
    }

    /// Why an answer came too late, in words.
    pub(super) async fn too_late(self, id: &ApprovalId) -> Result<Error> {
        let stored = rows::by_id(self.scoped.hub.store(), id).await?.ok_or(Error::NotFound("question"))?;
        Ok(Error::Conflict(match stored.settled {
            Some(ApprovalOutcome::Decided { decision, device, .. }) => {
                let said = if decision == Decision::Deny { "denied" } else { "allowed" };
                format!("This was {said} already, on {device}.")
            }
            Some(ApprovalOutcome::Answered { answer: Answer::Skipped, device }) => {
                format!("This was skipped already, on {device}.")
            }
            Some(ApprovalOutcome::Answered { device, .. }) => {
                format!("This was answered already, on {device}.")
            }
            Some(ApprovalOutcome::Withdrawn) => "Nobody waits for this answer any more.".to_owned(),
            Some(ApprovalOutcome::Expired) | None if stored.approval.question.is_some() => {
                "The time to answer is up. The agent has gone on.".to_owned()
            }
            Some(ApprovalOutcome::Expired) | None => {
                "The time to answer is up. The call was not made.".to_owned()
            }
        }))
    }

    pub(super) async fn device_name(self) -> Result<String> {
        match &self.scoped.viewer.via {
            Via::Device(device) => self.scoped.hub.accounts().device_name_of(Some(device)).await,
            Via::Token(_) => Ok("a program with a token".to_owned()),
            Via::Terminal => Ok("the command line".to_owned()),
        }
    }
}

/// The call and the answer, for the audit: what was sent along stays with the call.
pub(super) fn named(stored: &ApprovalRow, answer: &str) -> String {
    let Approval { call, about, .. } = &stored.approval;
    let about = about.as_ref().map(|about| format!(" about {about}")).unwrap_or_default();
    format!("{}{about}, {answer}", call.name)
}

/// The rule that makes the answer hold for more than this call: for those that can do no more harm.
fn rule_of(
    stored: &ApprovalRow,
    agent: AgentId,
    decision: Decision,
    times: u32,
    now: i64,
) -> Option<PolicyRule> {
    let (run, until) = match decision {
        Decision::Once | Decision::Deny => return None,
        Decision::Run => (stored.run.clone(), None),
        Decision::HalfHour => (None, Some(now + HALF_HOUR_MS)),
        Decision::Always => (None, None),
    };
    Some(PolicyRule {
        id: PolicyRuleId(new_id()),
        agent: Some(agent),
        asker: Some(stored.approval.asker),
        tool: stored.approval.call.name.clone(),
        about: stored.approval.about.clone(),
        verdict: Verdict::Allow,
        run,
        uses_left: (times > 0).then_some(times),
        until,
        made_at: now,
        approval: Some(stored.approval.id.clone()),
        risk_at_most: Some(stored.approval.risk),
    })
}
