//! What one database's planner makes of one statement.

use super::source::Statement;
use crate::world::World;
use hub::store::{Dialect, Store};
use sqlx::{AssertSqlSafe, Row};
use std::collections::BTreeSet;

pub struct Planner {
    store: Store,
    /// All tables.
    tables: BTreeSet<String>,
    /// What the views are made of, by name.
    views: Vec<(String, String)>,
}

impl Planner {
    pub async fn of(world: &World) -> Self {
        let store = world.store().await;
        let text = match store.dialect() {
            Dialect::Sqlite => "SELECT name FROM sqlite_master WHERE type = 'table'",
            Dialect::Postgres => "SELECT CAST(relname AS TEXT) AS name FROM pg_class WHERE relkind = 'r'",
        };
        let rows = sqlx::query(text).fetch_all(store.read()).await.unwrap();
        let tables = rows.iter().map(|row| row.get("name")).collect();
        let text = match store.dialect() {
            Dialect::Sqlite => "SELECT name, sql FROM sqlite_master WHERE type = 'view'",
            Dialect::Postgres => {
                "SELECT CAST(viewname AS TEXT) AS name, definition AS sql FROM pg_views WHERE schemaname = 'public'"
            }
        };
        let rows = sqlx::query(text).fetch_all(store.read()).await.unwrap();
        let views = rows.iter().map(|row| (row.get("name"), row.get("sql"))).collect();
        Self { store, tables, views }
    }

    /// The tables that are read as a whole, each with the step that does. `None`: it is not for this database.
    pub async fn read_whole(&self, statement: &Statement) -> Option<Vec<(String, String)>> {
        let steps = self.steps(statement).await?;
        let found = steps.into_iter().filter_map(|step| {
            let table = self.table_of(&step, &statement.text)?;
            Some((table, step))
        });
        Some(found.collect())
    }

    /// The steps of the plan. `None`: it is not for this database.
    pub async fn steps(&self, statement: &Statement) -> Option<Vec<String>> {
        match self.store.dialect() {
            Dialect::Sqlite => self.sqlite(&statement.text).await,
            Dialect::Postgres => self.postgres(&statement.text).await,
        }
    }

    async fn sqlite(&self, text: &str) -> Option<Vec<String>> {
        let explain = AssertSqlSafe(format!("EXPLAIN QUERY PLAN {text}"));
        let rows = sqlx::query(explain).fetch_all(self.store.read()).await.ok()?;
        Some(rows.iter().map(|row| row.get("detail")).collect())
    }

    /// A plan for any values, in which a table is read as a whole only where no index helps.
    async fn postgres(&self, text: &str) -> Option<Vec<String>> {
        let mut tx = self.store.write().await.unwrap();
        for setting in ["enable_seqscan = off", "plan_cache_mode = force_generic_plan"] {
            sqlx::raw_sql(AssertSqlSafe(format!("SET LOCAL {setting}"))).execute(&mut *tx).await.unwrap();
        }
        sqlx::raw_sql(AssertSqlSafe(format!("PREPARE planned AS {text}"))).execute(&mut *tx).await.ok()?;
        let parameters =
            "SELECT CARDINALITY(parameter_types) AS n FROM pg_prepared_statements WHERE name = 'planned'";
        let count: i32 = sqlx::query(parameters).fetch_one(&mut *tx).await.unwrap().get("n");
        let values = vec!["NULL"; usize::try_from(count).unwrap()].join(", ");
        let values = if values.is_empty() { values } else { format!("({values})") };
        let explain = AssertSqlSafe(format!("EXPLAIN EXECUTE planned{values}"));
        let rows = sqlx::query(explain).fetch_all(&mut *tx).await.unwrap();
        let steps = rows.iter().map(|row| row.get::<String, _>(0)).collect();
        sqlx::raw_sql("DEALLOCATE planned").execute(&mut *tx).await.unwrap();
        Some(steps)
    }

    /// The table that the step reads as a whole, if it does.
    fn table_of(&self, step: &str, text: &str) -> Option<String> {
        let step = step.trim_start_matches([' ', '-', '>']);
        let name = step.strip_prefix("SCAN ").or_else(|| step.strip_prefix("Seq Scan on "))?;
        let name = name.split_whitespace().next()?;
        if self.tables.contains(name) {
            return Some(name.to_owned());
        }
        // SQLite says the name that the statement gives it.
        let used = self.views.iter().filter(|(name, _)| text.contains(name.as_str()));
        let of_views = used.flat_map(|(_, sql)| sql.split_whitespace());
        let words: Vec<&str> = text
            .split(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
            .chain(of_views)
            .filter(|word| !word.is_empty() && *word != "AS")
            .collect();
        let pair = words.windows(2).find(|pair| pair[1] == name && self.tables.contains(pair[0]))?;
        Some(pair[0].to_owned())
    }
}
