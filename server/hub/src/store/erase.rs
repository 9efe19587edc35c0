//! Leaving nothing behind of somebody. SQLite keeps what was deleted in the free parts of its file, and words of it in
//! its full-text index: the file is written anew, and the index is read anew when somebody searches.

use super::{Dialect, Store, Transaction, Writers, query};
use crate::clock::new_id;
use crate::error::{Error, Result};
use std::time::Duration;

/// The setting that says that the file is to be written anew, with a name for what was removed last.
const DUE: &str = "pack_due";
/// How often it is tried to take in what is beside the file, and the pause between: who reads stands in its way.
const TRIES: usize = 120;
const AGAIN: Duration = Duration::from_millis(500);

impl Store {
    /// Nothing that this transaction deletes is to be left. [`Self::pack`] sees to it once it is committed.
    pub(crate) async fn leave_nothing(&self, tx: &mut Transaction) -> Result<()> {
        if self.dialect() == Dialect::Postgres {
            return Ok(());
        }
        let let_go = [
            "DROP TRIGGER IF EXISTS search_documents_gone",
            "DROP TABLE IF EXISTS search_index",
            "DELETE FROM search_documents",
            // Not deleted: who is reading a log finds that it is not where they were.
            "UPDATE search_progress SET seq = 0",
        ];
        for statement in let_go.iter().chain(self.dialect().full_text()) {
            query(*statement, ()).execute(&mut **tx).await?;
        }
        query(
            "INSERT INTO settings (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE
             SET value = excluded.value",
            (DUE, new_id()),
        )
        .execute(&mut **tx)
        .await?;
        Ok(())
    }

    /// Writes the file anew, until nothing is left of what was removed, also meanwhile.
    pub(crate) async fn pack(&self) -> Result<()> {
        let Writers::Sqlite(writer) = &self.writers else { return Ok(()) };
        let _turn = writer.turn_to_pack().await;
        while let Some(due) = self.pack_due().await? {
            writer.pack().await?;
            self.take_in_log().await?;
            let mut tx = self.write_uncached().await?;
            query("DELETE FROM settings WHERE key = $1 AND value = $2", (DUE, &due))
                .execute(&mut *tx)
                .await?;
            tx.commit().await?;
        }
        Ok(())
    }

    async fn pack_due(&self) -> Result<Option<String>> {
        query("SELECT value FROM settings WHERE key = $1", (DUE,)).fetch_optional(self.read()).await
    }

    /// Takes in what was written beside the file, and leaves nothing there.
    async fn take_in_log(&self) -> Result<()> {
        for _ in 0..TRIES {
            let busy: i64 =
                query("PRAGMA wal_checkpoint(TRUNCATE)", ()).fetch_one(self.readers.pool()).await?;
            if busy == 0 {
                return Ok(());
            }
            tokio::time::sleep(AGAIN).await;
        }
        Err(Error::Conflict("Something has been reading the database file for a minute.".to_owned()))
    }
}
