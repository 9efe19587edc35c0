//! How the database is: what it is, how much it holds, and how far its schema is.

use super::{Dialect, Store, newest_migration, query, slow};
use crate::error::{Error, Result};
use crate::slowness::Lately;
use protocol::view::{DatabaseStatus, SlowStatement};

impl Store {
    pub(crate) async fn status(&self) -> Result<DatabaseStatus> {
        let Lately { count, longest } = slow::lately();
        Ok(DatabaseStatus {
            slow: count,
            slowest: longest.map(|(ms, what)| SlowStatement { ms, what }),
            kind: self.dialect().name().to_owned(),
            bytes: self.bytes().await?,
            migration: self.migration().await?.unwrap_or_default(),
        })
    }

    pub(super) async fn bytes(&self) -> Result<u64> {
        let size = match self.dialect() {
            Dialect::Sqlite => "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
            Dialect::Postgres => "SELECT pg_database_size(current_database())",
        };
        query(size, ()).fetch_one(self.read()).await
    }

    /// Fails if the schema is not as far as this program needs it. One of a newer program may be further.
    pub(crate) async fn try_schema(&self) -> Result<()> {
        let (found, needed) = (self.migration().await?.unwrap_or_default(), newest_migration());
        if found >= needed {
            return Ok(());
        }
        Err(Error::Conflict(format!(
            "The database has had the changes up to {found}, and this program needs those up to {needed}. Start it again."
        )))
    }

    /// The number of the newest change that was made.
    async fn migration(&self) -> Result<Option<i64>> {
        query("SELECT MAX(version) FROM _sqlx_migrations", ()).fetch_one(self.read()).await
    }
}
