//! Databases of earlier programs, brought up to date.

use crate::clock::new_id;
use crate::store::migrations::MIGRATIONS;
use crate::store::open::{OpenError, bring_up_to_date};
use crate::store::{DatabaseUrl, Dialect, Store, migrate_to, newest_migration, query};
use sqlx::{AnyConnection, AssertSqlSafe, Connection, Executor};
use std::collections::BTreeMap;
use std::{env, fs};
use tempfile::TempDir;
use url::Url;

/// How many schemas later the next one is that is opened as a program of then left it. `SCHEMAS=1` opens each.
const SCHEMAS: usize = 20;
/// What a migration may empty: it is made of other tables before anybody is served.
const MADE_ANEW: &[&str] = &["memory_words"];

/// How far the migrations of a database have come.
async fn schema(place: &DatabaseUrl) -> i64 {
    let mut connection = place.connect().await.unwrap();
    let newest = sqlx::query_scalar("SELECT MAX(version) FROM _sqlx_migrations");
    newest.fetch_one(&mut connection).await.unwrap()
}

/// A database as a program of then left it.
async fn of_before(place: &DatabaseUrl) -> i64 {
    let before = 40;
    let mut connection = place.connect().await.unwrap();
    migrate_to(&mut connection, before).await.unwrap();
    let kept = "INSERT INTO settings (key, value) VALUES ('kept', 'test')";
    sqlx::query(kept).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    before
}

#[tokio::test]
async fn a_database_is_kept_as_it_was_before_an_upgrade_three_times_at_most() {
    let folder = TempDir::new().unwrap();
    let place = DatabaseUrl::folder(folder.path());
    let before = of_before(&place).await;
    for earlier in ["10", "20", "30"] {
        std::fs::write(folder.path().join(format!("vivarium.db.before-{earlier}")), "").unwrap();
    }
    Store::open(&place).await.unwrap().close().await;
    assert_eq!(schema(&place).await, newest_migration());
    let copies = || {
        let names = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let names = names.map(|name| name.into_string().unwrap());
        let mut copies: Vec<_> = names.filter(|name| name.contains(".before-")).collect();
        // In the order of their numbers.
        copies.sort_by_key(|name| (name.len(), name.clone()));
        copies
    };
    let newest = format!("vivarium.db.before-{}", newest_migration());
    assert_eq!(copies(), ["vivarium.db.before-20", "vivarium.db.before-30", newest.as_str()]);
    let copy = DatabaseUrl::Sqlite { url: format!("sqlite://{}", folder.path().join(&newest).display()) };
    assert_eq!(schema(&copy).await, before);
    Store::open(&place).await.unwrap().close().await;
    assert_eq!(copies().len(), 3, "what is up to date is not copied");
}

#[tokio::test]
async fn a_database_that_cannot_be_brought_up_to_date_is_as_it_was_before_on_sqlite() {
    let folder = TempDir::new().unwrap();
    is_as_it_was_before(&DatabaseUrl::folder(folder.path())).await;
}

#[tokio::test]
async fn a_database_that_cannot_be_brought_up_to_date_is_as_it_was_before_on_postgresql() {
    let name = format!("upgrade_{}", new_id());
    is_as_it_was_before(&on_server(&name, "").await).await;
}

async fn is_as_it_was_before(place: &DatabaseUrl) {
    let before = of_before(place).await;
    let mut migrations: Vec<_> = MIGRATIONS.iter().cloned().collect();
    let last = migrations.last_mut().unwrap();
    last.sql = sqlx::SqlSafeStr::into_sql_str("INSERT INTO nowhere VALUES (1)");
    let broken =
        sqlx::migrate::Migrator { migrations: migrations.into(), ..sqlx::migrate::Migrator::DEFAULT };
    let Err(OpenError::PutBack(why)) = bring_up_to_date(place, &broken).await else {
        panic!("it cannot work")
    };
    assert!(why.to_string().contains("nowhere"), "{why}");
    assert_eq!(schema(place).await, before);
    let store = Store::open(place).await.unwrap();
    let kept: Vec<String> =
        query("SELECT key FROM settings WHERE value = 'test'", ()).fetch_all(store.read()).await.unwrap();
    assert_eq!(kept, ["kept"]);
    store.close().await;
}

#[tokio::test]
async fn files_of_agents_are_where_they_were_once_they_lie_in_folders() {
    let folder = TempDir::new().unwrap();
    let place = DatabaseUrl::folder(folder.path());
    let mut connection = place.connect().await.unwrap();
    migrate_to(&mut connection, 101).await.unwrap();
    for statement in [
        "INSERT INTO users (id, name, login, password_hash, role, created_at) VALUES ('ada', 'Ada', 'ada', '', 'member', 1)",
        "INSERT INTO agents (id, user_id, name, colour, instructions, model, tools, max_output_tokens, home, created_at, updated_at)
         VALUES ('fern', 'ada', 'Fern', '', '', '', '[]', 1, 'hub', 5, 5), ('bare', 'ada', 'Bare', '', '', '', '[]', 1, 'hub', 6, 6)",
        "INSERT INTO conversations (id, agent_id, created_at) VALUES ('talk', 'fern', 5)",
        "INSERT INTO agent_files (agent_id, path, bytes, size, digest, at, version, author)
         VALUES ('fern', 'a.txt', X'32', 1, 'd2', 9, 2, '{\"type\":\"agent\",\"conversation\":\"talk\"}')",
        "INSERT INTO file_versions (agent_id, path, version, bytes, size, digest, at)
         VALUES ('fern', 'a.txt', 1, X'31', 1, 'd1', 8), ('fern', 'b.txt', 1, X'33', 1, 'd3', 8), ('fern', 'b.txt', 2, NULL, 0, '', 9)",
        "INSERT INTO file_reads (agent_id, conversation_id, path, digest) VALUES ('fern', 'talk', 'a.txt', 'd2')",
    ] {
        sqlx::query(statement).execute(&mut connection).await.unwrap();
    }
    connection.close().await.unwrap();
    let store = Store::open(&place).await.unwrap();
    let lines: Vec<String> = query(
        "SELECT 'folder ' || id || ' ' || user_id || ' ' || agent_id FROM folders
         UNION ALL SELECT folder_id || ' ' || path || ' ' || version || ' ' || CAST(bytes AS TEXT) || ' ' || author FROM files
         UNION ALL SELECT folder_id || ' ' || path || ' ' || version || ' ' || COALESCE(CAST(bytes AS TEXT), 'gone') FROM file_versions
         UNION ALL SELECT conversation_id || ' read ' || path || ' ' || digest FROM file_reads",
        (),
    )
    .fetch_all(store.read())
    .await
    .unwrap();
    assert_eq!(
        lines,
        [
            "folder fern ada fern",
            "fern a.txt 2 2 {\"type\":\"agent\",\"conversation\":\"talk\"}",
            "fern a.txt 1 1",
            "fern b.txt 1 3",
            "fern b.txt 2 gone",
            "talk read a.txt d2",
        ]
    );
    store.close().await;
}

#[tokio::test]
async fn what_was_written_under_any_earlier_schema_is_there_after_an_upgrade_on_sqlite() {
    let folder = TempDir::new().unwrap();
    stays(&DatabaseUrl::folder(folder.path())).await;
}

#[tokio::test]
async fn what_was_written_under_any_earlier_schema_is_there_after_an_upgrade_on_postgresql() {
    let name = format!("upgrade_{}", new_id());
    stays(&on_server(&name, "").await).await;
}

/// A database that is brought from each schema to the next, and has a row more in each of its tables under each. Now and
/// then this program opens it as it stands.
async fn stays(place: &DatabaseUrl) {
    let every = env::var("SCHEMAS").ok().map_or(SCHEMAS, |text| text.parse().expect("a number"));
    let versions: Vec<i64> = MIGRATIONS.iter().map(|migration| migration.version).collect();
    let mut written: BTreeMap<String, i64> = BTreeMap::new();
    for few in versions.chunks(every) {
        let mut connection = place.connect().await.unwrap();
        for version in few {
            migrate_to(&mut connection, *version).await.unwrap();
            fill(&mut connection, place.dialect(), *version, &mut written).await;
        }
        connection.close().await.unwrap();
        let newest = few[few.len() - 1];
        let opened = copy(place, newest).await;
        Store::open(&opened).await.unwrap_or_else(|why| panic!("from schema {newest}: {why}")).close().await;
        let mut connection = opened.connect().await.unwrap();
        for (table, _) in insertions(&mut connection, opened.dialect(), newest).await {
            let count: i64 = sqlx::query_scalar(AssertSqlSafe(format!("SELECT COUNT(*) FROM \"{table}\"")))
                .fetch_one(&mut connection)
                .await
                .unwrap();
            let least = match MADE_ANEW.contains(&table.as_str()) {
                true => 0,
                false => written.get(&table).copied().unwrap_or_default(),
            };
            assert!(count >= least, "from schema {newest}: {table} has {count} of {least} rows");
        }
        connection.close().await.unwrap();
        discard(&opened).await;
    }
}

/// Puts a row into each table. All rows of one schema hold the same text and number in every column, so that each
/// leads to the others that it names.
async fn fill(
    connection: &mut AnyConnection,
    dialect: Dialect,
    version: i64,
    written: &mut BTreeMap<String, i64>,
) {
    // Whoever is named may come later.
    let (at_first, at_last) = match dialect {
        Dialect::Sqlite => ("PRAGMA foreign_keys = OFF", "PRAGMA foreign_keys = ON"),
        Dialect::Postgres => {
            ("SET session_replication_role = replica", "SET session_replication_role = DEFAULT")
        }
    };
    let mut statements = "BEGIN".to_owned();
    for (table, insertion) in insertions(connection, dialect, version).await {
        statements = format!("{statements}; {insertion}");
        *written.entry(table).or_default() += 1;
    }
    connection.execute(at_first).await.unwrap();
    connection.execute(AssertSqlSafe(format!("{statements}; COMMIT"))).await.unwrap();
    connection.execute(at_last).await.unwrap();
}

/// The tables that there are, each with a statement that puts a row into it.
async fn insertions(connection: &mut AnyConnection, dialect: Dialect, version: i64) -> Vec<(String, String)> {
    let (columns, bytes) = match dialect {
        Dialect::Sqlite => (
            "SELECT t.name AS owner, c.name AS name, LOWER(c.type) AS kind
             FROM sqlite_schema t JOIN pragma_table_info(t.name) c
             WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%' AND t.name NOT LIKE 'search_index%'",
            format!("X''{version:04}''"),
        ),
        Dialect::Postgres => (
            "SELECT CAST(t.table_name AS TEXT) AS owner, CAST(c.column_name AS TEXT) AS name,
                    CAST(c.data_type AS TEXT) AS kind
             FROM information_schema.tables t JOIN information_schema.columns c
               ON c.table_schema = t.table_schema AND c.table_name = t.table_name
             WHERE t.table_schema = current_schema() AND t.table_type = 'BASE TABLE'",
            format!("CAST(''\\x{version:04}'' AS BYTEA)"),
        ),
    };
    let statement = format!(
        "SELECT owner, 'INSERT INTO \"' || owner || '\" (' || string_agg('\"' || name || '\"', ',') || ') VALUES ('
             || string_agg(CASE kind WHEN 'bigint' THEN '{version}' WHEN 'bytea' THEN '{bytes}'
                                     ELSE '''of {version}''' END, ',') || ')'
         FROM ({columns}) AS columns WHERE owner <> '_sqlx_migrations' GROUP BY owner"
    );
    sqlx::query_as(AssertSqlSafe(statement)).fetch_all(connection).await.unwrap()
}

/// The same database once more. Nobody has it open.
async fn copy(place: &DatabaseUrl, version: i64) -> DatabaseUrl {
    match place {
        DatabaseUrl::Sqlite { .. } => {
            let folder = place.file().unwrap().with_extension(version.to_string());
            fs::create_dir(&folder).unwrap();
            fs::copy(place.file().unwrap(), folder.join("vivarium.db")).unwrap();
            DatabaseUrl::folder(&folder)
        }
        DatabaseUrl::Postgres { url, .. } => {
            let name = name_of(url);
            on_server(&format!("{name}_{version}"), &format!("TEMPLATE {name} STRATEGY file_copy")).await
        }
    }
}

pub(super) async fn discard(copy: &DatabaseUrl) {
    match copy {
        DatabaseUrl::Sqlite { .. } => fs::remove_dir_all(copy.file().unwrap().parent().unwrap()).unwrap(),
        DatabaseUrl::Postgres { url, .. } => {
            tell_server(&format!("DROP DATABASE {} WITH (FORCE)", name_of(url))).await;
        }
    }
}

/// A new database of the PostgreSQL that TEST_DATABASE_URL names.
pub(super) async fn on_server(name: &str, like: &str) -> DatabaseUrl {
    tell_server(&format!("CREATE DATABASE {name} {like}")).await;
    let mut url = Url::parse(&server()).unwrap();
    url.set_path(name);
    DatabaseUrl::named(url.as_str()).unwrap()
}

async fn tell_server(statement: &str) {
    let mut connection = DatabaseUrl::named(&server()).unwrap().connect().await.unwrap();
    connection.execute(AssertSqlSafe(statement.to_owned())).await.unwrap();
    connection.close().await.unwrap();
}

fn server() -> String {
    env::var("TEST_DATABASE_URL").expect("TEST_DATABASE_URL names a PostgreSQL: `make test` starts one")
}

fn name_of(url: &str) -> String {
    Url::parse(url).unwrap().path().trim_start_matches('/').to_owned()
}
