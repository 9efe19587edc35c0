//! Archives that somebody sent in, until an agent is made of one. They are opened only to be reviewed
//! and made, never while they are taken in.

use super::content::Content;
use super::gallery;
use super::zip::LARGEST_ARCHIVE;
use crate::access::Scoped;
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::store::Transaction;
use protocol::archive::Uploaded;
use sqlx::Row as _;
use tokio::sync::Semaphore;

/// Of one person; the oldest one goes when another comes.
const MOST: i64 = 3;
const KEPT_MS: i64 = 24 * 60 * 60 * 1000;
/// How many are unpacked at a time: each may take a hundred megabytes.
static UNPACKING: Semaphore = Semaphore::const_new(2);
/// Characters of a file's name that are kept.
const NAME: usize = 100;

impl Scoped<'_> {
    /// Keeps an archive for a day, so that it can be reviewed and made into an agent.
    pub async fn upload_archive(&self, name: &str, bytes: &[u8]) -> Result<Uploaded> {
        if bytes.len() > LARGEST_ARCHIVE {
            return Err(Error::Limit("The archive is larger than 20 MB.".to_owned()));
        }
        let (id, now) = (new_id(), self.hub.now());
        let name: String = name.chars().filter(|c| !c.is_control()).take(NAME).collect();
        let mut tx = self.hub.store.write().await?;
        sqlx::query("DELETE FROM archive_uploads WHERE at < $1")
            .bind(now - KEPT_MS)
            .execute(&mut *tx)
            .await?;
        sqlx::query(
            "DELETE FROM archive_uploads WHERE user_id = $1 AND id NOT IN
             (SELECT id FROM archive_uploads WHERE user_id = $1 ORDER BY id DESC LIMIT $2)",
        )
        .bind(self.owner())
        .bind(MOST - 1)
        .execute(&mut *tx)
        .await?;
        sqlx::query("INSERT INTO archive_uploads (id, user_id, name, bytes, at) VALUES ($1, $2, $3, $4, $5)")
            .bind(&id)
            .bind(self.owner())
            .bind(name)
            .bind(bytes)
            .bind(now)
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(Uploaded { archive: id })
    }

    /// Forgets an archive that was sent in.
    pub async fn discard_archive(&self, id: &str) -> Result<()> {
        let mut tx = self.hub.store.write().await?;
        if !self.forget_upload(&mut tx, id).await? {
            return Err(Error::NotFound("archive"));
        }
        tx.commit().await?;
        Ok(())
    }

    /// Whether it was there.
    pub(super) async fn forget_upload(&self, tx: &mut Transaction, id: &str) -> Result<bool> {
        let deleted = sqlx::query("DELETE FROM archive_uploads WHERE id = $1 AND user_id = $2")
            .bind(id)
            .bind(self.owner())
            .execute(&mut **tx)
            .await?;
        Ok(deleted.rows_affected() > 0)
    }

    /// A template of the gallery, or an archive that the person sent in.
    pub(super) async fn open_archive(&self, id: &str) -> Result<Content> {
        if let Some(template) = gallery::find(id) {
            return template.content();
        }
        let row = sqlx::query("SELECT bytes FROM archive_uploads WHERE id = $1 AND user_id = $2")
            .bind(id)
            .bind(self.owner())
            .fetch_optional(self.hub.store.read())
            .await?;
        let bytes: Vec<u8> = row.ok_or(Error::NotFound("archive"))?.try_get("bytes")?;
        let _turn = UNPACKING.acquire().await.map_err(Error::internal)?;
        tokio::task::spawn_blocking(move || Content::read(&bytes)).await.map_err(Error::internal)?
    }
}
