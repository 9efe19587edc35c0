//! A fresh hub for each story, on each database.

mod app;
mod endpoint;
mod sink;

pub use app::App;
pub use endpoint::Endpoint;
pub use sink::Sink;

use hub::clock::Clock;
use hub::store::Store;
use hub::{Hub, Keyring, Reach, Setup, Viewer};
use protocol::view::Role;
use std::os::unix::fs::PermissionsExt as _;
use std::{env, fs};
use tempfile::TempDir;

pub const PASSWORD: &str = "correct horse battery";

pub struct World {
    pub hub: Hub,
    pub clock: Clock,
    pub folder: TempDir,
    /// Where the store is, to open it a second time.
    url: Option<String>,
    web: Reach,
}

impl World {
    /// Makes an account and signs it in from a browser.
    pub async fn person(&self, name: &str) -> Viewer {
        self.hub.add_user(name, PASSWORD, Role::Member).await.expect("a fresh name");
        self.hub.sign_in(name, PASSWORD, "test").await.expect("the right password").done().unwrap().viewer
    }

    pub async fn admin(&self, name: &str) -> Viewer {
        self.hub.add_user(name, PASSWORD, Role::Admin).await.expect("a fresh name");
        self.hub.sign_in(name, PASSWORD, "test").await.expect("the right password").done().unwrap().viewer
    }

    /// The store, opened beside the hub.
    pub async fn store(&self) -> Store {
        open_store(&self.folder, self.url.as_deref()).await
    }

    /// A hub beside the first one, with keys of its own.
    pub async fn beside(&self, keyring: Keyring) -> Hub {
        let setup = Setup { keyring, ..setup(self.store().await, &self.clock, self.web) };
        Hub::open_beside(setup).await.expect("the store opens again")
    }

    /// A hub with another master key, to which everything was rotated.
    pub async fn rotated(&self) -> Hub {
        let (old, new) = ("07".repeat(32), "08".repeat(32));
        let both = self.beside(Keyring::from_text(&format!("{new} {old}")).expect("two keys")).await;
        let mut rotation = both.rotate_master_key().await.expect("nobody else rotates");
        while rotation.step().await.expect("the store answers").is_some() {}
        self.beside(Keyring::from_text(&new).expect("one key")).await
    }

    /// Makes a file with the key that the world's hub has.
    pub fn key_file(&self) {
        let path = self.folder.path().join("master.key");
        fs::write(&path, "07".repeat(32)).expect("the folder is writable");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("the file is ours");
    }

    /// A hub beside the first one, with the keys in that file.
    pub async fn with_key_file(&self) -> Hub {
        let path = self.folder.path().join("master.key");
        self.beside(Keyring::open_or_create(&path).expect("the file holds keys")).await
    }

    /// Another hub on the same store, as after a crash of the first.
    pub async fn reopened(&self) -> Hub {
        Hub::open(setup(self.store().await, &self.clock, self.web)).await.expect("the store opens again")
    }
}

/// Tells a story twice: on SQLite, and on the PostgreSQL that TEST_DATABASE_URL names.
pub async fn each_store(story: impl AsyncFn(World)) {
    each(Reach::default(), story).await;
}

/// The same where agents may reach servers of this machine, because a test has one there.
pub async fn each_store_with_a_web(story: impl AsyncFn(World)) {
    each(Reach { private: false, loopback: true }, story).await;
}

async fn each(web: Reach, story: impl AsyncFn(World)) {
    // Whoever was first has chosen the same one.
    let _ = rustls::crypto::ring::default_provider().install_default();
    story(world(None, web).await).await;
    let url =
        env::var("TEST_DATABASE_URL").expect("TEST_DATABASE_URL names a PostgreSQL: `make test` starts one");
    let database = create_database(&url).await;
    story(world(Some(database), web).await).await;
}

async fn world(url: Option<String>, web: Reach) -> World {
    let folder = TempDir::new().expect("a temporary folder");
    let store = open_store(&folder, url.as_deref()).await;
    let clock = Clock::default();
    let hub = Hub::open(setup(store, &clock, web)).await.expect("a fresh store opens");
    World { hub, clock, folder, url, web }
}

fn setup(store: Store, clock: &Clock, web: Reach) -> Setup {
    let keyring = Keyring::from_text(&"07".repeat(32)).expect("32 bytes in hex");
    let reach = Reach { private: true, loopback: true };
    let engine = env!("CARGO_BIN_EXE_hub-engine").into();
    Setup { store, keyring, reach, web, clock: clock.clone(), engine }
}

async fn open_store(folder: &TempDir, url: Option<&str>) -> Store {
    match url {
        None => Store::open_folder(folder.path()).await,
        Some(url) => Store::open_url(url).await,
    }
    .expect("the store opens")
}

/// A database of its own for one story.
async fn create_database(url: &str) -> String {
    let name = format!("story_{}", hub::clock::new_id());
    sqlx::any::install_default_drivers();
    let pool = sqlx::AnyPool::connect(url).await.expect("PostgreSQL answers");
    sqlx::query(sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}")))
        .execute(&pool)
        .await
        .expect("a fresh name");
    pool.close().await;
    let mut url = url::Url::parse(url).expect("a URL");
    url.set_path(&name);
    url.to_string()
}
