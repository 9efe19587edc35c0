//! Putting a backup where nothing is: looked through first, then written as a whole or not at all, and read
//! again.

use super::format::{Part, Reader};
use super::tables::{self, Table};
use super::take::contents_of;
use super::{Backup, BackupError, Result, check, rows};
use crate::store::{DatabaseUrl, Dialect, migrate_to, newest_migration};
use sqlx::{AnyConnection, AssertSqlSafe, Connection, Executor};
use std::fs;
use std::path::{Path, PathBuf};

/// Fails if a database is there, whatever it holds. Whoever calls it has the claim on a file.
pub async fn restore(file: &Path, place: &DatabaseUrl) -> Result<Backup> {
    let backup = check(file)?;
    let schema = Reader::open(file)?.header.schema;
    if schema > newest_migration() {
        return Err(BackupError::Newer(backup.program));
    }
    match place.file() {
        Some(path) => into_file(file, &path, schema, &backup).await?,
        None => into_server(file, place, schema, &backup).await?,
    }
    Ok(backup)
}

/// Beside its place, and then moved there.
async fn into_file(file: &Path, path: &Path, schema: i64, backup: &Backup) -> Result<()> {
    if path.exists() {
        return Err(BackupError::Taken(path.display().to_string()));
    }
    let draft = path.with_extension("restoring");
    remove(&draft)?;
    let written = write_file(file, &draft, schema, backup).await;
    let moved = written.and_then(|()| fs::rename(&draft, path).map_err(failed(path)));
    if moved.is_err() {
        remove(&draft)?;
    }
    moved
}

async fn write_file(file: &Path, draft: &Path, schema: i64, backup: &Backup) -> Result<()> {
    let place = DatabaseUrl::Sqlite { url: format!("sqlite://{}?mode=rwc", draft.display()) };
    let mut connection = place.connect().await?;
    // All of it is there at the end, and nobody reads it before.
    connection.execute("PRAGMA foreign_keys=OFF").await?;
    connection.execute("PRAGMA journal_mode=DELETE").await?;
    migrate_to(&mut connection, schema).await?;
    connection.execute("BEGIN").await?;
    fill(&mut connection, Dialect::Sqlite, file).await?;
    connection.execute("COMMIT").await?;
    let is_equal = contents_of(&mut connection, Dialect::Sqlite).await? == backup.contents;
    connection.close().await?;
    if !is_equal {
        return Err(BackupError::Unequal);
    }
    fs::File::open(draft).and_then(|file| file.sync_all()).map_err(failed(draft))
}

/// In one transaction.
async fn into_server(file: &Path, place: &DatabaseUrl, schema: i64, backup: &Backup) -> Result<()> {
    let mut connection = place.connect().await?;
    let tables: i64 = sqlx::query_scalar(
        "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = current_schema()",
    )
    .fetch_one(&mut connection)
    .await?;
    if tables > 0 {
        return Err(BackupError::Taken("DATABASE_URL".to_owned()));
    }
    let mut transaction = connection.begin().await?;
    migrate_to(&mut transaction, schema).await?;
    let constraints = foreign_keys(&mut transaction).await?;
    alter(&mut transaction, &constraints, "DEFERRABLE INITIALLY DEFERRED").await?;
    fill(&mut transaction, Dialect::Postgres, file).await?;
    transaction.execute("SET CONSTRAINTS ALL IMMEDIATE").await?;
    alter(&mut transaction, &constraints, "NOT DEFERRABLE").await?;
    if contents_of(&mut transaction, Dialect::Postgres).await? != backup.contents {
        return Err(BackupError::Unequal);
    }
    transaction.commit().await?;
    Ok(())
}

/// Table and name of each.
async fn foreign_keys(connection: &mut AnyConnection) -> Result<Vec<(String, String)>> {
    Ok(sqlx::query_as(
        "SELECT CAST(table_name AS TEXT), CAST(constraint_name AS TEXT)
         FROM information_schema.table_constraints
         WHERE constraint_type = 'FOREIGN KEY' AND table_schema = current_schema()",
    )
    .fetch_all(connection)
    .await?)
}

async fn alter(connection: &mut AnyConnection, constraints: &[(String, String)], to: &str) -> Result<()> {
    for (table, name) in constraints {
        let statement = format!("ALTER TABLE \"{table}\" ALTER CONSTRAINT \"{name}\" {to}");
        connection.execute(AssertSqlSafe(statement)).await?;
    }
    Ok(())
}

/// Writes every row of the backup into tables that hold at most what their migration put there.
async fn fill(connection: &mut AnyConnection, dialect: Dialect, file: &Path) -> Result<()> {
    let known = tables::all(connection, dialect).await?;
    for table in &known {
        connection.execute(AssertSqlSafe(format!("DELETE FROM \"{}\"", table.name))).await?;
    }
    let mut reader = Reader::open(file)?;
    let mut into: Option<(&Table, String)> = None;
    while let Some(part) = reader.next()? {
        match part {
            Part::Table { name, columns } => {
                let table = known.iter().find(|table| table.name == name);
                let table = table.filter(|table| table.columns.keys().eq(columns.iter()));
                let table =
                    table.ok_or_else(|| reader.damaged(&format!("its table {name} is another than ours")))?;
                into = Some((table, insertion(table, dialect)));
            }
            Part::Row(values) => {
                let (table, statement) =
                    into.as_ref().ok_or_else(|| reader.damaged("a row stands in no table"))?;
                let bound =
                    rows::bound(table, &values).map_err(|error| reader.damaged(&error.to_string()))?;
                sqlx::query_with(AssertSqlSafe(statement.clone()), bound).execute(&mut *connection).await?;
            }
        }
    }
    Ok(())
}

fn insertion(table: &Table, dialect: Dialect) -> String {
    let values: Vec<String> =
        table.columns.values().enumerate().map(|(index, kind)| kind.bound(index + 1, dialect)).collect();
    format!("INSERT INTO \"{}\" ({}) VALUES ({})", table.name, table.column_list(), values.join(", "))
}

/// What an earlier attempt may have left.
fn remove(draft: &Path) -> Result<()> {
    for end in ["", "-wal", "-shm", "-journal"] {
        let path = PathBuf::from(format!("{}{end}", draft.display()));
        if path.exists() {
            fs::remove_file(&path).map_err(failed(&path))?;
        }
    }
    Ok(())
}

fn failed(path: &Path) -> impl Fn(std::io::Error) -> BackupError {
    let path = path.to_owned();
    move |error| BackupError::of_file(&path, error)
}
