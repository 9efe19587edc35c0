//! Answers that are given where a notification is shown.

use crate::error::{Error, Result};
use crate::notifications::Notifications;
use crate::notifications::news::Answerable;
use crate::store::query;
use protocol::approval::Decision;
use protocol::{AgentId, ApprovalId, ConversationId, DeviceId};
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// As it is kept of a secret: it has 256 random bits, and no hash of it is guessed back.
pub(in crate::notifications) fn answered_by(secret: &str) -> String {
    Sha256::digest(secret).iter().fold(String::with_capacity(64), |mut hex, byte| {
        write!(hex, "{byte:02x}").expect("writing to a string cannot fail");
        hex
    })
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

fn is_over() -> Error {
    Error::Conflict("This was answered already, or its time is up. Open the agent to look.".to_owned())
}

impl Notifications<'_> {
    /// The question that this device may answer so with this secret.
    pub(crate) async fn answerable_with(
        self,
        secret: &str,
        device: &DeviceId,
        decision: Decision,
    ) -> Result<ApprovalId> {
        let found: Option<(ApprovalId, i64)> = query(
            "SELECT n.approval_id, n.answerable FROM push_answers p JOIN notifications n ON n.id = p.notification_id
             WHERE p.secret_hash = $1 AND p.device_id = $2 AND n.approval_id IS NOT NULL",
            (answered_by(secret), device),
        )
        .fetch_optional(self.hub.store().read())
        .await?;
        let (approval, answerable) = found.ok_or_else(is_over)?;
        if Answerable::numbered(answerable) == Answerable::Denial && decision != Decision::Deny {
            return Err(Error::invalid(
                "The notification did not show all of this. Open the agent to allow it.",
            ));
        }
        Ok(approval)
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
