//! The pools and transactions. Statements stand with the nouns that need them: one SQL text for
//! SQLite and PostgreSQL, and a [`Dialect`] for what differs.

mod dialect;
mod group;
mod open;
mod remembered;
#[cfg(test)]
mod tests;
mod transaction;

pub use dialect::Dialect;
pub use open::OpenError;
pub(crate) use remembered::Remembered;
pub use transaction::Transaction;

use crate::error::Result;
use group::Writer;
use sqlx::AnyPool;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub type Row = sqlx::any::AnyRow;

#[derive(Clone, Debug)]
pub struct Store {
    readers: AnyPool,
    writers: Writers,
    /// Counts the commits that what is remembered does not outlive.
    writes: Arc<AtomicU64>,
}

#[derive(Clone, Debug)]
enum Writers {
    Sqlite(Writer),
    Postgres(AnyPool),
}

impl Store {
    /// For statements that only read.
    pub fn read(&self) -> &AnyPool {
        &self.readers
    }

    pub fn dialect(&self) -> Dialect {
        match &self.writers {
            Writers::Sqlite(_) => Dialect::Sqlite,
            Writers::Postgres(_) => Dialect::Postgres,
        }
    }

    /// Begins a transaction that may write. Commit it; a dropped one rolls back.
    pub async fn write(&self) -> Result<Transaction> {
        Ok(self.write_aside().await?.counted(Arc::clone(&self.writes)))
    }

    /// The same, for what nobody remembers: money, the log, when something was used.
    pub(crate) async fn write_aside(&self) -> Result<Transaction> {
        Ok(match &self.writers {
            Writers::Sqlite(writer) => Transaction::sqlite(writer.begin().await?),
            Writers::Postgres(pool) => Transaction::postgres(pool.begin().await?),
        })
    }

    fn writes(&self) -> u64 {
        self.writes.load(Ordering::Acquire)
    }

    /// Reads from the database and says in words how it is.
    pub async fn examine(&self) -> Result<String> {
        let row = sqlx::query("SELECT COUNT(*) FROM users WHERE role <> 'removed'")
            .fetch_one(&self.readers)
            .await?;
        let people: i64 = sqlx::Row::try_get(&row, 0)?;
        Ok(format!("{} answers; {people} accounts", self.dialect().name()))
    }

    /// How many groups the one writer of SQLite has ended.
    #[cfg(test)]
    async fn groups(&self) -> u64 {
        match &self.writers {
            Writers::Sqlite(writer) => writer.groups().await,
            Writers::Postgres(_) => 0,
        }
    }

    pub async fn close(&self) {
        self.readers.close().await;
        match &self.writers {
            Writers::Sqlite(writer) => writer.close().await,
            Writers::Postgres(pool) => pool.close().await,
        }
    }
}
