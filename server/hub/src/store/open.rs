//! Opening a database: pools, settings of the connections, migrations.

use super::fence::Fence;
use super::group::Writer;
use super::migrations::MIGRATIONS;
use super::readers::Readers;
use super::snapshot::{Snapshot, beside};
use super::sqlite::Sqlite;
use super::{Dialect, Store, Writers, sole};
use crate::tasks::Tasks;
use sqlx::any::AnyPoolOptions;
use sqlx::migrate::{Migrate, MigrateError, Migrator};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AnyConnection, AnyPool};
use sqlx::{AssertSqlSafe, Connection, Executor};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;
use tokio::time::timeout;

/// How long PostgreSQL may take to have a connection free, before whoever asked is told to come back.
const WAIT: Duration = Duration::from_secs(5);

/// Connections to PostgreSQL at once, where its address says nothing of it.
const CONNECTIONS: u32 = 16;
/// The part of an address that says how many.
const CONNECTION_LIMIT: &str = "connection_limit";

/// Connections to SQLite for short reads: as many threads as may read at once before one goes over the pool.
const NEAR: usize = 2;
/// Settings of every connection to SQLite.
const PRAGMAS: [&str; 3] = ["journal_mode=WAL", "synchronous=FULL", "cache_size=-2000"];

#[derive(Debug, Error)]
pub enum OpenError {
    #[error(
        "DATABASE_URL is not a database address that Vivarium knows: it starts with postgres:// or sqlite://."
    )]
    Url,
    #[error("DATABASE_URL has a connection_limit that is no number from 2 to 1000.")]
    ConnectionLimit,
    #[error(
        "Another hub uses the database {0}. Stop that one, or give this one a folder of its own (VIVARIUM_DATA_DIR)."
    )]
    InUse(PathBuf),
    #[error("The file {0}, by which two hubs tell that they have the same database, cannot be locked: {1}.")]
    Lock(PathBuf, #[source] std::io::Error),
    #[error("The database cannot be opened: {0}")]
    Connect(#[source] sqlx::Error),
    #[error(
        "The database file {0} is damaged, or is no database. Put a backup in its place, or move it away to begin anew."
    )]
    Damaged(PathBuf),
    #[error(
        "The database was made by a newer version of Vivarium. Start that version, or put a backup from before the upgrade in its place."
    )]
    Newer,
    #[error("The database cannot be brought up to date: {0}")]
    Migrate(#[source] MigrateError),
    #[error(
        "The database cannot be brought up to date, and is again as it was before: {0} Start the version that you had, and tell its makers."
    )]
    PutBack(Box<Self>),
    #[error(
        "The database as it was before the upgrade cannot be kept or put back in {0}: {1}. Nothing else was changed."
    )]
    Snapshot(PathBuf, #[source] std::io::Error),
}

impl From<MigrateError> for OpenError {
    fn from(error: MigrateError) -> Self {
        match error {
            MigrateError::VersionMissing(_) => Self::Newer,
            error => Self::Migrate(error),
        }
    }
}

/// Where a database is.
#[derive(Clone, Debug)]
pub enum DatabaseUrl {
    Sqlite {
        url: String,
    },
    Postgres {
        url: String,
        /// At once, beside that by which a node hears whether it is one still.
        connections: u32,
    },
}

impl DatabaseUrl {
    /// What `DATABASE_URL` names.
    pub fn named(url: &str) -> Result<Self, OpenError> {
        match url.split(':').next() {
            Some("sqlite") => Ok(Self::Sqlite { url: url.to_owned() }),
            Some("postgres" | "postgresql") => Self::postgres(url),
            _ => Err(OpenError::Url),
        }
    }

    /// `connection_limit` is for the hub, and PostgreSQL knows nothing of it.
    fn postgres(url: &str) -> Result<Self, OpenError> {
        let Some((place, query)) = url.split_once('?') else {
            return Ok(Self::Postgres { url: url.to_owned(), connections: CONNECTIONS });
        };
        let mut connections = CONNECTIONS;
        let mut others = Vec::new();
        for part in query.split('&') {
            match part.split_once('=') {
                Some((CONNECTION_LIMIT, number)) => {
                    let number = number.parse().ok().filter(|number| (2..=1000).contains(number));
                    connections = number.ok_or(OpenError::ConnectionLimit)?;
                }
                _ => others.push(part),
            }
        }
        let url = if others.is_empty() { place.to_owned() } else { format!("{place}?{}", others.join("&")) };
        Ok(Self::Postgres { url, connections })
    }

    /// The database in the data folder.
    pub fn folder(folder: &Path) -> Self {
        Self::Sqlite { url: format!("sqlite://{}?mode=rwc", folder.join("vivarium.db").display()) }
    }

    /// Keeps other hubs off a file, until it is dropped or the process ends. PostgreSQL is for several.
    pub fn claim(&self) -> Result<Option<sole::Claim>, OpenError> {
        self.file().map(|file| sole::claim(&file)).transpose()
    }

    pub fn dialect(&self) -> Dialect {
        match self {
            Self::Sqlite { .. } => Dialect::Sqlite,
            Self::Postgres { .. } => Dialect::Postgres,
        }
    }

    /// A connection of its own to what is there, beside whoever uses it.
    pub(crate) async fn connect(&self) -> Result<AnyConnection, OpenError> {
        sqlx::any::install_default_drivers();
        let (Self::Sqlite { url } | Self::Postgres { url, .. }) = self;
        let mut connection = AnyConnection::connect(url).await.map_err(OpenError::Connect)?;
        if let Self::Sqlite { .. } = self {
            set_up(&mut connection).await.map_err(|error| refused(self, error))?;
        }
        Ok(connection)
    }

    /// Bytes that SQLite wrote beside its file, and has not taken in.
    pub fn log_bytes(&self) -> u64 {
        let log = self.file().map(|file| beside(&file, "-wal"));
        log.and_then(|log| Some(std::fs::metadata(log).ok()?.len())).unwrap_or_default()
    }

    /// The file that holds it, if one does.
    pub fn file(&self) -> Option<PathBuf> {
        match self {
            Self::Postgres { .. } => None,
            Self::Sqlite { url } => {
                let options = SqliteConnectOptions::from_str(url).ok()?;
                let file = options.get_filename().to_owned();
                let is_in_memory = url.contains(":memory:") || url.contains("mode=memory");
                (!is_in_memory).then_some(file)
            }
        }
    }
}

impl Store {
    /// Opens the database in the data folder, creating it.
    pub async fn open_folder(folder: &Path) -> Result<Self, OpenError> {
        Self::open(&DatabaseUrl::folder(folder)).await
    }

    /// Opens what `DATABASE_URL` names.
    pub async fn open_url(url: &str) -> Result<Self, OpenError> {
        Self::open(&DatabaseUrl::named(url)?).await
    }

    pub async fn open(place: &DatabaseUrl) -> Result<Self, OpenError> {
        sqlx::any::install_default_drivers();
        match place {
            DatabaseUrl::Sqlite { url } => {
                // A pool would try again and again, and keep to itself why.
                look_at(url).await.map_err(|error| refused(place, error))?;
                let file = place.file().ok_or(OpenError::Url)?;
                bring_up_to_date(place, &MIGRATIONS).await?;
                let readers = sqlite_pool(url, 4).await?;
                make_full_text(&readers, Dialect::Sqlite).await?;
                let told = |error| refused(place, error);
                let near = (0..NEAR).map(|_| Sqlite::open_for_short(&file, &PRAGMAS));
                let near = near.collect::<Result<_, _>>().map_err(told)?;
                let writer = Writer::new(Sqlite::open(&file, &PRAGMAS).map_err(told)?);
                Ok(Self::new(Readers::new(readers, near), Writers::Sqlite(writer), Arc::default()))
            }
            DatabaseUrl::Postgres { url, connections } => {
                let fence = Arc::new(Fence::default());
                let pool = postgres_pool(url, *connections, &fence).await?;
                bring_up_to_date(place, &MIGRATIONS).await?;
                make_full_text(&pool, Dialect::Postgres).await?;
                Ok(Self::new(
                    Readers::new(pool.clone(), Vec::new()),
                    Writers::Postgres(pool, Tasks::default()),
                    fence,
                ))
            }
        }
    }

    fn new(readers: Readers, writers: Writers, fence: Arc<Fence>) -> Self {
        Self {
            readers: Arc::new(readers),
            writers,
            fence,
            writes: Arc::default(),
            entries_read: Arc::default(),
            changes: Arc::default(),
        }
    }
}

/// The number of the newest migration that this program knows.
pub(crate) fn newest_migration() -> i64 {
    MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or_default()
}

/// Brings an empty database as far as one that a program of then had.
pub(crate) async fn migrate_to(connection: &mut AnyConnection, version: i64) -> Result<(), OpenError> {
    Ok(MIGRATIONS.run_to(version, connection).await?)
}

/// Brings a database up to date, or leaves it as it was.
pub(super) async fn bring_up_to_date(place: &DatabaseUrl, migrations: &Migrator) -> Result<(), OpenError> {
    let _turn = place.file().map(|file| sole::turn(&file)).transpose()?;
    let mut connection = place.connect().await?;
    let snapshot = Snapshot::before_migrating(place, &mut connection).await?;
    let done = run_as_one(&mut connection, migrations).await.map_err(|error| not_up_to_date(place, error));
    let closed = connection.close().await.map_err(|error| refused(place, error));
    match (done, snapshot) {
        (Ok(()), _) => closed,
        (Err(why), Some(snapshot)) => {
            snapshot.put_back()?;
            Err(OpenError::PutBack(Box::new(why)))
        }
        (Err(why @ OpenError::Migrate(MigrateError::ExecuteMigration(..))), None) => {
            Err(OpenError::PutBack(Box::new(why)))
        }
        (Err(why), None) => Err(why),
    }
}

/// In one transaction. Another process that comes meanwhile waits until it has ended.
async fn run_as_one(connection: &mut AnyConnection, migrations: &Migrator) -> Result<(), MigrateError> {
    connection.lock().await?;
    let mut transaction = connection.begin().await?;
    // `run` comes to the same, and no task can hold its future: its lifetimes are not general enough.
    migrations.run_direct(None, &mut *transaction, false).await?;
    transaction.commit().await?;
    connection.unlock().await
}

async fn make_full_text(pool: &AnyPool, dialect: Dialect) -> Result<(), OpenError> {
    for statement in dialect.full_text() {
        pool.execute(*statement).await.map_err(|error| OpenError::Migrate(error.into()))?;
    }
    Ok(())
}

/// Reads as much of a file as shows that it is a database.
async fn look_at(url: &str) -> Result<(), sqlx::Error> {
    let mut connection = AnyConnection::connect(url).await?;
    set_up(&mut connection).await?;
    connection.execute("SELECT COUNT(*) FROM sqlite_schema").await?;
    connection.close().await
}

async fn set_up(connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
    for pragma in PRAGMAS.into_iter().chain(["busy_timeout=5000"]) {
        connection.execute(AssertSqlSafe(format!("PRAGMA {pragma}"))).await?;
    }
    Ok(())
}

async fn sqlite_pool(url: &str, connections: u32) -> Result<AnyPool, OpenError> {
    AnyPoolOptions::new()
        .max_connections(connections)
        .min_connections(1)
        // A file does not hang up.
        .test_before_acquire(false)
        .idle_timeout(None)
        .max_lifetime(None)
        .after_connect(|connection, _| Box::pin(set_up(connection)))
        .connect(url)
        .await
        .map_err(OpenError::Connect)
}

/// Of connections that bear the name of this process.
fn postgres_options(connections: u32, fence: &Arc<Fence>) -> AnyPoolOptions {
    let fence = Arc::clone(fence);
    AnyPoolOptions::new().max_connections(connections).acquire_timeout(WAIT).after_connect(
        move |connection, _| {
            let fence = Arc::clone(&fence);
            Box::pin(async move { fence.set_up(connection).await })
        },
    )
}

/// A pool of one connection to where this one leads.
pub(super) fn apart(pool: &AnyPool, fence: &Arc<Fence>) -> AnyPool {
    postgres_options(1, fence).connect_lazy_with((*pool.connect_options()).clone())
}

/// The same of two connections.
pub(super) fn pair(pool: &AnyPool, fence: &Arc<Fence>) -> AnyPool {
    postgres_options(2, fence).connect_lazy_with((*pool.connect_options()).clone())
}

async fn postgres_pool(url: &str, connections: u32, fence: &Arc<Fence>) -> Result<AnyPool, OpenError> {
    let options = postgres_options(connections, fence);
    let pool = options.connect(url).await;
    match pool {
        Ok(pool) => Ok(pool),
        // The pool waited for a database that may be starting, and does not say what it was told.
        Err(sqlx::Error::PoolTimedOut) => {
            let told = timeout(WAIT, AnyConnection::connect(url)).await;
            Err(OpenError::Connect(told.ok().and_then(Result::err).unwrap_or(sqlx::Error::PoolTimedOut)))
        }
        Err(error) => Err(OpenError::Connect(error)),
    }
}

fn refused(place: &DatabaseUrl, error: sqlx::Error) -> OpenError {
    match (super::Unavailable::of(&error), place.file()) {
        (Some(super::Unavailable::Damaged), Some(file)) => OpenError::Damaged(file),
        _ => OpenError::Connect(error),
    }
}

fn not_up_to_date(place: &DatabaseUrl, error: MigrateError) -> OpenError {
    match error {
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _)
            if super::Unavailable::of(&error) == Some(super::Unavailable::Damaged) =>
        {
            refused(place, error)
        }
        error => error.into(),
    }
}
