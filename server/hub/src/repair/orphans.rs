//! Rows that name another one which is not there. PostgreSQL has none; a file of SQLite can, if somebody else wrote
//! to it.

use super::Result;
use crate::store::Dialect;
use sqlx::{AnyConnection, AssertSqlSafe, Executor, Row};

/// Whoever belonged to one that is removed is the next to be found.
const ROUNDS: usize = 16;

struct Orphan {
    table: String,
    row: i64,
    /// The column that names the other one.
    column: String,
    /// What becomes of it when that one goes.
    rule: String,
}

pub(super) async fn count(connection: &mut AnyConnection, dialect: Dialect) -> Result<usize> {
    Ok(all(connection, dialect).await?.len())
}

/// Does what would have happened when the other row went.
pub(super) async fn mend(connection: &mut AnyConnection, dialect: Dialect) -> Result<()> {
    for _ in 0..ROUNDS {
        let found = all(connection, dialect).await?;
        if found.is_empty() {
            break;
        }
        for Orphan { table, row, column, rule } in found {
            let statement = match rule.as_str() {
                "SET NULL" => format!("UPDATE \"{table}\" SET \"{column}\" = NULL WHERE rowid = {row}"),
                _ => format!("DELETE FROM \"{table}\" WHERE rowid = {row}"),
            };
            connection.execute(AssertSqlSafe(statement)).await?;
        }
    }
    Ok(())
}

/// Those for which the schema says what becomes of them.
async fn all(connection: &mut AnyConnection, dialect: Dialect) -> Result<Vec<Orphan>> {
    if dialect == Dialect::Postgres {
        return Ok(Vec::new());
    }
    let rows = sqlx::query(
        "SELECT DISTINCT c.\"table\", c.rowid, f.\"from\", f.on_delete
         FROM pragma_foreign_key_check c JOIN pragma_foreign_key_list(c.\"table\") f ON f.id = c.fkid
         WHERE c.rowid IS NOT NULL AND f.on_delete IN ('CASCADE', 'SET NULL')",
    )
    .fetch_all(connection)
    .await?;
    let found = rows.iter().map(|row| {
        Ok(Orphan {
            table: row.try_get(0)?,
            row: row.try_get(1)?,
            column: row.try_get(2)?,
            rule: row.try_get(3)?,
        })
    });
    found.collect()
}
