//! Opening a database: pools, settings of the connections, migrations.

use super::group::Writer;
use super::{Store, Writers};
use sqlx::AnyPool;
use sqlx::any::AnyPoolOptions;
use sqlx::{AssertSqlSafe, Executor};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!("../../migrations");

#[derive(Debug, Error)]
pub enum OpenError {
    #[error(
        "DATABASE_URL is not a database address that Vivarium knows: it starts with postgres:// or sqlite://."
    )]
    Url,
    #[error("The database cannot be opened: {0}")]
    Connect(#[source] sqlx::Error),
    #[error("The database cannot be brought up to date: {0}")]
    Migrate(#[from] sqlx::migrate::MigrateError),
}

impl Store {
    /// Opens the database in the data folder, creating it.
    pub async fn open_folder(folder: &Path) -> Result<Self, OpenError> {
        let file = folder.join("vivarium.db");
        Self::open_sqlite(&format!("sqlite://{}?mode=rwc", file.display())).await
    }

    /// Opens what `DATABASE_URL` names.
    pub async fn open_url(url: &str) -> Result<Self, OpenError> {
        if url.starts_with("sqlite:") {
            return Self::open_sqlite(url).await;
        }
        if !(url.starts_with("postgres://") || url.starts_with("postgresql://")) {
            return Err(OpenError::Url);
        }
        sqlx::any::install_default_drivers();
        let pool = AnyPoolOptions::new()
            .max_connections(16)
            .acquire_timeout(Duration::from_secs(10))
            .connect(url)
            .await
            .map_err(OpenError::Connect)?;
        MIGRATIONS.run(&pool).await?;
        Ok(Self::new(pool.clone(), Writers::Postgres(pool)))
    }

    fn new(readers: AnyPool, writers: Writers) -> Self {
        Self { readers, writers, writes: Arc::default() }
    }

    async fn open_sqlite(url: &str) -> Result<Self, OpenError> {
        sqlx::any::install_default_drivers();
        let writer = sqlite_pool(url, 1).await?;
        let readers = sqlite_pool(url, 4).await?;
        MIGRATIONS.run(&writer).await?;
        Ok(Self::new(readers, Writers::Sqlite(Writer::new(writer))))
    }
}

async fn sqlite_pool(url: &str, connections: u32) -> Result<AnyPool, OpenError> {
    AnyPoolOptions::new()
        .max_connections(connections)
        .min_connections(1)
        // A file does not hang up.
        .test_before_acquire(false)
        .idle_timeout(None)
        .max_lifetime(None)
        .after_connect(|connection, _| {
            Box::pin(async move {
                for pragma in
                    ["journal_mode=WAL", "synchronous=FULL", "busy_timeout=5000", "cache_size=-2000"]
                {
                    connection.execute(AssertSqlSafe(format!("PRAGMA {pragma}"))).await?;
                }
                Ok(())
            })
        })
        .connect(url)
        .await
        .map_err(OpenError::Connect)
}
