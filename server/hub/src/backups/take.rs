//! Taking: the database at one moment, whoever writes meanwhile.

use super::format::{Header, Writer};
use super::tables::{self, Table};
use super::{Contents, Result, rows};
use crate::store::{DatabaseUrl, Dialect};
use crate::vault::SealedKeys;
use futures_util::TryStreamExt;
use sqlx::{AnyConnection, AssertSqlSafe, Connection, Executor};
use std::path::Path;

/// Writes what is there now into a new file. `now` is in Unix milliseconds.
pub async fn take(place: &DatabaseUrl, keys: Option<SealedKeys>, now: i64, to: &Path) -> Result<Contents> {
    let mut connection = begin(place).await?;
    let schema = tables::schema(&mut connection).await?;
    let mut writer = Writer::create(to, &Header::new(schema, now, keys))?;
    copy(&mut connection, place.dialect(), &mut writer).await?;
    connection.close().await?;
    writer.finish()
}

/// What is there now, without keeping it.
pub async fn contents(place: &DatabaseUrl) -> Result<Contents> {
    let mut connection = begin(place).await?;
    let contents = contents_of(&mut connection, place.dialect()).await?;
    connection.close().await?;
    Ok(contents)
}

pub(super) async fn contents_of(connection: &mut AnyConnection, dialect: Dialect) -> Result<Contents> {
    let mut writer = Writer::counting();
    copy(connection, dialect, &mut writer).await?;
    writer.finish()
}

/// A connection that sees the database as it is at its first look.
async fn begin(place: &DatabaseUrl) -> Result<AnyConnection> {
    let mut connection = place.connect().await?;
    let begin = match place.dialect() {
        Dialect::Sqlite => "BEGIN",
        Dialect::Postgres => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    };
    connection.execute(begin).await?;
    Ok(connection)
}

async fn copy(connection: &mut AnyConnection, dialect: Dialect, writer: &mut Writer) -> Result<()> {
    for table in tables::all(connection, dialect).await? {
        copy_table(connection, &table, writer).await?;
    }
    Ok(())
}

async fn copy_table(connection: &mut AnyConnection, table: &Table, writer: &mut Writer) -> Result<()> {
    writer.table(&table.name, table.columns.keys().cloned().collect())?;
    let statement = format!("SELECT {} FROM \"{}\"", table.column_list(), table.name);
    let mut found = sqlx::query(AssertSqlSafe(statement)).fetch(connection);
    while let Some(row) = found.try_next().await? {
        writer.row(&rows::read(table, &row)?)?;
    }
    Ok(())
}
