//! A commit to PostgreSQL whose answer is lost: the connection ended, and nobody said whether the transaction had been
//! written. Its number, which is asked for before the commit, tells.

use super::fence::Fence;
use super::unavailable::Unavailable;
use sqlx::{Any, AnyPool, Error, Row, Transaction};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{sleep, timeout};

/// For how long the database is asked what became of a commit. After that nobody knows, and it is told as one that
/// failed.
const LONGEST: Duration = Duration::from_secs(120);
/// Between two times.
const PAUSE: Duration = Duration::from_millis(100);

/// Where it is asked what became of a commit.
#[derive(Clone, Debug)]
pub struct Outcomes {
    pub(super) pool: AnyPool,
    pub(super) fence: Arc<Fence>,
}

impl Outcomes {
    /// Commits, and fails only if nothing was written. Who does not want to wait for a database that is away hangs up.
    pub(super) async fn commit(&self, mut transaction: Transaction<'static, Any>) -> Result<(), Error> {
        // It has none if it wrote nothing.
        let number: Option<String> =
            sqlx::query::<Any>("SELECT CAST(pg_current_xact_id_if_assigned() AS TEXT)")
                .fetch_one(&mut *transaction)
                .await?
                .try_get(0)?;
        let Err(error) = transaction.commit().await else { return Ok(()) };
        let Some(number) = number.filter(|_| is_lost(&error)) else { return Err(error) };
        let was_written = tokio::select! {
            biased;
            // Whoever has taken over knows, and nobody here may ask any more.
            () = self.fence.replaced().cancelled() => None,
            was_written = timeout(LONGEST, self.was_written(&number)) => was_written.ok().flatten(),
        };
        match was_written {
            Some(true) => Ok(()),
            Some(false) => Err(error),
            None => {
                tracing::error!("nobody knows whether transaction {number} was written");
                Err(error)
            }
        }
    }

    /// `None`: the database does not know it, or is not asked any more.
    async fn was_written(&self, number: &str) -> Option<bool> {
        loop {
            match self.status(number).await {
                Ok(Some(status)) if status == "committed" => return Some(true),
                Ok(Some(status)) if status == "aborted" => return Some(false),
                // Whoever serves the lost connection has not come to its end.
                Ok(Some(_)) => {}
                Ok(None) => return None,
                Err(error) if is_lost(&error) && !self.pool.is_closed() => {}
                Err(_) => return None,
            }
            sleep(PAUSE).await;
        }
    }

    async fn status(&self, number: &str) -> Result<Option<String>, Error> {
        let mut connection = self.pool.acquire().await?;
        sqlx::query::<Any>("SELECT pg_xact_status(CAST(CAST($1 AS TEXT) AS xid8))")
            .bind(number.to_owned())
            .fetch_one(&mut *connection)
            .await?
            .try_get(0)
    }
}

/// Whether the database said nothing of the commit, or that it goes.
fn is_lost(error: &Error) -> bool {
    Unavailable::of(error) == Some(Unavailable::Silent)
}
