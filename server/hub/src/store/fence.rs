//! Keeps a process that others have replaced from writing. Its connections to PostgreSQL bear its name, so that the
//! others can end them, and a new one is refused by itself.

use crate::clock::new_id;
use sqlx::{Any, AnyConnection, Row};
use std::sync::atomic::{AtomicBool, Ordering};
use tokio_util::sync::CancellationToken;

/// In front of the name of a process, in the name of its connections.
pub(crate) const CONNECTIONS_OF: &str = "vivarium ";

#[derive(Debug)]
pub(crate) struct Fence {
    /// The name of this process among those that have the same database, and had it before.
    pub(super) process: String,
    /// It is one of several.
    has_joined: AtomicBool,
    replaced: CancellationToken,
}

impl Default for Fence {
    fn default() -> Self {
        Self { process: new_id(), has_joined: AtomicBool::new(false), replaced: CancellationToken::new() }
    }
}

impl Fence {
    pub(crate) fn join(&self) {
        self.has_joined.store(true, Ordering::SeqCst);
    }

    /// The others have taken over.
    pub(crate) fn be_replaced(&self) {
        self.replaced.cancel();
    }

    pub(crate) fn replaced(&self) -> &CancellationToken {
        &self.replaced
    }

    /// Names a new connection, and refuses it if this process was replaced.
    pub(super) async fn set_up(&self, connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
        let name = format!("{CONNECTIONS_OF}{}", self.process);
        sqlx::query::<Any>("SELECT set_config('application_name', $1, false)")
            .bind(name)
            .execute(&mut *connection)
            .await?;
        if !self.has_joined.load(Ordering::SeqCst) {
            return Ok(());
        }
        let is_there = sqlx::query::<Any>("SELECT COUNT(*) FROM nodes WHERE id = $1 AND alive_until >= 0")
            .bind(self.process.clone())
            .fetch_one(connection)
            .await?;
        if is_there.try_get::<i64, _>(0)? == 0 {
            self.be_replaced();
            return Err(sqlx::Error::PoolClosed);
        }
        Ok(())
    }
}
