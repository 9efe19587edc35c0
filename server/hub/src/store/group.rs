//! Group commit for SQLite, whose writes pass one after another through one connection. A transaction that
//! is done while others wait to write leaves the commit to the last of them, so that one flush to the disk
//! serves all. Nobody is told that a write stands before it does, and one that fails takes back only its
//! own: all but the first of a group are savepoints.

use super::sqlite::{Outcome, Sqlite, Statement};
use super::unavailable::Unavailable;
use crate::error::Error;
use crate::tasks::Tasks;
use futures_util::FutureExt;
use rustix::fs::statvfs;
use sqlx::{Any, Row as _};
use std::io::ErrorKind;
use std::mem;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::{Mutex, OwnedMutexGuard, oneshot};
use tokio::task::spawn_blocking;

/// What the last commits may take when the store closes.
pub(super) const CLOSING: Duration = Duration::from_secs(5);
/// How long another process may write to the file, and how often it is looked whether it still does.
const BUSY: Duration = Duration::from_secs(5);
const AGAIN: Duration = Duration::from_millis(2);
/// How long what need not stand at once waits for a commit that it can share.
const SOON: Duration = Duration::from_millis(5);
/// Bytes that one write may need on the disk.
const LARGEST_WRITE: u64 = 64 * 1024 * 1024;
/// Members of one group.
const MAX_GROUP_MEMBERS: usize = 64;

type Then = Box<dyn FnOnce() + Send>;
type CommitResult = std::result::Result<(), Arc<sqlx::Error>>;

/// The one writer. Who wants to write queues for the lock, and who commits for a group queues behind them.
#[derive(Clone, Debug)]
pub(super) struct Writer {
    open: Arc<Mutex<Open>>,
    file: Option<Arc<Path>>,
    /// Who has the file written anew.
    packs: Arc<Mutex<()>>,
    is_packing: Arc<AtomicBool>,
    tasks: Tasks,
}

/// For as long as the file is written anew.
struct Packing(Arc<AtomicBool>);

/// The connection, and the transaction of the database that a group shares.
struct Open {
    /// Until the store closes.
    sqlite: Option<Sqlite>,
    /// Who has written in it, in their order.
    waiting: Vec<Waiting>,
    /// Somebody is on the way to commit for them.
    is_called: bool,
    commits: u64,
}

/// What the writer of SQLite has done: what tests hold budgets to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Those that begin and end transactions among them.
    pub statements: u64,
    /// Each is a flush to the disk.
    pub commits: u64,
}

struct Waiting {
    then: Then,
    done: oneshot::Sender<CommitResult>,
}

/// One of a group, while it writes.
#[derive(Debug)]
pub struct Member {
    writer: Writer,
    /// Taken when it is done.
    open: Option<OwnedMutexGuard<Open>>,
}

impl Writer {
    pub(super) fn new(sqlite: Sqlite) -> Self {
        let file = sqlite.file().map(Arc::from);
        let open = Open { sqlite: Some(sqlite), waiting: Vec::new(), is_called: false, commits: 0 };
        Self {
            open: Arc::new(Mutex::new(open)),
            file,
            packs: Arc::default(),
            is_packing: Arc::default(),
            tasks: Tasks::default(),
        }
    }

    pub(super) async fn begin(&self) -> Result<Member, sqlx::Error> {
        let open = Arc::clone(&self.open).lock_owned().await;
        let how = if open.waiting.is_empty() { "BEGIN IMMEDIATE" } else { "SAVEPOINT member" };
        // From here on it is taken back also when nobody waits for the answer any more.
        let mut member = Member { writer: self.clone(), open: Some(open) };
        let asked = Instant::now();
        loop {
            match member.open().say(how) {
                // A command beside the hub.
                Err(error)
                    if Unavailable::of(&error) == Some(Unavailable::Busy) && asked.elapsed() < BUSY =>
                {
                    tokio::time::sleep(AGAIN).await;
                }
                done => return done.map(|()| member),
            }
        }
    }

    pub(super) async fn written(&self) -> Written {
        let open = self.open.lock().await;
        let statements = open.sqlite.as_ref().map_or(0, Sqlite::statements);
        Written { statements, commits: open.commits }
    }

    /// Ends after what is under way.
    pub(super) async fn close(&self) {
        if let Some(mut open) = commit(Arc::clone(&self.open).lock_owned().await).await {
            // It takes in what was written beside the file.
            spawn_blocking(move || open.sqlite = None).await.ok();
        }
        self.tasks.close(CLOSING).await;
    }

    /// One after the other has it written anew.
    pub(super) async fn turn_to_pack(&self) -> OwnedMutexGuard<()> {
        Arc::clone(&self.packs).lock_owned().await
    }

    /// Writes the file anew, without what was deleted. Nobody writes meanwhile.
    pub(super) async fn pack(&self) -> Result<(), sqlx::Error> {
        // Whoever comes from now on waits for it.
        let packing = Packing::begun(&self.is_packing);
        let open = commit(Arc::clone(&self.open).lock_owned().await).await;
        let mut open = open.ok_or(sqlx::Error::WorkerCrashed)?;
        let writing = spawn_blocking(move || {
            let _packing = packing;
            open.say("VACUUM")
        });
        writing.await.map_err(|_| sqlx::Error::WorkerCrashed)?
    }

    /// Takes in what was written beside the file, and leaves nothing there. `false`: somebody reads it. Asked for over
    /// this connection, which waits for nobody: another would keep those who write waiting for who reads.
    pub(super) async fn take_in_log(&self) -> Result<bool, sqlx::Error> {
        let statement = Statement::of(sqlx::query::<Any>("PRAGMA wal_checkpoint(TRUNCATE)"))?;
        let packing = Packing::begun(&self.is_packing);
        let open = commit(Arc::clone(&self.open).lock_owned().await).await;
        let mut open = open.ok_or(sqlx::Error::WorkerCrashed)?;
        let taking = spawn_blocking(move || {
            let _packing = packing;
            open.sqlite()?.run(&statement, 1)
        });
        let outcome = taking.await.map_err(|_| sqlx::Error::WorkerCrashed)??;
        Ok(outcome.rows.first().is_some_and(|busy| busy.get::<i64, _>(0) == 0))
    }

    pub(super) fn is_packing(&self) -> bool {
        self.is_packing.load(Ordering::Relaxed)
    }

    /// Bytes that are free on the disk of the file.
    pub(super) fn free(&self) -> Option<u64> {
        free(self.file.as_deref()?)
    }

    /// Commits for those who have written, after those who wait to write.
    fn call(&self) {
        let open = Arc::clone(&self.open);
        self.tasks.spawn(async move { drop(commit(open.lock_owned().await).await) });
    }

    /// The same, if nobody has done so within a moment.
    fn call_soon(&self, commits: u64) {
        let writer = self.clone();
        self.tasks.spawn(async move {
            tokio::select! {
                () = tokio::time::sleep(SOON) => {}
                () = writer.tasks.closing() => {}
            }
            let mut open = writer.open.lock().await;
            if open.commits == commits && !open.waiting.is_empty() && !mem::replace(&mut open.is_called, true)
            {
                drop(open);
                writer.call();
            }
        });
    }
}

impl Packing {
    fn begun(flag: &Arc<AtomicBool>) -> Self {
        flag.store(true, Ordering::Relaxed);
        Self(Arc::clone(flag))
    }
}

impl Drop for Packing {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

impl Member {
    fn open(&mut self) -> &mut Open {
        self.open.as_mut().expect("a member that is done writes no more")
    }

    /// Gives itself back, with what the statement came to.
    pub(super) async fn run(
        mut self,
        statement: Statement,
        most: usize,
    ) -> Result<(Self, Result<Outcome, sqlx::Error>), sqlx::Error> {
        let sqlite = self.open().sqlite()?;
        if !sqlite.is_long(&statement) {
            let outcome = sqlite.run(&statement, most);
            return Ok((self, outcome));
        }
        // Where nobody waits for it any more, the member is dropped when the statement is done.
        let running = spawn_blocking(move || {
            let outcome = self.open().sqlite().and_then(|sqlite| sqlite.run(&statement, most));
            (self, outcome)
        });
        running.await.map_err(|_| sqlx::Error::WorkerCrashed)
    }

    pub(super) async fn commit(self, then: Then) -> Result<(), Error> {
        let told = self.end(then, false)?;
        Ok(told.await.unwrap_or_else(|_| Err(lost()))?)
    }

    /// Who writes next sees it when it returns. The disk has it with the next commit, and soon in any case.
    pub(super) fn commit_soon(self, then: Then) {
        self.end(then, true).ok();
    }

    /// Leaves its writes to its group, and sees to it that somebody commits, whoever hangs up.
    fn end(
        mut self,
        then: Then,
        may_wait: bool,
    ) -> Result<oneshot::Receiver<CommitResult>, Arc<sqlx::Error>> {
        let mut open = self.open.take().expect("a member ends once");
        if !open.waiting.is_empty()
            && let Err(error) = open.say("RELEASE member")
        {
            return Err(open.fail(error));
        }
        let (done, told) = oneshot::channel();
        open.waiting.push(Waiting { then, done });
        if open.waiting.len() >= MAX_GROUP_MEMBERS {
            self.writer.tasks.spawn(commit(open).map(drop));
        } else if may_wait {
            // Who waited already sees to it for all.
            let (is_first, commits) = (open.waiting.len() == 1, open.commits);
            drop(open);
            if is_first {
                self.writer.call_soon(commits);
            }
        } else if !mem::replace(&mut open.is_called, true) {
            drop(open);
            self.writer.call();
        }
        Ok(told)
    }

    /// What others of the group wrote before stands when it returns.
    pub(super) async fn rollback(mut self) -> Result<(), Error> {
        let mut open = self.open.take().expect("a member ends once");
        open.take_back();
        if open.waiting.is_empty() {
            return Ok(());
        }
        self.writer.tasks.complete(commit(open).map(drop)).await
    }
}

/// Commits what a group wrote, on a thread that may wait for the disk, and tells it.
async fn commit(mut open: OwnedMutexGuard<Open>) -> Option<OwnedMutexGuard<Open>> {
    if open.waiting.is_empty() {
        return Some(open);
    }
    let committing = spawn_blocking(move || {
        let said = open.say("COMMIT");
        (open, said)
    });
    let (mut open, said) = committing.await.ok()?;
    open.tell(said);
    Some(open)
}

impl Drop for Member {
    fn drop(&mut self) {
        if let Some(mut open) = self.open.take() {
            open.take_back();
        }
    }
}

impl Open {
    fn sqlite(&mut self) -> Result<&mut Sqlite, sqlx::Error> {
        self.sqlite.as_mut().ok_or(sqlx::Error::PoolClosed)
    }

    fn say(&mut self, statement: &'static str) -> Result<(), sqlx::Error> {
        self.sqlite()?.say(statement)
    }

    /// Takes back what the member wrote that has it.
    fn take_back(&mut self) {
        if self.waiting.is_empty() {
            // Where nothing was begun there is nothing to take back.
            self.say("ROLLBACK").ok();
            self.next();
            return;
        }
        for statement in ["ROLLBACK TO member", "RELEASE member"] {
            if self.say(statement).is_err() {
                let cause = self.cause();
                self.fail(cause);
                return;
            }
        }
    }

    /// Tells the group what came of its commit.
    fn tell(&mut self, said: Result<(), sqlx::Error>) {
        if let Err(error) = said {
            self.fail(error);
            return;
        }
        self.commits += 1;
        for Waiting { then, done } in self.next() {
            then();
            // Whoever hung up does not need to know.
            done.send(Ok(())).ok();
        }
    }

    /// Why the database took back a whole group when one of it failed: for want of room, or it does not say.
    fn cause(&self) -> sqlx::Error {
        let Some(sqlite) = &self.sqlite else { return sqlx::Error::PoolClosed };
        match sqlite.file().and_then(free) {
            Some(free) if free < LARGEST_WRITE => sqlx::Error::Io(ErrorKind::StorageFull.into()),
            _ => sqlx::Error::WorkerCrashed,
        }
    }

    /// The whole group is taken back: the database gave up its transaction.
    fn fail(&mut self, error: sqlx::Error) -> Arc<sqlx::Error> {
        let error = Arc::new(error);
        self.say("ROLLBACK").ok();
        for Waiting { done, .. } in self.next() {
            done.send(Err(Arc::clone(&error))).ok();
        }
        error
    }

    fn next(&mut self) -> Vec<Waiting> {
        self.is_called = false;
        mem::take(&mut self.waiting)
    }
}

impl std::fmt::Debug for Open {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Open").field("commits", &self.commits).finish_non_exhaustive()
    }
}

fn free(file: &Path) -> Option<u64> {
    let disk = statvfs(file).ok()?;
    Some(disk.f_bavail * disk.f_frsize)
}

fn lost() -> Arc<sqlx::Error> {
    Arc::new(sqlx::Error::WorkerCrashed)
}
