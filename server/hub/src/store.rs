//! The pools and transactions. Statements stand with the nouns that need them: one SQL text for
//! SQLite and PostgreSQL, and a [`Dialect`] for what differs.

mod dialect;
mod open;

pub use dialect::Dialect;
pub use open::OpenError;

use crate::error::Result;
use sqlx::AnyPool;
use sqlx::{Any, Transaction};

pub type Row = sqlx::any::AnyRow;

#[derive(Clone, Debug)]
pub struct Store {
    readers: AnyPool,
    /// With SQLite a single connection: its one writer queues here instead of failing on a lock.
    writer: AnyPool,
    dialect: Dialect,
}

impl Store {
    /// For statements that only read.
    pub fn read(&self) -> &AnyPool {
        &self.readers
    }

    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Begins a transaction that may write. Commit it; a dropped one rolls back.
    pub async fn write(&self) -> Result<Transaction<'static, Any>> {
        Ok(self.writer.begin_with(self.dialect.begin()).await?)
    }

    /// Reads from the database and says in words how it is.
    pub async fn examine(&self) -> Result<String> {
        let row = sqlx::query("SELECT COUNT(*) FROM users WHERE role <> 'removed'")
            .fetch_one(&self.readers)
            .await?;
        let people: i64 = sqlx::Row::try_get(&row, 0)?;
        Ok(format!("{} answers; {people} accounts", self.dialect.name()))
    }

    pub async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
    }
}
