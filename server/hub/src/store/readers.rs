//! Reading. With SQLite most reads take less time than waking the thread of a connection, so a short one runs on
//! the thread that asks, over a connection that is kept near for that. What takes long is broken off there and goes
//! over the pool, whose connections have threads of their own, and so does what is read row by row.

use super::sqlite::{Deadline, Outcome, Sqlite, Statement, is_broken_off};
use super::unavailable::Unavailable;
use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;
use sqlx::any::{AnyArguments, AnyQueryResult, AnyRow, AnyStatement, AnyTypeInfo};
use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyPool, Either, Error, Execute, Executor, SqlStr};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};
use tokio::task::coop::consume_budget;

/// A read that takes longer keeps a thread from what else it has to do.
const SHORT: Duration = Duration::from_millis(1);
/// Reads of one text that go over the pool after a long one.
const AWAY: u32 = 64;
/// Texts that are remembered as long.
const MAX_LONG: usize = 512;

/// Statements that only read go to it.
#[derive(Debug)]
pub struct Readers {
    pool: AnyPool,
    /// None with PostgreSQL, and empty once the store is closed.
    near: Vec<Mutex<Near>>,
    /// How often a text still goes over the pool.
    long: Mutex<HashMap<String, u32>>,
}

impl Readers {
    pub(super) fn new(pool: AnyPool, near: Vec<(Sqlite, Deadline)>) -> Self {
        Self { pool, near: near.into_iter().map(Some).map(Mutex::new).collect(), long: Mutex::default() }
    }

    pub(super) fn pool(&self) -> &AnyPool {
        &self.pool
    }

    pub(super) async fn acquire(&self) -> Result<PoolConnection<Any>, Error> {
        self.pool.acquire().await
    }

    pub(super) async fn close(&self) {
        for near in &self.near {
            near.lock().unwrap_or_else(PoisonError::into_inner).take();
        }
        self.pool.close().await;
    }

    /// What it came to, or the statement again, where it is not to be run here.
    fn try_near(&self, statement: Statement, most: usize) -> Result<Result<Outcome, Error>, Statement> {
        if self.near.is_empty() || self.is_away(statement.text()) {
            return Err(statement);
        }
        let Some(mut free) = self.near.iter().find_map(free) else { return Err(statement) };
        let Some((sqlite, deadline)) = free.as_mut() else { return Err(statement) };
        deadline.set(Instant::now() + SHORT);
        let outcome = sqlite.run(&statement, most);
        drop(free);
        match outcome {
            Err(error) if is_broken_off(&error) => {
                self.send_away(statement.text());
                Err(statement)
            }
            // The pool waits for it.
            Err(error) if Unavailable::of(&error) == Some(Unavailable::Busy) => Err(statement),
            outcome => Ok(outcome),
        }
    }

    fn is_away(&self, text: &str) -> bool {
        let mut long = self.long();
        let Some(left) = long.get_mut(text) else { return false };
        *left -= 1;
        if *left == 0 {
            long.remove(text);
        }
        true
    }

    fn send_away(&self, text: &str) {
        let mut long = self.long();
        if long.len() < MAX_LONG {
            long.insert(text.to_owned(), AWAY);
        }
    }

    #[cfg(test)]
    pub(super) fn is_known_as_long(&self, text: &str) -> bool {
        self.long().contains_key(text)
    }

    fn long(&self) -> MutexGuard<'_, HashMap<String, u32>> {
        self.long.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

type Near = Option<(Sqlite, Deadline)>;

fn free(near: &Mutex<Near>) -> Option<MutexGuard<'_, Near>> {
    match near.try_lock() {
        Ok(free) => Some(free),
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

fn query(statement: Statement) -> sqlx::query::Query<'static, Any, AnyArguments> {
    let (text, arguments) = statement.into_parts();
    sqlx::query_with(text, arguments)
}

impl<'c> Executor<'c> for &'c Readers {
    type Database = Any;

    fn fetch_many<'e, 'q: 'e, E>(
        self,
        query: E,
    ) -> BoxStream<'e, Result<Either<AnyQueryResult, AnyRow>, Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Any>,
    {
        self.pool.fetch_many(query)
    }

    fn fetch_all<'e, 'q: 'e, E>(self, asked: E) -> BoxFuture<'e, Result<Vec<AnyRow>, Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Any>,
    {
        let statement = Statement::of(asked);
        Box::pin(async move {
            consume_budget().await;
            match self.try_near(statement?, usize::MAX) {
                Ok(outcome) => Ok(outcome?.rows),
                Err(statement) => self.pool.fetch_all(query(statement)).await,
            }
        })
    }

    fn fetch_optional<'e, 'q: 'e, E>(self, asked: E) -> BoxFuture<'e, Result<Option<AnyRow>, Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Any>,
    {
        let statement = Statement::of(asked);
        Box::pin(async move {
            consume_budget().await;
            match self.try_near(statement?, 1) {
                Ok(outcome) => Ok(outcome?.rows.pop()),
                Err(statement) => self.pool.fetch_optional(query(statement)).await,
            }
        })
    }

    fn prepare_with<'e>(
        self,
        text: SqlStr,
        parameters: &'e [AnyTypeInfo],
    ) -> BoxFuture<'e, Result<AnyStatement, Error>>
    where
        'c: 'e,
    {
        self.pool.prepare_with(text, parameters)
    }
}
