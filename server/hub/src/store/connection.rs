//! A connection of either database, to which one statement goes after another.

use super::group::Member;
use super::lost_answer::Outcomes;
use super::sqlite::{Outcome, Statement};
use futures_util::future::BoxFuture;
use futures_util::stream::{self, BoxStream};
use futures_util::{StreamExt, TryStreamExt};
use sqlx::any::{AnyQueryResult, AnyRow, AnyStatement, AnyTypeInfo};
use sqlx::pool::PoolConnection;
use sqlx::{Any, Either, Error, Execute, Executor, SqlStr};
use tokio::task::coop::consume_budget;

#[derive(Debug)]
pub enum Connection {
    /// The one that writes to SQLite; elsewhere while a statement runs that takes long.
    Sqlite(Option<Member>),
    /// A transaction, and where it is asked what became of it.
    Postgres(sqlx::Transaction<'static, Any>, Outcomes),
    /// One that only reads, of either.
    Reading(PoolConnection<Any>),
}

async fn run(member: &mut Option<Member>, statement: Statement, most: usize) -> Result<Outcome, Error> {
    // Many in a row leave the thread to others now and then.
    consume_budget().await;
    // Whoever hung up in the middle of a statement goes on with nothing.
    let held = member.take().ok_or(Error::WorkerCrashed)?;
    let (held, outcome) = held.run(statement, most).await?;
    *member = Some(held);
    outcome
}

fn affected(Outcome { rows: _, changed }: &Outcome) -> AnyQueryResult {
    AnyQueryResult { rows_affected: *changed, last_insert_id: None }
}

impl<'c> Executor<'c> for &'c mut Connection {
    type Database = Any;

    fn execute<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, Result<AnyQueryResult, Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Any>,
    {
        match self {
            Connection::Sqlite(member) => {
                let statement = Statement::of(query);
                Box::pin(async move { Ok(affected(&run(member, statement?, usize::MAX).await?)) })
            }
            Connection::Postgres(transaction, _) => (&mut **transaction).execute(query),
            Connection::Reading(connection) => (&mut **connection).execute(query),
        }
    }

    fn fetch_many<'e, 'q: 'e, E>(
        self,
        query: E,
    ) -> BoxStream<'e, Result<Either<AnyQueryResult, AnyRow>, Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Any>,
    {
        match self {
            Connection::Sqlite(member) => {
                let statement = Statement::of(query);
                let run = stream::once(async move { run(member, statement?, usize::MAX).await });
                run.map_ok(|outcome| {
                    let end = Either::Left(affected(&outcome));
                    stream::iter(outcome.rows.into_iter().map(Either::Right).chain([end]).map(Ok))
                })
                .try_flatten()
                .boxed()
            }
            Connection::Postgres(transaction, _) => (&mut **transaction).fetch_many(query),
            Connection::Reading(connection) => (&mut **connection).fetch_many(query),
        }
    }

    fn fetch_all<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, Result<Vec<AnyRow>, Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Any>,
    {
        match self {
            Connection::Sqlite(member) => {
                let statement = Statement::of(query);
                Box::pin(async move { Ok(run(member, statement?, usize::MAX).await?.rows) })
            }
            Connection::Postgres(transaction, _) => (&mut **transaction).fetch_all(query),
            Connection::Reading(connection) => (&mut **connection).fetch_all(query),
        }
    }

    fn fetch_optional<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, Result<Option<AnyRow>, Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Any>,
    {
        match self {
            Connection::Sqlite(member) => {
                let statement = Statement::of(query);
                Box::pin(async move { Ok(run(member, statement?, 1).await?.rows.pop()) })
            }
            Connection::Postgres(transaction, _) => (&mut **transaction).fetch_optional(query),
            Connection::Reading(connection) => (&mut **connection).fetch_optional(query),
        }
    }

    fn prepare_with<'e>(
        self,
        text: SqlStr,
        parameters: &'e [AnyTypeInfo],
    ) -> BoxFuture<'e, Result<AnyStatement, Error>>
    where
        'c: 'e,
    {
        match self {
            // A statement is prepared when it is run.
            Connection::Sqlite(_) => Box::pin(async { Err(Error::WorkerCrashed) }),
            Connection::Postgres(transaction, _) => (&mut **transaction).prepare_with(text, parameters),
            Connection::Reading(connection) => (&mut **connection).prepare_with(text, parameters),
        }
    }
}
