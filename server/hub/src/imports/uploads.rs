//! Files that somebody sent in, for a day. They are opened to be looked through and to be brought in, never while
//! they are taken in.

use super::export::{Export, LARGEST_IMPORT};
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::imports::OwnImports;
use crate::store::{Row, query};
use protocol::import::UploadedImport;

/// Of one person; the oldest one goes when another comes.
const MAX_UPLOADS_PER_PERSON: i64 = 3;
const KEPT_MS: i64 = 24 * 60 * 60 * 1000;
/// Characters of a file's name that are kept.
const NAME: usize = 100;

impl OwnImports<'_> {
    /// Keeps a file for a day, so that it can be looked through and brought in.
    pub async fn upload(self, name: &str, bytes: &[u8]) -> Result<UploadedImport> {
        if bytes.len() > LARGEST_IMPORT {
            return Err(Error::Limit("The file is larger than 20 MB.".to_owned()));
        }
        let (id, now) = (new_id(), self.scoped.hub.now());
        let name: String = name.chars().filter(|c| !c.is_control()).take(NAME).collect();
        let mut tx = self.scoped.hub.store().write().await?;
        query("DELETE FROM import_uploads WHERE at < $1", (now - KEPT_MS,)).execute(&mut *tx).await?;
        query(
            "DELETE FROM import_uploads WHERE user_id = $1 AND id NOT IN
             (SELECT id FROM import_uploads WHERE user_id = $1 ORDER BY id DESC LIMIT $2)",
            (self.scoped.owner(), MAX_UPLOADS_PER_PERSON - 1),
        )
        .execute(&mut *tx)
        .await?;
        query(
            "INSERT INTO import_uploads (id, user_id, name, bytes, at) VALUES ($1, $2, $3, $4, $5)",
            (&id, self.scoped.owner(), name, bytes, now),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(UploadedImport { upload: id })
    }

    /// Forgets a file. What was brought in of it stays.
    pub async fn discard(self, upload: &str) -> Result<()> {
        let mut tx = self.scoped.hub.store().write().await?;
        let deleted =
            query("DELETE FROM import_uploads WHERE id = $1 AND user_id = $2", (upload, self.scoped.owner()))
                .execute(&mut *tx)
                .await?;
        if deleted == 0 {
            return Err(Error::NotFound("file"));
        }
        tx.commit().await
    }

    /// What is in it, and its name.
    pub(super) async fn open(self, upload: &str) -> Result<(String, Export)> {
        // Who waits for a turn holds no file.
        let turn = self.scoped.archives().archive_turn().await?;
        let row = query(
            "SELECT name, bytes FROM import_uploads WHERE id = $1 AND user_id = $2",
            (upload, self.scoped.owner()),
        )
        .fetch_optional::<Row>(self.scoped.hub.store().read())
        .await?
        .ok_or(Error::NotFound("file"))?;
        let (name, bytes): (String, Vec<u8>) = (row.get("name")?, row.get("bytes")?);
        let export = tokio::task::spawn_blocking(move || {
            let export = Export::read(&bytes);
            drop(turn);
            export
        });
        Ok((name, export.await.map_err(Error::internal)??))
    }
}
