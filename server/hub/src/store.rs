//! The pools and transactions. Statements stand with the nouns that need them: one SQL text for
//! SQLite and PostgreSQL, and a [`Dialect`] for what differs.

mod at_rest;
mod changes;
mod column;
mod connection;
mod dialect;
mod erase;
mod fence;
mod group;
mod lost_answer;
mod migrations;
mod open;
mod owner;
mod pooler;
mod query;
mod read_cache;
mod readers;
mod row;
mod slow;
mod snapshot;
mod sole;
mod sqlite;
mod status;
#[cfg(test)]
mod tests;
mod transaction;
mod unavailable;
mod values;

pub use at_rest::AtRest;
pub(crate) use changes::{Changed, Changes};
pub(crate) use column::{FromColumn, Json, ToColumn, name_of, named, stored_by_name};
pub use connection::Connection;
pub use dialect::Dialect;
pub(crate) use erase::{PackTime, ms_to_night};
pub(crate) use fence::{CONNECTIONS_OF, Fence};
pub use group::Written;
pub use open::{DatabaseUrl, OpenError};
pub(crate) use open::{migrate_to, newest_migration};
pub(crate) use owner::hand_over;
pub(crate) use query::query;
pub(crate) use read_cache::ReadCache;
pub use readers::Readers;
pub(crate) use row::{FromRow, Row};
pub use sole::Claim;
pub use transaction::Transaction;
pub use unavailable::Unavailable;
pub(crate) use values::Values;

use crate::error::{Error, Result};
use crate::tasks::Tasks;
use group::{CLOSING, Writer};
use lost_answer::Outcomes;
use sqlx::AnyPool;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Clone, Debug)]
pub struct Store {
    readers: Arc<Readers>,
    writers: Writers,
    fence: Arc<Fence>,
    /// Counts the commits that what is remembered does not outlive.
    writes: Arc<AtomicU64>,
    /// Counts the entries of logs that were read; tests hold what a message costs to it.
    entries_read: Arc<AtomicU64>,
    changes: Arc<Changes>,
}

#[derive(Clone, Debug)]
enum Writers {
    Sqlite(Writer),
    Postgres(AnyPool, Tasks),
}

impl Store {
    /// For statements that only read.
    pub fn read(&self) -> &Readers {
        &self.readers
    }

    pub(crate) fn fence(&self) -> &Fence {
        &self.fence
    }

    /// One connection, beside those of the pool.
    pub(crate) fn apart(&self) -> AnyPool {
        open::apart(self.readers.pool(), &self.fence)
    }

    /// The name of this process among those that have the same database, and had it before.
    pub(crate) fn process(&self) -> &str {
        &self.fence.process
    }

    /// For several statements that only read, one after another.
    pub(crate) async fn reader(&self) -> Result<Connection> {
        Ok(Connection::Reading(self.readers.acquire().await?))
    }

    pub fn dialect(&self) -> Dialect {
        match &self.writers {
            Writers::Sqlite(_) => Dialect::Sqlite,
            Writers::Postgres(..) => Dialect::Postgres,
        }
    }

    /// Begins a transaction that may write. Commit it; a dropped one rolls back.
    pub async fn write(&self) -> Result<Transaction> {
        Ok(self.write_uncached().await?.counted(Arc::clone(&self.writes)))
    }

    /// The same, for what nobody remembers: money, the log, drafts, when something was used.
    pub(crate) async fn write_uncached(&self) -> Result<Transaction> {
        Ok(match &self.writers {
            Writers::Sqlite(writer) => Transaction::sqlite(writer.begin().await?, Arc::clone(&self.changes)),
            // A `BEGIN` that nobody waits for any more would go back to the pool with its connection, and whatever
            // that is used for next would be a part of it: SQLx takes back only what was answered.
            Writers::Postgres(pool, tasks) => {
                let outcomes = Outcomes { pool: pool.clone(), fence: Arc::clone(&self.fence) };
                let pool = pool.clone();
                let transaction = tasks.complete(async move { pool.begin().await }).await??;
                Transaction::postgres(transaction, outcomes, Arc::clone(&self.changes))
            }
        })
    }

    /// What was committed and pages have to be told of.
    pub(crate) fn changes(&self) -> &Changes {
        &self.changes
    }

    pub(crate) fn has_read(&self, entries: usize) {
        self.entries_read.fetch_add(entries as u64, Ordering::Relaxed);
    }

    pub(crate) fn entries_read(&self) -> u64 {
        self.entries_read.load(Ordering::Relaxed)
    }

    fn writes(&self) -> u64 {
        self.writes.load(Ordering::Acquire)
    }

    /// Reads from the database and says in words how it is.
    pub async fn examine(&self) -> Result<String> {
        self.examine_file().await?;
        let people: i64 =
            query("SELECT COUNT(*) FROM users WHERE role <> 'removed'", ()).fetch_one(self.read()).await?;
        Ok(format!("{} answers; {people} accounts", self.dialect().name()))
    }

    /// Fails if it does not answer, or takes no writes. While a file is written anew it takes none, and is well.
    pub(crate) async fn try_out(&self) -> Result<()> {
        if let Writers::Sqlite(writer) = &self.writers
            && writer.is_packing()
        {
            return query("SELECT 1 FROM settings WHERE key = ''", ()).exists(self.read()).await.map(drop);
        }
        let mut tx = self.write_uncached().await?;
        query("UPDATE settings SET value = value WHERE key = ''", ()).execute(&mut *tx).await?;
        tx.rollback().await
    }

    /// Looks through the whole of a file.
    async fn examine_file(&self) -> Result<()> {
        if self.dialect() == Dialect::Postgres {
            return Ok(());
        }
        let found: String = query("PRAGMA quick_check(1)", ()).fetch_one(self.read()).await?;
        match found.as_str() {
            "ok" => Ok(()),
            found => Err(Error::Conflict(format!(
                "The database file is damaged ({found}). Stop the hub and put a backup in its place."
            ))),
        }
    }

    /// What the one writer of SQLite has done; nothing with PostgreSQL.
    pub(crate) async fn written(&self) -> Written {
        match &self.writers {
            Writers::Sqlite(writer) => writer.written().await,
            Writers::Postgres(..) => Written::default(),
        }
    }

    pub async fn close(&self) {
        self.readers.close().await;
        match &self.writers {
            Writers::Sqlite(writer) => writer.close().await,
            Writers::Postgres(pool, tasks) => {
                tasks.close(CLOSING).await;
                pool.close().await;
            }
        }
    }
}
