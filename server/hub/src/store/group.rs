//! Group commit for SQLite, whose writes pass one after another through one connection. A transaction that
//! is done while others wait to write leaves the commit to the last of them, so that one flush to the disk
//! serves all. Nobody is told that a write stands before it does, and one that fails takes back only its
//! own: all but the first of a group are savepoints.

use crate::error::Error;
use crate::tasks::Tasks;
use futures_util::FutureExt;
use rustix::fs::statvfs;
use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyConnection, AnyPool};
use std::io::ErrorKind;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Mutex, OwnedMutexGuard, oneshot};

/// What the last commits may take when the store closes.
const CLOSING: Duration = Duration::from_secs(5);
/// Bytes that one write may need on the disk.
const LARGEST_WRITE: u64 = 64 * 1024 * 1024;
/// Members of one group.
const MAX_GROUP_MEMBERS: usize = 64;

type Then = Box<dyn FnOnce() + Send>;
type CommitResult = std::result::Result<(), Arc<sqlx::Error>>;

/// The one writer. Who wants to write queues for the lock, and who wants to commit queues behind them.
#[derive(Clone, Debug)]
pub(super) struct Writer {
    pool: AnyPool,
    open: Arc<Mutex<Open>>,
    tasks: Tasks,
}

/// The connection, and the transaction of the database that a group shares.
#[derive(Default)]
struct Open {
    /// Kept from the first write to the end.
    connection: Option<PoolConnection<Any>>,
    /// Who has written in it, in their order.
    waiting: Vec<Waiting>,
    /// Counts groups.
    number: u64,
}

struct Waiting {
    then: Then,
    done: oneshot::Sender<CommitResult>,
}

/// One of a group, while it writes.
pub(super) struct Member {
    writer: Writer,
    /// Taken when it is done.
    open: Option<OwnedMutexGuard<Open>>,
}

impl Writer {
    /// `pool` has a single connection.
    pub(super) fn new(pool: AnyPool) -> Self {
        Self { pool, open: Arc::default(), tasks: Tasks::default() }
    }

    pub(super) async fn begin(&self) -> Result<Member, sqlx::Error> {
        let mut open = Arc::clone(&self.open).lock_owned().await;
        if open.connection.is_none() {
            open.connection = Some(self.pool.acquire().await?);
        }
        let how = if open.waiting.is_empty() { "BEGIN IMMEDIATE" } else { "SAVEPOINT member" };
        // From here on it is taken back also when nobody waits for the answer any more.
        let mut member = Member { writer: self.clone(), open: Some(open) };
        sqlx::query(how).execute(member.connection_mut()).await?;
        Ok(member)
    }

    #[cfg(test)]
    pub(super) async fn groups(&self) -> u64 {
        self.open.lock().await.number
    }

    /// Ends after what is under way.
    pub(super) async fn close(&self) {
        let mut open = self.open.lock().await;
        open.commit().await;
        open.connection = None;
        drop(open);
        self.pool.close().await;
        self.tasks.close(CLOSING).await;
    }
}

impl Member {
    pub(super) fn connection(&self) -> &AnyConnection {
        self.open.as_ref().and_then(|open| open.connection.as_deref()).expect("a member writes in a group")
    }

    pub(super) fn connection_mut(&mut self) -> &mut AnyConnection {
        let open = self.open.as_mut().expect("a member that is done writes no more");
        open.connection.as_deref_mut().expect("a member writes in a group")
    }

    pub(super) async fn commit(mut self, then: Then) -> Result<(), Error> {
        let open = self.open.take().expect("a member ends once");
        // It goes on when whoever asked hangs up.
        let tasks = self.writer.tasks.clone();
        Ok(tasks.complete(end(self.writer.clone(), open, then)).await??)
    }

    /// Who writes next sees it when it returns, and the disk has it soon.
    pub(super) fn commit_soon(mut self, then: Then) {
        let open = self.open.take().expect("a member ends once");
        self.writer.tasks.spawn(end(self.writer.clone(), open, then).map(drop));
    }

    /// What others of the group wrote before stands when it returns.
    pub(super) async fn rollback(mut self) -> Result<(), Error> {
        let mut open = self.open.take().expect("a member ends once");
        let tasks = self.writer.tasks.clone();
        let ended = tasks.complete(async move {
            take_back(&mut open).await;
            open.commit().await;
        });
        ended.await
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        let Some(mut open) = self.open.take() else { return };
        // Where no task begins any more, the database takes back what was not committed.
        self.writer.tasks.spawn(async move { take_back(&mut open).await });
    }
}

/// Leaves the member's writes to its group, and sees to it that the group commits.
async fn end(writer: Writer, mut open: OwnedMutexGuard<Open>, then: Then) -> CommitResult {
    if !open.waiting.is_empty()
        && let Err(error) = open.say("RELEASE member").await
    {
        return Err(open.fail(error).await);
    }
    let (done, mut told) = oneshot::channel();
    open.waiting.push(Waiting { then, done });
    if open.waiting.len() >= MAX_GROUP_MEMBERS {
        open.commit().await;
    }
    let number = open.number;
    drop(open);
    tokio::select! {
        biased;
        answer = &mut told => return answer.unwrap_or_else(|_| Err(lost())),
        mut open = writer.open.lock() => {
            if open.number == number {
                open.commit().await;
            }
        }
    }
    told.await.unwrap_or_else(|_| Err(lost()))
}

async fn take_back(open: &mut Open) {
    if open.waiting.is_empty() {
        // Where nothing was begun there is nothing to take back.
        open.say("ROLLBACK").await.ok();
        open.next();
        return;
    }
    for statement in ["ROLLBACK TO member", "RELEASE member"] {
        if open.say(statement).await.is_err() {
            let cause = open.cause().await;
            open.fail(cause).await;
            return;
        }
    }
}

impl Open {
    async fn say(&mut self, statement: &'static str) -> Result<(), sqlx::Error> {
        let connection = self.connection.as_deref_mut().ok_or(sqlx::Error::PoolClosed)?;
        sqlx::query(statement).execute(connection).await?;
        Ok(())
    }

    /// Commits what the group wrote, and tells it.
    async fn commit(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        if let Err(error) = self.say("COMMIT").await {
            self.fail(error).await;
            return;
        }
        for Waiting { then, done } in self.next() {
            then();
            // Whoever hung up does not need to know.
            done.send(Ok(())).ok();
        }
    }

    /// Why the database took back a whole group when one of it failed: for want of room, or it does not say.
    async fn cause(&mut self) -> sqlx::Error {
        let Some(connection) = self.connection.as_deref_mut() else { return sqlx::Error::PoolClosed };
        let file = sqlx::query_scalar("SELECT file FROM pragma_database_list WHERE name = 'main'");
        let file: Result<String, _> = file.fetch_one(connection).await;
        match file.ok().and_then(|file| statvfs(&*file).ok()) {
            Some(disk) if disk.f_bavail * disk.f_frsize < LARGEST_WRITE => {
                sqlx::Error::Io(ErrorKind::StorageFull.into())
            }
            _ => sqlx::Error::WorkerCrashed,
        }
    }

    /// The whole group is taken back: the database gave up its transaction.
    async fn fail(&mut self, error: sqlx::Error) -> Arc<sqlx::Error> {
        let error = Arc::new(error);
        self.say("ROLLBACK").await.ok();
        for Waiting { done, .. } in self.next() {
            done.send(Err(Arc::clone(&error))).ok();
        }
        error
    }

    fn next(&mut self) -> Vec<Waiting> {
        self.number += 1;
        std::mem::take(&mut self.waiting)
    }
}

impl std::fmt::Debug for Open {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Open").field("number", &self.number).finish_non_exhaustive()
    }
}

fn lost() -> Arc<sqlx::Error> {
    Arc::new(sqlx::Error::WorkerCrashed)
}
