//! Databases as they are when a hub is opened for the first time, made once: each story gets a copy. That a
//! database is brought this far from any other is told elsewhere.

use super::{psql, server_of};
use hub::store::Store;
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use tokio::sync::OnceCell;
use url::Url;

static FILE: OnceCell<Vec<u8>> = OnceCell::const_new();
static DATABASE: OnceCell<String> = OnceCell::const_new();

/// Puts a database file into the folder.
pub async fn copy_file(folder: &Path) {
    let bytes = FILE.get_or_init(make_file).await;
    fs::write(folder.join("vivarium.db"), bytes).expect("a fresh folder is writable");
}

/// Makes a database on the server, and gives its address.
pub async fn copy_database(server: &str) -> String {
    let template = DATABASE.get_or_init(|| make_database(server)).await;
    // Copying the files is half the work of copying page by page.
    create(server, "story", &format!("TEMPLATE {template} STRATEGY file_copy")).await
}

async fn make_file() -> Vec<u8> {
    let folder = TempDir::new().expect("a temporary folder");
    let store = Store::open_folder(folder.path()).await.expect("a fresh store opens");
    let copy = folder.path().join("copy.db");
    let into = format!("VACUUM INTO '{}'", copy.display());
    sqlx::query(sqlx::AssertSqlSafe(into)).execute(store.read()).await.expect("there is room");
    store.close().await;
    fs::read(copy).expect("it was just made")
}

async fn make_database(server: &str) -> String {
    let url = create(server, "template", "").await;
    let store = Store::open_url(&url).await.expect("a fresh store opens");
    // Whoever is copied has nobody connected.
    store.close().await;
    Url::parse(&url).expect("a URL").path().trim_start_matches('/').to_owned()
}

/// Takes the database back, and whoever is still connected to it off: all of them would not fit into the memory that
/// keeps files, and the server would wait for the disk.
pub async fn drop_database(url: &str) {
    let (server, name) = server_of(url);
    psql(&server, &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await;
}

async fn create(server: &str, kind: &str, like: &str) -> String {
    let name = format!("{kind}_{}", hub::clock::new_id());
    psql(server, &format!("CREATE DATABASE {name} {like}")).await;
    let mut url = Url::parse(server).expect("a URL");
    url.set_path(&name);
    url.to_string()
}
