//! What of a conversation its person has read, the same on every device.

use super::OwnConversations;
use super::changes::OF_FAMILY;
use crate::error::Result;
use crate::log::Appending;
use crate::store::query;
use protocol::ConversationId;

impl OwnConversations<'_> {
    /// The person has seen everything in it.
    pub async fn read(self, id: &ConversationId) -> Result<()> {
        let agent = self.get(id).await?.agent;
        let mut tx = self.scoped.hub.store().write().await?;
        let read = query(
            ["UPDATE conversations SET read_seq = answered_seq", OF_FAMILY, "AND read_seq < answered_seq"],
            (id,),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        if read > 0 {
            self.scoped.hub.live().changed_beside_the_log(&agent);
        }
        Ok(())
    }
}

impl Appending {
    /// A run ended in it with this entry, and its person has not seen that.
    pub(crate) async fn note_unseen_end(&mut self, id: &ConversationId, seq: u64) -> Result<()> {
        query("UPDATE conversations SET answered_seq = $2 WHERE id = $1", (id, seq))
            .execute(&mut *self.tx)
            .await?;
        Ok(())
    }
}
