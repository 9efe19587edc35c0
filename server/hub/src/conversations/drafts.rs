//! What a person writes in a conversation and has not sent: the same on all of their devices, and nobody else's. Who
//! writes last has the word; files come and go one by one. What is too long for the hub stays on the device on which it
//! was written.

use super::OwnConversations;
use crate::attachments::MAX_ATTACHMENTS;
use crate::error::{Error, Result};
use crate::log::Appending;
use crate::store::{Transaction, query};
use protocol::view::Draft;
use protocol::{Attachment, AttachmentId, ConversationId, UserId};

/// Bytes of a draft.
const LONGEST: usize = 64 * 1024;
/// Bytes of all that a person is writing.
const TOGETHER: u64 = 4 * 1024 * 1024;

/// What a device changed of a draft.
#[derive(Clone, Copy, Debug, Default)]
pub struct DraftChange<'a> {
    /// Instead of what was written before; without it that stays.
    pub text: Option<&'a str>,
    /// Files that come to it and that leave it. What others added meanwhile stays.
    pub attach: &'a [AttachmentId],
    pub detach: &'a [AttachmentId],
}

impl OwnConversations<'_> {
    pub async fn draft(self, id: &ConversationId) -> Result<Draft> {
        self.get(id).await?;
        let store = self.scoped.hub.store();
        let draft: Option<(String, u64)> = query(WRITTEN, (id,)).fetch_optional(store.read()).await?;
        let Some((text, version)) = draft else { return Ok(Draft::default()) };
        let files = query(FILES, (id,)).fetch_all(store.read()).await?;
        Ok(Draft { text, files, version })
    }

    /// Keeps what was changed, and tells the person's other pages that it did. Gives the draft as it is then: a file that
    /// was to come to it and is not in it is no file of the person's that is still there, or one too many for a message.
    pub async fn keep_draft(self, id: &ConversationId, change: DraftChange<'_>) -> Result<Draft> {
        if change.text.is_some_and(|text| text.len() > LONGEST) {
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
        let (text, version): (String, u64) = query(
            "INSERT INTO drafts (conversation_id, user_id, text, version) VALUES ($1, $2, COALESCE($3, ''), 1)
             ON CONFLICT (conversation_id) DO UPDATE
                 SET text = COALESCE($3, drafts.text), version = drafts.version + 1
             RETURNING text, version",
            (id, me, change.text),
        )
        .fetch_one(&mut *tx)
        .await?;
        let is_written_on = change.text.is_some_and(|text| !text.is_empty());
        if is_written_on && together(&mut tx, me).await? > TOGETHER {
            tx.rollback().await?;
            return Err(Error::Limit(format!(
                "You are writing more than {} MB in all of your conversations. Send or empty some of it; until then this stays on this device alone.",
                TOGETHER / (1024 * 1024)
            )));
        }
        let now = self.scoped.hub.now();
        for file in change.detach.iter().take(MAX_ATTACHMENTS) {
            detach(&mut tx, (id, me), file, now).await?;
        }
        for file in change.attach.iter().take(MAX_ATTACHMENTS) {
            attach(&mut tx, (id, me), file, now).await?;
        }
        let files = query(FILES, (id,)).fetch_all(&mut *tx).await?;
        tx.commit().await?;
        self.scoped.hub.live().draft_changed(me, &of.agent, id, version);
        Ok(Draft { text, files, version })
    }
}

const WRITTEN: &str = "SELECT text, version FROM drafts WHERE conversation_id = $1";

const FILES: &str = "SELECT f.id, f.name, f.mime, f.size, f.width, f.height, f.server FROM draft_files d
     JOIN attachments f ON f.user_id = d.user_id AND f.id = d.attachment_id
     WHERE d.conversation_id = $1 ORDER BY d.place";

/// Nothing comes of a file that the person does not have, and of one for which there is no room.
async fn attach(
    tx: &mut Transaction,
    (id, me): (&ConversationId, &UserId),
    file: &AttachmentId,
    now: i64,
) -> Result<()> {
    let (others, has_it, last): (usize, bool, u64) = query(
        "SELECT COUNT(*), COUNT(CASE WHEN attachment_id = $2 THEN 1 END), COALESCE(MAX(place), 0) FROM draft_files
         WHERE conversation_id = $1",
        (id, file),
    )
    .fetch_one(&mut **tx)
    .await?;
    // A sweep at the same moment finds it fresh, whichever of the two is first.
    if has_it || others >= MAX_ATTACHMENTS || !touch(tx, me, file, now).await? {
        return Ok(());
    }
    query(
        "INSERT INTO draft_files (conversation_id, user_id, attachment_id, place) VALUES ($1, $2, $3, $4)",
        (id, me, file, last + 1),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// What left it is kept for as long as if it had been brought now: a message that waits for the hub may have it.
async fn detach(
    tx: &mut Transaction,
    (id, me): (&ConversationId, &UserId),
    file: &AttachmentId,
    now: i64,
) -> Result<()> {
    let left = query("DELETE FROM draft_files WHERE conversation_id = $1 AND attachment_id = $2", (id, file))
        .execute(&mut **tx)
        .await?;
    if left > 0 {
        touch(tx, me, file, now).await?;
    }
    Ok(())
}

/// Gives whether it is there.
async fn touch(tx: &mut Transaction, me: &UserId, file: &AttachmentId, now: i64) -> Result<bool> {
    let there = query("UPDATE attachments SET at = $3 WHERE user_id = $1 AND id = $2", (me, file, now))
        .execute(&mut **tx)
        .await?;
    Ok(there > 0)
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
    /// What is said was the draft, on whatever device: nothing is being written any more, and its files went along. Gives
    /// the version of that, if it was.
    pub(crate) async fn send_draft(
        &mut self,
        id: &ConversationId,
        said: &str,
        files: &[Attachment],
    ) -> Result<Option<u64>> {
        let draft: Option<(String, u64)> = query(WRITTEN, (id,)).fetch_optional(&mut *self.tx).await?;
        let Some((_, version)) = draft.filter(|(text, _)| text.trim() == said) else { return Ok(None) };
        let sent: Option<u64> = query(
            "UPDATE drafts SET text = '', version = version + 1
             WHERE conversation_id = $1 AND version = $2 AND (text <> '' OR EXISTS (
                 SELECT 1 FROM draft_files WHERE draft_files.conversation_id = $1))
             RETURNING version",
            (id, version),
        )
        .fetch_optional(&mut *self.tx)
        .await?;
        if sent.is_some() {
            for file in files {
                query(
                    "DELETE FROM draft_files WHERE conversation_id = $1 AND attachment_id = $2",
                    (id, &file.id),
                )
                .execute(&mut *self.tx)
                .await?;
            }
        }
        Ok(sent)
    }
}
