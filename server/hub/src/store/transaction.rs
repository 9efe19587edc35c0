//! A transaction that may write, the same for both databases.

use super::group::Member;
use crate::error::Result;
use sqlx::{Any, AnyConnection};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Dropped without a commit it writes nothing.
pub struct Transaction {
    of: Backend,
    /// Counts its commit.
    counter: Option<Arc<AtomicU64>>,
}

enum Backend {
    /// With SQLite it may share its commit with others.
    Sqlite(Member),
    Postgres(sqlx::Transaction<'static, Any>),
}

impl Transaction {
    pub(super) fn sqlite(member: Member) -> Self {
        Self { of: Backend::Sqlite(member), counter: None }
    }

    pub(super) fn postgres(transaction: sqlx::Transaction<'static, Any>) -> Self {
        Self { of: Backend::Postgres(transaction), counter: None }
    }

    pub(super) fn counted(self, counter: Arc<AtomicU64>) -> Self {
        Self { counter: Some(counter), ..self }
    }

    /// When it returns, what was written is on the disk. It gets there also if nobody waits for it any more.
    pub async fn commit(self) -> Result<()> {
        self.commit_then(|| {}).await
    }

    /// The same, and then does something: for transactions that share a commit in the order in which they
    /// wrote.
    pub async fn commit_then(self, then: impl FnOnce() + Send + 'static) -> Result<()> {
        let Self { of, counter } = self;
        let then = move || {
            count(counter);
            then();
        };
        match of {
            Backend::Sqlite(member) => member.commit(Box::new(then)).await?,
            Backend::Postgres(transaction) => {
                transaction.commit().await?;
                then();
            }
        }
        Ok(())
    }

    /// For what a crash may take back: whoever writes next sees it when it returns, and the disk has it a
    /// moment later.
    pub(crate) async fn commit_soon(self) -> Result<()> {
        let Self { of, counter } = self;
        match of {
            Backend::Sqlite(member) => member.commit_soon(Box::new(move || count(counter))),
            Backend::Postgres(transaction) => {
                transaction.commit().await?;
                count(counter);
            }
        }
        Ok(())
    }

    /// Takes everything back. When it returns, what others wrote before it, and it saw, is there for all who read.
    pub async fn rollback(self) -> Result<()> {
        match self.of {
            Backend::Sqlite(member) => member.rollback().await?,
            Backend::Postgres(transaction) => transaction.rollback().await?,
        }
        Ok(())
    }
}

fn count(counter: Option<Arc<AtomicU64>>) {
    if let Some(counter) = counter {
        counter.fetch_add(1, Ordering::Release);
    }
}

impl Deref for Transaction {
    type Target = AnyConnection;

    fn deref(&self) -> &AnyConnection {
        match &self.of {
            Backend::Sqlite(member) => member.connection(),
            Backend::Postgres(transaction) => transaction,
        }
    }
}

impl DerefMut for Transaction {
    fn deref_mut(&mut self) -> &mut AnyConnection {
        match &mut self.of {
            Backend::Sqlite(member) => member.connection_mut(),
            Backend::Postgres(transaction) => transaction,
        }
    }
}
