//! What a person writes in a conversation and has not sent: the same on all of their devices, and nobody else's. Who
//! writes last has the word. What is too long for the hub stays on the device on which it was written.

use super::OwnConversations;
use crate::error::{Error, Result};
use crate::log::Appending;
use crate::store::{FromRow, Row, Transaction, query};
use protocol::view::Draft;
use protocol::{ConversationId, UserId};

/// Bytes of a draft.
const LONGEST: usize = 64 * 1024;
/// Bytes of all that a person is writing.
const TOGETHER: u64 = 4 * 1024 * 1024;

impl OwnConversations<'_> {
    pub async fn draft(self, id: &ConversationId) -> Result<Draft> {
        self.get(id).await?;
        let draft = query("SELECT text, version FROM drafts WHERE conversation_id = $1", (id,))
            .fetch_optional(self.scoped.hub.store().read())
            .await?;
        Ok(draft.unwrap_or_default())
    }

    /// Keeps this instead of what was written before, and tells the person's other pages that it did. Gives its version.
    pub async fn keep_draft(self, id: &ConversationId, text: &str) -> Result<u64> {
        if text.len() > LONGEST {
            return Err(Error::Limit(format!(
                "A draft of more than {} KB is kept on this device alone. Send it, or attach it as a file.",
                LONGEST / 1024
            )));
        }
        let of = self.get(id).await?;
        if of.deleted {
            return Err(Error::NotFound("conversation"));
        }
        let me = &self.scoped.viewer.me.id;
        let mut tx = self.scoped.hub.store().write_uncached().await?;
        let version: u64 = query(
            "INSERT INTO drafts (conversation_id, user_id, text, version) VALUES ($1, $2, $3, 1)
             ON CONFLICT (conversation_id) DO UPDATE SET text = excluded.text, version = drafts.version + 1
             RETURNING version",
            (id, me, text),
        )
        .fetch_one(&mut *tx)
        .await?;
        if !text.is_empty() && together(&mut tx, me).await? > TOGETHER {
            tx.rollback().await?;
            return Err(Error::Limit(format!(
                "You are writing more than {} MB in all of your conversations. Send or empty some of it; until then this stays on this device alone.",
                TOGETHER / (1024 * 1024)
            )));
        }
        tx.commit().await?;
        self.scoped.hub.live().draft_changed(me, &of.agent, id, version);
        Ok(version)
    }
}

/// Bytes of all that a person is writing.
async fn together(tx: &mut Transaction, person: &UserId) -> Result<u64> {
    query(
        "SELECT CAST(COALESCE(SUM(OCTET_LENGTH(text)), 0) AS BIGINT) FROM drafts
         WHERE user_id = $1 AND text <> ''",
        (person,),
    )
    .fetch_one(&mut **tx)
    .await
}

impl Appending {
    /// What is said was the draft, on whatever device: nothing is being written any more. Gives the version of that, if it
    /// was.
    pub(crate) async fn send_draft(&mut self, id: &ConversationId, said: &str) -> Result<Option<u64>> {
        let draft: Option<Draft> =
            query("SELECT text, version FROM drafts WHERE conversation_id = $1", (id,))
                .fetch_optional(&mut *self.tx)
                .await?;
        let Some(draft) = draft.filter(|draft| !draft.text.is_empty() && draft.text.trim() == said) else {
            return Ok(None);
        };
        query(
            "UPDATE drafts SET text = '', version = version + 1 WHERE conversation_id = $1 AND version = $2
             RETURNING version",
            (id, draft.version),
        )
        .fetch_optional(&mut *self.tx)
        .await
    }
}

impl FromRow for Draft {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self { text: row.get("text")?, version: row.get("version")? })
    }
}
