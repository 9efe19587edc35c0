//! Questions that words answer: what an agent asks with `ask_user`, answered by the program for which it works. It is
//! never a leave to make a call: that a person gives.

use super::{question, rows};
use crate::approvals::OwnApprovals;
use crate::error::Result;
use crate::store::query;
use agent::tools::{self, ToolId};
use protocol::RunId;
use protocol::approval::{Approval, ApprovalOutcome, ApprovalReason, Asker};
use protocol::question::{Question, QuestionOption, Wanted};

/// What the agent asks here, if words answer it.
pub(crate) fn asked_in_words(approval: &Approval) -> Option<&Question> {
    let is_asked = approval.why == ApprovalReason::Question
        && approval.asker == Asker::Model
        && tools::find(&approval.call.name).is_some_and(|tool| tool.id == ToolId::AskUser);
    let question = approval.question.as_deref().filter(|question| is_asked && question.server.is_none())?;
    match question.wanted {
        Wanted::Choice { .. }
        | Wanted::Several { .. }
        | Wanted::Text { .. }
        | Wanted::Number { .. }
        | Wanted::Date => Some(question),
        // A secret is entered on a page of its person's, and by no other way.
        Wanted::File | Wanted::Secret { .. } | Wanted::Form { .. } | Wanted::Visit { .. } => None,
    }
}

/// The question with the answers that it offers.
pub(crate) fn in_words(question: &Question) -> String {
    let (offered, other) = match &question.wanted {
        Wanted::Choice { options, other } => (format!("One of these: {}.", labels(options)), *other),
        Wanted::Several { options, other, .. } => {
            (format!("Some of these, each on a line of its own: {}.", labels(options)), *other)
        }
        Wanted::Date => ("A date, like 2026-11-24.".to_owned(), false),
        Wanted::Number { .. } => ("A number.".to_owned(), false),
        Wanted::Text { .. }
        | Wanted::File
        | Wanted::Secret { .. }
        | Wanted::Form { .. }
        | Wanted::Visit { .. } => {
            return question.text.clone();
        }
    };
    let other = if other { " Or other words." } else { "" };
    format!("{}\n{offered}{other}", question.text)
}

fn labels(options: &[QuestionOption]) -> String {
    options.iter().map(|option| option.label.as_str()).collect::<Vec<_>>().join(", ")
}

impl OwnApprovals<'_> {
    /// Answers what this run asked first of what is open. `message` is the id under which a program does. `false`:
    /// nothing is open that words answer.
    pub(crate) async fn answer_in_words(
        self,
        run: &RunId,
        words: &str,
        message: Option<&str>,
    ) -> Result<bool> {
        let (hub, owner) = (self.scoped.hub, &self.scoped.viewer.me.id);
        let Some(stored) = rows::asked_in_words(hub.store(), owner, run, hub.now()).await? else {
            return Ok(false);
        };
        let Some(asked) = asked_in_words(&stored.approval) else { return Ok(false) };
        let answer = question::fit(&asked.wanted, question::said_in_words(&asked.wanted, words), None)?;
        let settled = ApprovalOutcome::Answered { answer, device: self.device_name().await? };
        let mut appending = hub.log().appending().await?;
        if !appending.settle(&stored, settled).await? {
            appending.give_up().await?;
            return Ok(false);
        }
        if let Some(message) = message {
            query("UPDATE approvals SET answered_as = $2 WHERE id = $1", (&stored.approval.id, message))
                .execute(&mut *appending.tx)
                .await?;
        }
        hub.log().commit(appending).await?;
        hub.approvals().settled(&stored.approval.id, &stored.owner).await;
        Ok(true)
    }
}
