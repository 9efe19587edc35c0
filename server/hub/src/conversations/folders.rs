//! Folders of an agent's conversations. There is one for as long as a conversation is in it.

use super::changes::OF_FAMILY;
use super::title;
use crate::conversations::OwnConversations;
use crate::error::Result;
use crate::store::query;
use protocol::{AgentId, ConversationId};

/// Folders of an agent that are named.
const MAX_FOLDERS: i64 = 100;

impl OwnConversations<'_> {
    /// Puts it into the folder of this name, with its branches; without a name into none.
    pub async fn put_into(self, id: &ConversationId, folder: &str) -> Result<()> {
        let folder = match folder.trim() {
            "" => None,
            name => Some(title::checked(name)?),
        };
        let agent = self.get(id).await?.agent;
        let mut tx = self.scoped.hub.store().write().await?;
        query(["UPDATE conversations SET folder = $2", OF_FAMILY], (id, folder)).execute(&mut *tx).await?;
        tx.commit().await?;
        self.scoped.hub.live().changed_beside_the_log(&agent);
        Ok(())
    }

    /// The folders in which there is something to see, by name.
    pub(super) async fn folders(self, agent: &AgentId) -> Result<Vec<String>> {
        query(
            "SELECT DISTINCT folder FROM conversations
             WHERE agent_id = $1 AND folder IS NOT NULL AND archived_at IS NULL AND deleted_at IS NULL
             ORDER BY folder LIMIT $2",
            (agent, MAX_FOLDERS),
        )
        .fetch_all(self.scoped.hub.store().read())
        .await
    }
}
