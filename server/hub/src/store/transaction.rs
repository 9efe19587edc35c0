//! A transaction that may write, the same for both databases.

use super::changes::Changes;
use super::connection::Connection;
use super::group::Member;
use super::lost_answer::Outcomes;
use crate::error::Result;
use protocol::UserId;
use protocol::hub::Noun;
use sqlx::{Any, Error};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Dropped without a commit it writes nothing.
pub struct Transaction {
    /// With SQLite it may share its commit with others.
    of: Connection,
    /// Counts its commit.
    counter: Option<Arc<AtomicU64>>,
    /// What its commit changes for whom, and where that is noted then.
    changed: Vec<(UserId, Noun)>,
    changes: Arc<Changes>,
}

impl Transaction {
    pub(super) fn sqlite(member: Member, changes: Arc<Changes>) -> Self {
        Self::of(Connection::Sqlite(Some(member)), changes)
    }

    pub(super) fn postgres(
        transaction: sqlx::Transaction<'static, Any>,
        outcomes: Outcomes,
        changes: Arc<Changes>,
    ) -> Self {
        Self::of(Connection::Postgres(transaction, outcomes), changes)
    }

    fn of(connection: Connection, changes: Arc<Changes>) -> Self {
        Self { of: connection, counter: None, changed: Vec::new(), changes }
    }

    pub(super) fn counted(self, counter: Arc<AtomicU64>) -> Self {
        Self { counter: Some(counter), ..self }
    }

    /// Once it is committed, the pages of this person are told that something of this noun is other than it was.
    pub(crate) fn changes(&mut self, person: &UserId, noun: Noun) {
        let is_known = self.changed.iter().any(|(of, changed)| of == person && *changed == noun);
        if !is_known {
            self.changed.push((person.clone(), noun));
        }
    }

    /// When it returns, what was written is on the disk. It gets there also if nobody waits for it any more. When it
    /// fails, nothing was written, so that whoever tries again does nothing twice.
    pub async fn commit(self) -> Result<()> {
        self.commit_then(|| {}).await
    }

    /// The same, and then does something: for transactions that share a commit in the order in which they
    /// wrote.
    pub async fn commit_then(self, then: impl FnOnce() + Send + 'static) -> Result<()> {
        let Self { of, counter, changed, changes } = self;
        let then = move || {
            count(counter);
            then();
            note(changed, &changes);
        };
        match of {
            Connection::Sqlite(member) => kept(member)?.commit(Box::new(then)).await?,
            Connection::Postgres(transaction, outcomes) => {
                outcomes.commit(transaction).await?;
                then();
            }
            Connection::Reading(_) => {}
        }
        Ok(())
    }

    /// For what a crash may take back: whoever writes next sees it when it returns, and the disk has it a
    /// moment later.
    pub(crate) async fn commit_soon(self) -> Result<()> {
        let Self { of, counter, changed, changes } = self;
        let then = move || {
            count(counter);
            note(changed, &changes);
        };
        match of {
            Connection::Sqlite(member) => kept(member)?.commit_soon(Box::new(then)),
            Connection::Postgres(transaction, outcomes) => {
                outcomes.commit(transaction).await?;
                then();
            }
            Connection::Reading(_) => {}
        }
        Ok(())
    }

    /// Takes everything back. When it returns, what others wrote before it, and it saw, is there for all who read.
    pub async fn rollback(self) -> Result<()> {
        match self.of {
            Connection::Sqlite(member) => kept(member)?.rollback().await?,
            Connection::Postgres(transaction, _) => transaction.rollback().await?,
            Connection::Reading(_) => {}
        }
        Ok(())
    }
}

fn count(counter: Option<Arc<AtomicU64>>) {
    if let Some(counter) = counter {
        counter.fetch_add(1, Ordering::Release);
    }
}

fn note(changed: Vec<(UserId, Noun)>, changes: &Changes) {
    for (person, noun) in changed {
        changes.note(person, noun);
    }
}

/// What was lost with a statement that nobody waited for was taken back.
fn kept(member: Option<Member>) -> Result<Member> {
    Ok(member.ok_or(Error::WorkerCrashed)?)
}

impl Deref for Transaction {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.of
    }
}

impl DerefMut for Transaction {
    fn deref_mut(&mut self) -> &mut Connection {
        &mut self.of
    }
}
