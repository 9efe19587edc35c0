//! Leaving nothing behind of somebody. SQLite keeps what was deleted in the free parts of its file, and words of it in
//! its full-text index: the file is written anew, and the index is read anew when somebody searches.

use super::{Dialect, Store, Transaction, Writers, query};
use crate::error::Result;

/// The setting that says that the file is to be written anew.
const DUE: &str = "pack_due";

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
        query("INSERT INTO settings (key, value) VALUES ($1, '') ON CONFLICT (key) DO NOTHING", (DUE,))
            .execute(&mut **tx)
            .await?;
        Ok(())
    }

    /// Writes the file anew, if that is due.
    pub(crate) async fn pack(&self) -> Result<()> {
        let Writers::Sqlite(writer) = &self.writers else { return Ok(()) };
        if !query("SELECT 1 FROM settings WHERE key = $1", (DUE,)).exists(self.read()).await? {
            return Ok(());
        }
        writer.pack().await?;
        let mut tx = self.write_uncached().await?;
        query("DELETE FROM settings WHERE key = $1", (DUE,)).execute(&mut *tx).await?;
        tx.commit().await?;
        // What it wrote beside the file before.
        sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(self.readers.pool()).await?;
        Ok(())
    }
}
