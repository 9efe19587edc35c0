//! A person's answer to what an agent asks: from any device, if it fits the question, the first one counts.

use super::answer::named;
use super::ask::AGAIN;
use super::{question, rows};
use crate::approvals::{Approvals, OwnApprovals};
use crate::audit::AuditEvent;
use crate::error::{Error, Result};
use protocol::approval::{Approval, ApprovalOutcome, ApprovalReason};
use protocol::question::{Answer, AnswerDraft, Question};
use protocol::view::AuditAction;
use protocol::{ApprovalId, CallId, RunId};

impl OwnApprovals<'_> {
    /// Answers the question with this `hash`. What does not fit it is refused, and it stays open. A second
    /// answer is a conflict that says who was first.
    pub async fn reply(self, id: &ApprovalId, hash: &str, said: AnswerDraft) -> Result<()> {
        let stored = self.meant(id, hash).await?;
        let Some(asked) = &stored.approval.question else {
            return Err(Error::invalid("This is about a call. Allow it, or deny it."));
        };
        let mut files = self.scoped.attachments().meant(&said.files).await?;
        let file = files.pop();
        if !files.is_empty() {
            return Err(Error::invalid("One file answers the question. Send the others in a message."));
        }
        let answer = question::fit(&asked.wanted, said, file)?;
        let settled = ApprovalOutcome::Answered { answer: answer.clone(), device: self.device_name().await? };
        let mut appending = self.scoped.hub.log().appending().await?;
        if !appending.settle(&stored, settled).await? {
            appending.give_up().await?;
            return Err(self.too_late(id).await?);
        }
        if let Answer::File { file } = &answer {
            appending.use_attachments(&stored.owner, &stored.agent, std::slice::from_ref(file)).await?;
        }
        if has_it_made_again(&stored.approval, &answer) {
            let line = AuditEvent::done(AuditAction::CallAllowed, self.scoped.viewer)
                .object(&named(&stored, "again"))
                .answering(&stored.approval.id);
            self.scoped.hub.audit().note(&mut appending.tx, line).await?;
        }
        self.scoped.hub.log().commit(appending).await?;
        self.scoped.hub.approvals().settled(id, &stored.owner).await;
        Ok(())
    }
}

/// Whether the answer lets a call be made, and does not only say something.
fn has_it_made_again(approval: &Approval, answer: &Answer) -> bool {
    let is_again =
        matches!(answer, Answer::Chosen { labels, .. } if labels.iter().any(|label| label == AGAIN));
    approval.why == ApprovalReason::Unknown && is_again
}

impl Approvals<'_> {
    /// What this call of the run asked, and how that ended.
    pub(crate) async fn asked_by(
        self,
        run: &RunId,
        turn: u32,
        call: &CallId,
    ) -> Result<Option<(Question, ApprovalOutcome)>> {
        let stored = rows::of_call(self.hub.store(), run, turn, &call.0, 0).await?;
        Ok(stored.and_then(|stored| stored.approval.question.map(|question| *question).zip(stored.settled)))
    }
}
