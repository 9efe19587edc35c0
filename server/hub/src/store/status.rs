//! How the database is: what it is, how much it holds, and how far its schema is.

use super::{Dialect, Row, Store, query};
use crate::error::Result;
use protocol::view::DatabaseStatus;

impl Store {
    pub(crate) async fn status(&self) -> Result<DatabaseStatus> {
        let size = match self.dialect() {
            Dialect::Sqlite => {
                "SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()"
            }
            Dialect::Postgres => "SELECT pg_database_size(current_database()) AS bytes",
        };
        let size: Row = query(size, ()).fetch_one(self.read()).await?;
        let newest = query("SELECT MAX(version) FROM _sqlx_migrations", ());
        Ok(DatabaseStatus {
            kind: self.dialect().name().to_owned(),
            bytes: size.get("bytes")?,
            migration: newest.fetch_one(self.read()).await?,
        })
    }
}
