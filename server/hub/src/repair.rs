//! What can be put right in a database that no hub uses: what is made from the rest and does not fit it, what is over,
//! and rows whose owner is gone. Nothing that somebody wrote, and still has, is touched.

mod orphans;
mod over;
mod search;

use crate::backups::{self, BackupError};
use crate::store::{DatabaseUrl, Dialect};
use sqlx::{AnyConnection, AssertSqlSafe, Connection, Executor};
use std::path::Path;

type Result<T> = std::result::Result<T, BackupError>;

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ailment {
    /// Rows whose owner is gone, which a database that keeps to its rules has none of.
    Orphans,
    /// The index in which people search fits what was said no more.
    Search,
    /// Sessions, links and codes that are over, and uploads that nothing uses.
    Over,
}

impl Ailment {
    pub const ALL: [Self; 3] = [Self::Orphans, Self::Search, Self::Over];

    pub fn name(self) -> &'static str {
        match self {
            Self::Orphans => "orphaned rows",
            Self::Search => "search index",
            Self::Over => "expired rows",
        }
    }
}

/// Fails where the database cannot be trusted: then a backup helps, and nothing else. Everything that is wrong comes out,
/// in words. `now` is in Unix milliseconds.
pub async fn look(place: &DatabaseUrl, now: i64) -> Result<Vec<(Ailment, String)>> {
    let mut connection = place.connect().await?;
    require_whole(place, &mut connection).await?;
    let mut found = Vec::new();
    for ailment in Ailment::ALL {
        if let Some(words) = see(&mut connection, place.dialect(), ailment, now).await? {
            found.push((ailment, words));
        }
    }
    connection.close().await?;
    Ok(found)
}

/// Writes the database as it is into a new file beside it: as SQLite reads it, or as a backup.
pub async fn keep(place: &DatabaseUrl, to: &Path, now: i64) -> Result<()> {
    if place.dialect() == Dialect::Postgres {
        return backups::take(place, None, now, to).await.map(drop);
    }
    let mut connection = place.connect().await?;
    let into = to.display().to_string().replace('\'', "''");
    connection.execute(AssertSqlSafe(format!("VACUUM INTO '{into}'"))).await?;
    Ok(connection.close().await?)
}

/// Puts these right, and what SQLite wrote beside its file into it. Nobody else may have the database.
pub async fn mend(place: &DatabaseUrl, ailments: &[Ailment], now: i64) -> Result<()> {
    let mut connection = place.connect().await?;
    let mut tx = connection.begin().await?;
    for ailment in ailments {
        match ailment {
            Ailment::Orphans => orphans::mend(&mut tx, place.dialect()).await?,
            Ailment::Search => search::mend(&mut tx, place.dialect()).await?,
            Ailment::Over => over::mend(&mut tx, now).await?,
        }
    }
    tx.commit().await?;
    if place.dialect() == Dialect::Sqlite {
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").await?;
    }
    Ok(connection.close().await?)
}

/// How many others have it open, as far as the database tells.
pub async fn others(place: &DatabaseUrl) -> Result<i64> {
    if place.dialect() == Dialect::Sqlite {
        return Ok(0);
    }
    let mut connection = place.connect().await?;
    let others = sqlx::query_scalar(
        "SELECT COUNT(*) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'",
    );
    let others = others.fetch_one(&mut connection).await?;
    connection.close().await?;
    Ok(others)
}

async fn see(
    connection: &mut AnyConnection,
    dialect: Dialect,
    ailment: Ailment,
    now: i64,
) -> Result<Option<String>> {
    Ok(match ailment {
        Ailment::Orphans => {
            let rows = orphans::count(connection, dialect).await?;
            (rows > 0).then(|| format!("{rows} belong to what is gone"))
        }
        Ailment::Search => {
            let fits = search::fits(connection, dialect).await?;
            (!fits).then(|| "it does not fit what was said, so not everything is found".to_owned())
        }
        Ailment::Over => {
            let rows = over::count(connection, now).await?;
            (rows > 0)
                .then(|| format!("{rows} sessions, links, codes and uploads are over and kept all the same"))
        }
    })
}

/// A file that is damaged is not made better by writing to it.
async fn require_whole(place: &DatabaseUrl, connection: &mut AnyConnection) -> Result<()> {
    let Some(file) = place.file().filter(|_| place.dialect() == Dialect::Sqlite) else { return Ok(()) };
    // What of the index is damaged is in `Search`.
    let said: Vec<(String,)> = sqlx::query_as("PRAGMA quick_check(1)").fetch_all(connection).await?;
    match said.first() {
        Some((words,)) if words != "ok" && !words.contains("search_index") => {
            Err(BackupError::Open(crate::store::OpenError::Damaged(file)))
        }
        Some(_) | None => Ok(()),
    }
}
