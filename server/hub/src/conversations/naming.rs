//! Who named a conversation: a person's name stays, and a model names it once.

use super::Conversations;
use super::changes::OF_FAMILY;
use crate::error::Result;
use crate::store::query;
use protocol::ConversationId;

impl Conversations<'_> {
    /// Whether it is called as its first message begins, and no model was asked for a name.
    pub(crate) async fn is_unnamed(self, id: &ConversationId) -> Result<bool> {
        query(
            "SELECT 1 FROM conversations WHERE id = $1 AND titled_by = 'words' AND deleted_at IS NULL",
            (id,),
        )
        .exists(self.hub.store().read())
        .await
    }

    /// `false`: somebody else has named it, or does.
    pub(crate) async fn claim_naming(self, id: &ConversationId) -> Result<bool> {
        let mut tx = self.hub.store().write().await?;
        let claimed = query(
            ["UPDATE conversations SET titled_by = 'asked'", OF_FAMILY, "AND titled_by = 'words'"],
            (id,),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(claimed > 0)
    }

    /// `false`: a person has named it meanwhile.
    pub(crate) async fn name_by_model(self, id: &ConversationId, title: &str) -> Result<bool> {
        let mut tx = self.hub.store().write().await?;
        let named = query(
            [
                "UPDATE conversations SET titled_by = 'model', title = $2",
                OF_FAMILY,
                "AND titled_by = 'asked'",
            ],
            (id, title),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(named > 0)
    }
}
