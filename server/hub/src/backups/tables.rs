//! Which tables there are, and what their columns hold. Text, whole numbers and bytes are all that our
//! statements know.

use crate::store::Dialect;
use sqlx::{AnyConnection, Row};
use std::collections::BTreeMap;

/// Made from the rest when somebody searches, and by the nodes that are there.
const DERIVED: [&str; 4] = ["nodes", "placements", "search_documents", "search_progress"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ColumnType {
    Text,
    Number,
    Bytes,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) name: String,
    /// In the order of their names, which is the same in both databases.
    pub(super) columns: BTreeMap<String, ColumnType>,
}

impl Table {
    /// For a statement, with what goes before each.
    pub(super) fn column_list(&self) -> String {
        self.columns.keys().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
    }
}

impl ColumnType {
    fn named(name: &str) -> Self {
        match name.to_ascii_lowercase().as_str() {
            "bigint" => Self::Number,
            "bytea" => Self::Bytes,
            _ => Self::Text,
        }
    }

    /// The value with this number, which may be null, in a statement.
    pub(super) fn bound(self, number: usize, dialect: Dialect) -> String {
        match (self, dialect) {
            (Self::Text, _) => format!("CAST(${number} AS TEXT)"),
            (Self::Number, _) => format!("CAST(${number} AS BIGINT)"),
            // SQLite has no such type, and would make a number of it.
            (Self::Bytes, Dialect::Sqlite) => format!("${number}"),
            (Self::Bytes, Dialect::Postgres) => format!("CAST(${number} AS BYTEA)"),
        }
    }
}

/// All that holds something of its own, by name.
pub(super) async fn all(connection: &mut AnyConnection, dialect: Dialect) -> Result<Vec<Table>, sqlx::Error> {
    let statement = match dialect {
        Dialect::Sqlite => {
            "SELECT t.name, c.name, c.type FROM sqlite_schema t JOIN pragma_table_info(t.name) c
             WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
               AND t.name NOT LIKE 'search\\_index%' ESCAPE '\\'"
        }
        Dialect::Postgres => {
            "SELECT CAST(t.table_name AS TEXT), CAST(c.column_name AS TEXT), CAST(c.data_type AS TEXT)
             FROM information_schema.tables t JOIN information_schema.columns c
               ON c.table_schema = t.table_schema AND c.table_name = t.table_name
             WHERE t.table_schema = current_schema() AND t.table_type = 'BASE TABLE'"
        }
    };
    let mut tables: BTreeMap<String, BTreeMap<String, ColumnType>> = BTreeMap::new();
    for row in sqlx::query(statement).fetch_all(connection).await? {
        let (table, column, kind): (String, String, String) =
            (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        if table != "_sqlx_migrations" && !DERIVED.contains(&table.as_str()) {
            tables.entry(table).or_default().insert(column, ColumnType::named(&kind));
        }
    }
    Ok(tables.into_iter().map(|(name, columns)| Table { name, columns }).collect())
}

/// The number of the newest migration.
pub(super) async fn schema(connection: &mut AnyConnection) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("SELECT MAX(version) FROM _sqlx_migrations").fetch_one(connection).await
}
