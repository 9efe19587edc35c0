//! A person's answer to what an agent asks: from any device, if it fits the question, the first one counts.

use super::answer::named;
use super::ask::AGAIN;
use super::rows::ApprovalRow;
use super::{question, rows};
use crate::access::Via;
use crate::approvals::{Approvals, OwnApprovals};
use crate::audit::AuditEvent;
use crate::error::{Error, Result};
use crate::log::Appending;
use crate::vault::Secret;
use crate::web_secrets::{self, SecretPlace};
use protocol::approval::{Approval, ApprovalOutcome, ApprovalReason};
use protocol::question::{Answer, AnswerDraft, Question, Wanted};
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
        let entered = self.entered(&asked.wanted, &said)?;
        let answer = question::fit(&asked.wanted, said, file)?;
        let settled = ApprovalOutcome::Answered { answer: answer.clone(), device: self.device_name().await? };
        let mut appending = self.scoped.hub.log().appending().await?;
        // Whoever seals something does it first, so that no two wait for each other.
        if let Some(entered) = &entered {
            self.keep(&mut appending, &stored, &asked.wanted, entered).await?;
        }
        if !appending.settle(&stored, settled).await? {
            appending.give_up().await?;
            return Err(self.too_late(id).await?);
        }
        if let Answer::File { file } = &answer {
            appending.use_attachments(&stored.owner, &stored.agent, std::slice::from_ref(file)).await?;
        }
        if let (Some(_), Wanted::Secret { name, place, .. }) = (&entered, &asked.wanted) {
            let line = AuditEvent::done(AuditAction::WebSecretKept, self.scoped.viewer)
                .object(&format!("{name}, for {place}"))
                .answering(&stored.approval.id);
            self.scoped.hub.audit().note(&mut appending.tx, line).await?;
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

    /// The secret that was entered, if one is wanted. Nobody enters one but the person, who reads on a page where it goes.
    fn entered(self, wanted: &Wanted, said: &AnswerDraft) -> Result<Option<Secret>> {
        match (wanted, &self.scoped.viewer.via) {
            (Wanted::Secret { .. }, _) if said.skip => Ok(None),
            (Wanted::Secret { .. }, Via::Device(_)) => web_secrets::entered(&said.text).map(Some),
            (Wanted::Secret { .. }, Via::Token(_) | Via::Terminal) => Err(Error::Forbidden(
                "A secret is entered by its person, on a page. No program does that for them.",
            )),
            (_, Via::Device(_) | Via::Token(_) | Via::Terminal) => Ok(None),
        }
    }

    async fn keep(
        self,
        appending: &mut Appending,
        stored: &ApprovalRow,
        wanted: &Wanted,
        entered: &Secret,
    ) -> Result<()> {
        let Wanted::Secret { name, place, header, scheme } = wanted else { return Ok(()) };
        let hub = self.scoped.hub;
        let root = crate::agents::root_of(&mut appending.tx, &stored.agent).await?;
        let at = SecretPlace { name, place, header, scheme: scheme.as_deref() };
        hub.web_secrets().keep(&mut appending.tx, &stored.owner.0, &root, at, entered).await
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
