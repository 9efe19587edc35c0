//! Whether the way to PostgreSQL leads through a pooler that gives each transaction whichever connection is free
//! (PgBouncer by transaction). What is done to a connection by its name holds for nobody then.

use super::{Dialect, Store, open};
use crate::error::Result;
use sqlx::{AnyConnection, Connection, Executor, Row};

/// Looks: a pooler with many connections gives another one only now and then.
const ROUNDS: usize = 8;
const PROCESS: &str = "SELECT CAST(pg_backend_pid() AS BIGINT)";

impl Store {
    pub(crate) async fn is_behind_pooler(&self) -> Result<bool> {
        if self.dialect() != Dialect::Postgres {
            return Ok(false);
        }
        let pair = open::pair(self.readers.pool(), &self.fence);
        let (mut one, mut other) = (pair.acquire().await?, pair.acquire().await?);
        for _ in 0..ROUNDS {
            let before = process(&mut one).await?;
            let mut transaction = other.begin().await?;
            let held = process(&mut transaction).await?;
            // Two connections at once are two processes of the server, and each keeps its own.
            if held == before {
                return Ok(true);
            }
            let after = process(&mut one).await?;
            transaction.rollback().await?;
            if after != before {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// In one message: what was prepared may not be there when it is asked for.
async fn process(connection: &mut AnyConnection) -> std::result::Result<i64, sqlx::Error> {
    connection.fetch_one(PROCESS).await?.try_get(0)
}
