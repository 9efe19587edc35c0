//! Answers that are given where a notification is shown.

use crate::error::{Error, Result};
use crate::notifications::Notifications;
use crate::notifications::news::Answerable;
use crate::store::query;
use protocol::approval::Decision;
use protocol::{AgentId, ApprovalId, ConversationId, DeviceId, PipelineId};
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// As it is kept of a secret: it has 256 random bits, and no hash of it is guessed back.
pub(in crate::notifications) fn answered_by(secret: &str) -> String {
    Sha256::digest(secret).iter().fold(String::with_capacity(64), |mut hex, byte| {
        write!(hex, "{byte:02x}").expect("writing to a string cannot fail");
        hex
    })
}

/// What a yes or no answers.
pub(crate) enum AnsweredWith {
    Call(ApprovalId),
    /// Of a pipeline.
    Task {
        pipeline: PipelineId,
        task: String,
    },
}

/// What words answer.
pub(crate) enum RepliedTo {
    Question(ApprovalId),
    /// They are said to the agent, once under this key.
    Agent {
        agent: AgentId,
        conversation: Option<ConversationId>,
        key: String,
    },
}

/// Call, pipeline with its task, and what can be done about it there.
type Asked = (Option<ApprovalId>, Option<PipelineId>, Option<String>, i64);

fn is_over() -> Error {
    Error::Conflict("This was answered already, or its time is up. Open the agent to look.".to_owned())
}

impl Notifications<'_> {
    /// What this device may answer so with this secret. A task that asked again has a newer notification.
    pub(crate) async fn answerable_with(
        self,
        secret: &str,
        device: &DeviceId,
        decision: Decision,
    ) -> Result<AnsweredWith> {
        let found: Option<Asked> = query(
            "SELECT n.approval_id, n.pipeline_id, n.task, n.answerable
             FROM push_answers p JOIN notifications n ON n.id = p.notification_id
             WHERE p.secret_hash = $1 AND p.device_id = $2 AND NOT EXISTS
                 (SELECT 1 FROM notifications m
                  WHERE m.pipeline_id = n.pipeline_id AND m.task = n.task AND m.id > n.id)",
            (answered_by(secret), device),
        )
        .fetch_optional(self.hub.store().read())
        .await?;
        let (approval, pipeline, task, answerable) = found.ok_or_else(is_over)?;
        if Answerable::numbered(answerable) == Answerable::Denial && decision != Decision::Deny {
            return Err(Error::invalid(
                "The notification did not show all of this. Open the agent to allow it.",
            ));
        }
        match (approval, pipeline.zip(task)) {
            (Some(approval), _) => Ok(AnsweredWith::Call(approval)),
            (None, Some((pipeline, task))) => Ok(AnsweredWith::Task { pipeline, task }),
            (None, None) => Err(is_over()),
        }
    }

    /// What this device may say words to with this secret.
    pub(crate) async fn replied_to_with(self, secret: &str, device: &DeviceId) -> Result<RepliedTo> {
        let found: Option<(i64, Option<ApprovalId>, AgentId, Option<ConversationId>)> = query(
            "SELECT n.answerable, n.approval_id, n.agent_id, n.conversation_id
             FROM push_answers p JOIN notifications n ON n.id = p.notification_id
             WHERE p.secret_hash = $1 AND p.device_id = $2",
            (answered_by(secret), device),
        )
        .fetch_optional(self.hub.store().read())
        .await?;
        let Some((answerable, approval, agent, conversation)) = found else { return Err(is_over()) };
        match (Answerable::numbered(answerable), approval) {
            (Answerable::Question, Some(approval)) => Ok(RepliedTo::Question(approval)),
            (Answerable::Message, _) => {
                Ok(RepliedTo::Agent { agent, conversation, key: answered_by(secret) })
            }
            (Answerable::Nothing | Answerable::Call | Answerable::Denial | Answerable::Question, _) => {
                Err(Error::invalid("This is about a call. Allow it, or deny it."))
            }
        }
    }

    /// It was used, and is good for nothing any more.
    pub(crate) async fn is_used(self, secret: &str) -> Result<()> {
        let mut tx = self.hub.store().write_uncached().await?;
        query("DELETE FROM push_answers WHERE secret_hash = $1", (answered_by(secret),))
            .execute(&mut *tx)
            .await?;
        tx.commit().await
    }
}
