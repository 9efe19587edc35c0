//! Answers from where a notification is shown, with no page open: by a secret that was sent to that device for
//! that question, for this one call.

use crate::approvals::OwnApprovals;
use crate::error::{Error, Result};
use protocol::approval::Decision;

impl OwnApprovals<'_> {
    pub async fn answer_notified(self, secret: &str, decision: Decision) -> Result<()> {
        let Some(device) = self.scoped.viewer.device() else {
            return Err(Error::invalid("Only the device that was notified answers with this."));
        };
        match decision {
            Decision::Once | Decision::Deny => {}
            Decision::Run | Decision::HalfHour | Decision::Always => {
                return Err(Error::invalid("From a notification a call is allowed once, or denied."));
            }
        }
        let notifications = self.scoped.hub.notifications();
        let id = notifications.answerable_with(secret, device).await?;
        let hash = self.hash_of(&id).await?;
        self.answer(&id, &hash, decision, "").await?;
        notifications.is_used(secret).await
    }
}
