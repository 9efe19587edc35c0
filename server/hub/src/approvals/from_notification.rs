//! Answers from where a notification is shown, with no page open: by a secret that was sent to that device for
//! that question, for this one call.

use super::in_words::asked_in_words;
use super::{question, rows};
use crate::approvals::OwnApprovals;
use crate::error::{Error, Result};
use crate::notifications::{AnsweredWith, RepliedTo};
use protocol::DeviceId;
use protocol::approval::Decision;

impl OwnApprovals<'_> {
    pub async fn answer_notified(self, secret: &str, decision: Decision) -> Result<()> {
        let device = self.notified_device()?;
        match decision {
            Decision::Once | Decision::Deny => {}
            Decision::Run | Decision::HalfHour | Decision::Always => {
                return Err(Error::invalid("From a notification a call is allowed once, or denied."));
            }
        }
        let notifications = self.scoped.hub.notifications();
        match notifications.answerable_with(secret, device, decision).await? {
            AnsweredWith::Call(id) => {
                let hash = self.hash_of(&id).await?;
                self.answer(&id, &hash, decision, "").await?;
            }
            AnsweredWith::Task { pipeline, task } => {
                self.scoped.pipelines().answer(&pipeline, &task, decision == Decision::Once, "").await?;
            }
        }
        notifications.is_used(secret).await
    }

    /// Answers what was shown in words, or says them to the agent that told something.
    pub async fn reply_notified(self, secret: &str, text: &str) -> Result<()> {
        let device = self.notified_device()?;
        let hub = self.scoped.hub;
        match hub.notifications().replied_to_with(secret, device).await? {
            RepliedTo::Question(id) => {
                let stored = rows::by_id(hub.store(), &id).await?.ok_or(Error::NotFound("question"))?;
                let asked = asked_in_words(&stored.approval)
                    .ok_or_else(|| Error::invalid("This takes more than words. Open the agent to answer."))?;
                let said = question::said_in_words(&asked.wanted, text);
                self.reply(&id, &stored.approval.hash, said).await?;
            }
            RepliedTo::Agent { agent, conversation, key } => {
                let runs = self.scoped.runs().of_conversation(conversation.as_ref());
                runs.send_message(&agent, text, Some(&key), None).await?;
            }
        }
        hub.notifications().is_used(secret).await
    }

    fn notified_device(&self) -> Result<&DeviceId> {
        let device = self.scoped.viewer.device();
        device.ok_or_else(|| Error::invalid("Only the device that was notified answers with this."))
    }
}
