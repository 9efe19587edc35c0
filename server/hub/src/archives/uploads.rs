//! Archives that somebody sent in, until an agent is made of one. They are opened only to be reviewed
//! and made, never while they are taken in.

use super::content::Content;
use super::gallery;
use crate::archives::OwnArchives;
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::fair_queue::{FairQueue, Permit, QueueFull};
use crate::store::{Transaction, query};
use crate::zip::LARGEST_ARCHIVE;
use protocol::UserId;
use protocol::archive::Uploaded;

/// Of one person; the oldest one goes when another comes.
const MAX_UPLOADS_PER_PERSON: i64 = 3;
const KEPT_MS: i64 = 24 * 60 * 60 * 1000;
/// How many are unpacked or packed at a time, and how many of one person may wait.
const CONCURRENT_ARCHIVES: usize = 2;
const WAITING: usize = 32;
/// Characters of a file's name that are kept.
const NAME: usize = 100;

/// Archives that are unpacked or packed: each may take a hundred megabytes.
pub(crate) struct Unpacking(pub(super) FairQueue<UserId>);

impl Default for Unpacking {
    fn default() -> Self {
        Self(FairQueue::new(CONCURRENT_ARCHIVES, WAITING))
    }
}

impl OwnArchives<'_> {
    /// Keeps an archive for a day, so that it can be reviewed and made into an agent.
    pub async fn upload(self, name: &str, bytes: &[u8]) -> Result<Uploaded> {
        if bytes.len() > LARGEST_ARCHIVE {
            return Err(Error::Limit("The archive is larger than 20 MB.".to_owned()));
        }
        let (id, now) = (new_id(), self.scoped.hub.now());
        let name: String = name.chars().filter(|c| !c.is_control()).take(NAME).collect();
        let mut tx = self.scoped.hub.store().write().await?;
        query("DELETE FROM archive_uploads WHERE at < $1", (now - KEPT_MS,)).execute(&mut *tx).await?;
        query(
            "DELETE FROM archive_uploads WHERE user_id = $1 AND id NOT IN
             (SELECT id FROM archive_uploads WHERE user_id = $1 ORDER BY id DESC LIMIT $2)",
            (self.scoped.owner(), MAX_UPLOADS_PER_PERSON - 1),
        )
        .execute(&mut *tx)
        .await?;
        query(
            "INSERT INTO archive_uploads (id, user_id, name, bytes, at) VALUES ($1, $2, $3, $4, $5)",
            (&id, self.scoped.owner(), name, bytes, now),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(Uploaded { archive: id })
    }

    /// Forgets an archive that was sent in.
    pub async fn discard(self, id: &str) -> Result<()> {
        let mut tx = self.scoped.hub.store().write().await?;
        if !self.forget_upload(&mut tx, id).await? {
            return Err(Error::NotFound("archive"));
        }
        tx.commit().await?;
        Ok(())
    }

    /// Whether it was there.
    pub(crate) async fn forget_upload(self, tx: &mut Transaction, id: &str) -> Result<bool> {
        let deleted =
            query("DELETE FROM archive_uploads WHERE id = $1 AND user_id = $2", (id, self.scoped.owner()))
                .execute(&mut **tx)
                .await?;
        Ok(deleted > 0)
    }

    /// A file that the person sent in, as it came.
    pub(crate) async fn uploaded(self, id: &str) -> Result<Option<Vec<u8>>> {
        query("SELECT bytes FROM archive_uploads WHERE id = $1 AND user_id = $2", (id, self.scoped.owner()))
            .fetch_optional(self.scoped.hub.store().read())
            .await
    }

    /// A turn to unpack an archive, or to pack one, or to read another large file.
    pub(crate) async fn archive_turn(self) -> Result<Permit<UserId>> {
        self.scoped.hub.unpacking().enter(&self.scoped.viewer.me.id).await.map_err(|QueueFull| {
            Error::Limit("Too many of your archives are under way. Try again in a moment.".to_owned())
        })
    }

    /// A template of the gallery, or an archive that the person sent in.
    pub(super) async fn open(self, id: &str) -> Result<Content> {
        if let Some(template) = gallery::find(id) {
            return self
                .scoped
                .hub
                .archives()
                .read_page(&self.scoped.viewer.me.id, template.content()?)
                .await;
        }
        let bytes = self.uploaded(id).await?.ok_or(Error::NotFound("archive"))?;
        let turn = self.archive_turn().await?;
        let content = tokio::task::spawn_blocking(move || {
            let content = Content::read(&bytes);
            drop(turn);
            content
        });
        let content = content.await.map_err(Error::internal)??;
        self.scoped.hub.archives().read_page(&self.scoped.viewer.me.id, content).await
    }
}
