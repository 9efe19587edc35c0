//! A fresh hub for each story, on each database.

mod a2a;
mod app;
pub mod authenticator;
mod collector;
mod definition;
mod endpoint;
mod fake_auth;
mod feed_server;
mod http_request;
mod job_server;
mod lossy_wire;
mod mail_receiver;
mod mailbox_server;
mod mcp;
mod nats;
mod open_data;
mod push_service;
mod real_collector;
mod sink;
mod site;
mod template;
mod turn;

pub use a2a::{CHAIN, FakeA2a, Manner as PeerManner};
pub use app::App;
pub use collector::{Collector, attribute};
pub use definition::Definition;
pub use endpoint::Endpoint;
pub use fake_auth::{FakeAuth, Said};
pub use feed_server::FeedServer;
pub use job_server::JobServer;
pub use lossy_wire::{Loss, LossyWire};
pub use mail_receiver::MailReceiver;
pub use mailbox_server::MailboxServer;
pub use mcp::{FakeMcp, Mood, RealMcp};
pub use nats::Nats;
pub use open_data::OpenDataServer;
pub use push_service::PushService;
pub use real_collector::RealCollector;
pub use sink::Sink;
pub use site::Site;

use hub::clock::Clock;
use hub::store::{DatabaseUrl, OpenError, Store};
use hub::{HashCost, Hub, Keyring, MailServer, NatsAddress, Reach, Setup, TerminalUse, Viewer};
use protocol::Language;
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
    /// Of a table of which no row depends on the store: every other row is told on SQLite, and those between on
    /// PostgreSQL.
    pub fn share<T>(&self, rows: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
        rows.into_iter().skip(usize::from(self.url.is_some())).step_by(2)
    }

    /// Sets the clock to the noon of its day, so that hours that pass end no day.
    pub fn at_noon(&self) {
        const DAY_MS: i64 = 24 * 60 * 60 * 1000;
        self.clock.set(DAY_MS / 2 - self.clock.now().rem_euclid(DAY_MS));
    }

    /// Makes an account and signs it in from a browser.
    pub async fn person(&self, name: &str) -> Viewer {
        self.hub.accounts().add_user(name, PASSWORD, Role::Member).await.expect("a fresh name");
        self.hub
            .accounts()
            .sign_in(name, PASSWORD, "test")
            .await
            .expect("the right password")
            .done()
            .unwrap()
            .viewer
    }

    pub async fn admin(&self, name: &str) -> Viewer {
        self.hub.accounts().add_user(name, PASSWORD, Role::Admin).await.expect("a fresh name");
        self.hub
            .accounts()
            .sign_in(name, PASSWORD, "test")
            .await
            .expect("the right password")
            .done()
            .unwrap()
            .viewer
    }

    /// Where its database is.
    pub fn place(&self) -> DatabaseUrl {
        match &self.url {
            None => DatabaseUrl::folder(self.folder.path()),
            Some(url) => DatabaseUrl::named(url).expect("a database"),
        }
    }

    /// The store, opened beside the hub.
    pub async fn store(&self) -> Store {
        self.try_store().await.expect("the store opens")
    }

    pub async fn try_store(&self) -> Result<Store, OpenError> {
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
        let mut rotation = both.secrets().rotate_master_key().await.expect("nobody else rotates");
        while rotation.step().await.expect("the store answers").is_some() {}
        self.beside(Keyring::from_text(&new).expect("one key")).await
    }

    /// Lets nobody write to the store any more, as on a full disk, or connect to it, as while it restarts.
    pub async fn take_store_away(&self) {
        match &self.url {
            None => self.refuse_inserts("entries").await,
            Some(url) => {
                let (server, name) = server_of(url);
                psql(&server, &format!("ALTER DATABASE {name} WITH ALLOW_CONNECTIONS false")).await;
                let all = format!(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
                );
                psql(&server, &all).await;
            }
        }
    }

    pub async fn give_store_back(&self) {
        match &self.url {
            None => self.take_inserts("entries").await,
            Some(url) => {
                let (server, name) = server_of(url);
                psql(&server, &format!("ALTER DATABASE {name} WITH ALLOW_CONNECTIONS true")).await;
            }
        }
    }

    /// Does this while the store takes nothing: PostgreSQL lets nobody in, SQLite's file is locked.
    pub async fn without_store<T>(&self, work: impl Future<Output = T>) -> T {
        if self.url.is_some() {
            self.take_store_away().await;
            let done = work.await;
            self.give_store_back().await;
            return done;
        }
        let store = self.store().await;
        let mut lock = store.write().await.expect("the store answers");
        sqlx::query("DELETE FROM entries WHERE 1 = 0").execute(&mut *lock).await.expect("it is SQL");
        let done = work.await;
        lock.rollback().await.expect("the store answers");
        store.close().await;
        done
    }

    /// Lets every new row of this table fail.
    pub async fn refuse_inserts(&self, table: &str) {
        self.refuse("INSERT", table).await;
    }

    /// Lets every change of a row of this table fail.
    pub async fn refuse_updates(&self, table: &str) {
        self.refuse("UPDATE", table).await;
    }

    async fn refuse(&self, what: &str, table: &str) {
        match &self.url {
            None => {
                let refusal = "BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END";
                self.execute(&format!("CREATE TRIGGER refuse_{table} BEFORE {what} ON {table} {refusal}"))
                    .await;
            }
            Some(_) => {
                let refusal = "BEGIN RAISE EXCEPTION 'could not extend file: No space left on device'; END";
                self.execute(&format!(
                    "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger AS $$ {refusal} $$ LANGUAGE plpgsql"
                ))
                .await;
                self.execute(&format!(
                    "CREATE TRIGGER refuse_{table} BEFORE {what} ON {table} FOR EACH ROW EXECUTE FUNCTION refuse()"
                ))
                .await;
            }
        }
    }

    pub async fn take_updates(&self, table: &str) {
        self.take_inserts(table).await;
    }

    pub async fn take_inserts(&self, table: &str) {
        match &self.url {
            None => self.execute(&format!("DROP TRIGGER refuse_{table}")).await,
            Some(_) => self.execute(&format!("DROP TRIGGER refuse_{table} ON {table}")).await,
        }
    }

    pub async fn execute(&self, statement: &str) {
        let store = self.store().await;
        let mut tx = store.write().await.expect("the store answers");
        sqlx::query(sqlx::AssertSqlSafe(statement.to_owned())).execute(&mut *tx).await.expect("it is SQL");
        tx.commit().await.expect("the store answers");
        store.close().await;
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

    /// A hub beside the first one where each person's agents may keep so much.
    pub async fn narrow(&self, person_bytes: u64) -> Hub {
        let setup = setup(self.store().await, &self.clock, self.web);
        Hub::open(Setup { person_bytes: Some(person_bytes), ..setup }).await.expect("the store opens again")
    }

    /// The hub in place of the first one, with a server for its mail.
    pub async fn with_mail(&self, server: &MailReceiver) -> Hub {
        self.hub.close().await;
        let mail = MailServer::parse(&server.url, "Vivarium <hub@example.org>").expect("an address");
        let setup = setup(self.store().await, &self.clock, self.web);
        Hub::open(Setup { mail: Some(mail), ..setup }).await.expect("the store opens again")
    }

    /// The world with a hub in place of the first one that is made of something else.
    pub async fn with(self, change: impl FnOnce(Setup) -> Setup) -> Self {
        self.hub.close().await;
        let setup = setup(self.store().await, &self.clock, self.web);
        let hub = Hub::open(change(setup)).await.expect("the store opens again");
        Self { hub, ..self }
    }

    /// The world with a hub in place of the first one, and its wire to PostgreSQL.
    pub async fn over_lossy_wire(self) -> (Self, LossyWire) {
        let wire = LossyWire::to(&self.place());
        let store = Store::open_url(&wire.url).await.expect("the store opens again");
        (self.with(|setup| Setup { store, ..setup }).await, wire)
    }

    /// One of several hubs on the same store.
    pub async fn node(&self, nats: &Nats) -> hub::Result<Hub> {
        let setup = setup(self.store().await, &self.clock, self.web);
        Hub::open(Setup { nats: Some(NatsAddress(nats.url.clone())), ..setup }).await
    }

    /// Another hub on the same store, as after a crash of the first.
    pub async fn reopened(&self) -> Hub {
        self.try_reopened().await.expect("the store opens again")
    }

    pub async fn try_reopened(&self) -> hub::Result<Hub> {
        Hub::open(setup(self.store().await, &self.clock, self.web)).await
    }
}

/// Tells a story twice: on SQLite, and on the PostgreSQL that TEST_DATABASE_URL names.
pub async fn each_store(story: impl AsyncFn(World)) {
    each(Reach::default(), story).await;
}

/// The same where agents may reach servers of this machine, because a test has one there.
pub async fn each_store_with_a_web(story: impl AsyncFn(World)) {
    each(NEAR, story).await;
}

/// Tells a story once, on SQLite: one that is of something else than what is kept.
pub async fn on_sqlite(story: impl AsyncFn(World)) {
    tell_on_sqlite(Reach::default(), &story).await;
}

/// The same where agents may reach servers of this machine.
pub async fn on_sqlite_with_a_web(story: impl AsyncFn(World)) {
    tell_on_sqlite(NEAR, &story).await;
}

/// The same on PostgreSQL.
pub async fn on_postgres(story: impl AsyncFn(World)) {
    tell_on_postgres(Reach::default(), &story).await;
}

const NEAR: Reach = Reach { private: false, loopback: true };

async fn each(web: Reach, story: impl AsyncFn(World)) {
    tell_on_sqlite(web, &story).await;
    if turn::is_told_on_postgres() {
        tell_on_postgres(web, &story).await;
    }
}

async fn tell_on_sqlite(web: Reach, story: &impl AsyncFn(World)) {
    choose_cryptography();
    story(world(None, web).await).await;
}

async fn tell_on_postgres(web: Reach, story: &impl AsyncFn(World)) {
    choose_cryptography();
    let server =
        env::var("TEST_DATABASE_URL").expect("TEST_DATABASE_URL names a PostgreSQL: `make test` starts one");
    let database = template::copy_database(&server).await;
    story(world(Some(database.clone()), web).await).await;
    template::drop_database(&database).await;
}

fn choose_cryptography() {
    // Whoever was first has chosen the same one.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

async fn world(url: Option<String>, web: Reach) -> World {
    let folder = TempDir::new().expect("a temporary folder");
    if url.is_none() {
        template::copy_file(folder.path()).await;
    }
    let store = open_store(&folder, url.as_deref()).await.expect("a fresh store opens");
    let clock = Clock::default();
    let hub = Hub::open(setup(store, &clock, web)).await.expect("a fresh store opens");
    World { hub, clock, folder, url, web }
}

fn setup(store: Store, clock: &Clock, web: Reach) -> Setup {
    let keyring = Keyring::from_text(&"07".repeat(32)).expect("32 bytes in hex");
    let reach = Reach { private: true, loopback: true };
    let engine = env!("CARGO_BIN_EXE_hub-engine").into();
    Setup {
        store,
        keyring,
        reach,
        web,
        listed: web,
        clock: clock.clone(),
        person_bytes: None,
        folder: std::env::temp_dir(),
        engine,
        terminal: TerminalUse::Members,
        programs: None,
        side_calls: false,
        passwords: HashCost::least(),
        // Nothing answers there.
        open_data: open_data::at("http://127.0.0.1:9"),
        searxng: None,
        sentence_in: |language, english| match language {
            Language::English => english.into(),
            Language::German => format!("[de] {english}").into(),
        },
        web_contact: None,
        mail: None,
        log: None,
        traces: None,
        nats: None,
    }
}

async fn open_store(folder: &TempDir, url: Option<&str>) -> Result<Store, OpenError> {
    match url {
        None => Store::open_folder(folder.path()).await,
        // Each connection is a process, and most of what it costs is to begin.
        Some(url) => Store::open_url(&format!("{url}?connection_limit=4")).await,
    }
}

/// The server that has this database, and what the database is called there.
fn server_of(url: &str) -> (String, String) {
    let mut server = url::Url::parse(url).expect("a URL");
    let name = server.path().trim_start_matches('/').to_owned();
    server.set_path("postgres");
    (server.to_string(), name)
}

async fn psql(url: &str, statement: &str) {
    sqlx::any::install_default_drivers();
    let pool = sqlx::AnyPool::connect(url).await.expect("PostgreSQL answers");
    sqlx::query(sqlx::AssertSqlSafe(statement.to_owned())).execute(&pool).await.expect("it is SQL");
    pool.close().await;
}
