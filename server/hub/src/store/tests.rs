#![expect(clippy::disallowed_methods, reason = "what a test starts belongs to the test")]

mod pooler;
mod upgrades;

use super::{DatabaseUrl, PackTime, Store, Writers, query};
use crate::error::Result;
use futures_util::FutureExt;
use futures_util::future::join_all;
use std::fs;
use std::sync::{Arc, Mutex};
use tempfile::TempDir;
use tokio::task::yield_now;

struct World {
    store: Store,
    folder: TempDir,
}

impl World {
    async fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let store = Store::open_folder(folder.path()).await.unwrap();
        Self { store, folder }
    }

    /// Keys in the order in which they were written.
    async fn written(&self) -> Vec<String> {
        query("SELECT key FROM settings WHERE value = 'test' ORDER BY rowid", ())
            .fetch_all(self.store.read())
            .await
            .unwrap()
    }

    async fn remove(&self, key: &str) {
        let mut tx = self.store.write().await.unwrap();
        query("DELETE FROM settings WHERE key = $1", (key,)).execute(&mut *tx).await.unwrap();
        self.store.leave_nothing(&mut tx).await.unwrap();
        tx.commit().await.unwrap();
    }

    fn is_in_file(&self, words: &str) -> bool {
        ["vivarium.db", "vivarium.db-wal"].iter().any(|name| {
            let bytes = fs::read(self.folder.path().join(name)).unwrap_or_default();
            bytes.windows(words.len()).any(|window| window == words.as_bytes())
        })
    }
}

async fn put(tx: &mut super::Transaction, key: &str) -> Result<()> {
    query("INSERT INTO settings (key, value) VALUES ($1, 'test')", (key,)).execute(&mut **tx).await.map(drop)
}

#[tokio::test]
async fn transactions_that_wait_for_each_other_share_one_commit_in_their_order() {
    let world = World::new().await;
    let mut first = world.store.write().await.unwrap();
    let told = Arc::new(Mutex::new(Vec::new()));
    let others = (0..20).map(|number| {
        let (store, told) = (world.store.clone(), Arc::clone(&told));
        tokio::spawn(async move {
            let mut tx = store.write().await.unwrap();
            put(&mut tx, &format!("other {number:02}")).await.unwrap();
            tx.commit_then(move || told.lock().unwrap().push(format!("other {number:02}"))).await.unwrap();
        })
    });
    let others: Vec<_> = others.collect();
    put(&mut first, "first").await.unwrap();
    // Until each of them waits.
    yield_now().await;
    first.commit().await.unwrap();
    join_all(others).await;
    assert_eq!(world.store.written().await.commits, 1);
    let written = world.written().await;
    assert_eq!(written.len(), 21);
    assert_eq!(written[1..], **told.lock().unwrap());
}

#[tokio::test]
async fn one_that_is_taken_back_takes_nothing_of_its_group_with_it() {
    let world = World::new().await;
    for (ending, says) in
        [(Ending::Dropped, "dropped"), (Ending::RolledBack, "rolled"), (Ending::Failed, "failed")]
    {
        let mut first = world.store.write().await.unwrap();
        put(&mut first, &format!("{says} 1")).await.unwrap();
        let store = world.store.clone();
        let middle = tokio::spawn(async move {
            let mut tx = store.write().await.unwrap();
            put(&mut tx, &format!("{says} 2")).await.unwrap();
            match ending {
                Ending::Dropped => drop(tx),
                Ending::RolledBack => tx.rollback().await.unwrap(),
                Ending::Failed => put(&mut tx, &format!("{says} 2")).await.unwrap_err().to_string().clear(),
            }
        });
        let store = world.store.clone();
        let last = tokio::spawn(async move {
            let mut tx = store.write().await.unwrap();
            put(&mut tx, &format!("{says} 3")).await.unwrap();
            tx.commit().await.unwrap();
        });
        yield_now().await;
        first.commit().await.unwrap();
        middle.await.unwrap();
        last.await.unwrap();
        let written = world.written().await;
        assert_eq!(written[written.len() - 2..], [format!("{says} 1"), format!("{says} 3")]);
    }
}

#[derive(Clone, Copy)]
enum Ending {
    Dropped,
    RolledBack,
    Failed,
}

#[tokio::test]
async fn what_one_saw_before_it_gave_up_is_there_for_all_who_read() {
    let world = World::new().await;
    let mut first = world.store.write().await.unwrap();
    put(&mut first, "first").await.unwrap();
    let store = world.store.clone();
    let second = tokio::spawn(async move {
        let mut tx = store.write().await.unwrap();
        let taken = put(&mut tx, "first").await.is_err();
        tx.rollback().await.unwrap();
        taken
    });
    yield_now().await;
    assert!(first.commit().now_or_never().is_none());
    assert!(second.await.unwrap());
    assert_eq!(world.written().await, ["first"]);
}

#[tokio::test]
async fn a_commit_that_was_asked_for_happens_though_nobody_waits() {
    let world = World::new().await;
    let mut tx = world.store.write().await.unwrap();
    put(&mut tx, "asked").await.unwrap();
    assert!(tx.commit().now_or_never().is_none());
    // The next one is behind it.
    world.store.write().await.unwrap().commit().await.unwrap();
    assert_eq!(world.written().await, ["asked"]);
}

#[tokio::test]
async fn who_hangs_up_while_beginning_is_in_nobodys_way() {
    let world = World::new().await;
    for _ in 0..20 {
        drop(world.store.write().now_or_never());
    }
    let held = world.store.write().await.unwrap();
    let mut waiting: Vec<_> = (0..5).map(|_| Box::pin(world.store.write())).collect();
    for one in &mut waiting {
        assert!(one.now_or_never().is_none());
    }
    held.commit().now_or_never();
    drop(waiting);
    let mut tx = world.store.write().await.unwrap();
    put(&mut tx, "after").await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(world.written().await, ["after"]);
}

#[tokio::test]
async fn who_hangs_up_while_a_large_statement_runs_has_written_nothing() {
    let world = World::new().await;
    let mut tx = world.store.write().await.unwrap();
    put(&mut tx, "before").await.unwrap();
    let large =
        query("INSERT INTO settings (key, value) VALUES ('large', $1)", ("x".repeat(32 * 1024 * 1024),));
    assert!(large.execute(&mut *tx).now_or_never().is_none(), "it runs where nobody else waits");
    assert!(put(&mut tx, "after").await.is_err());
    assert!(tx.commit().await.is_err());
    let mut tx = world.store.write().await.unwrap();
    put(&mut tx, "next").await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(world.written().await, ["next"]);
    let large = query("SELECT 1 FROM settings WHERE key = 'large'", ()).exists(world.store.read()).await;
    assert!(!large.unwrap());
}

#[tokio::test]
async fn a_read_gives_the_same_wherever_it_runs() {
    let world = World::new().await;
    let long =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1) SELECT COUNT(*) FROM n";
    // What takes long is broken off, and made elsewhere from then on.
    for count in [200_000_i64, 200_000, 3, 2] {
        let found: i64 = query(long, (count,)).fetch_one(world.store.read()).await.unwrap();
        assert_eq!(found, count);
        assert!(world.store.read().is_known_as_long(long), "{count}");
    }
    world.store.close().await;
    assert!(query(long, (1_i64,)).fetch_one::<i64>(world.store.read()).await.is_err());
}

#[tokio::test]
async fn what_another_process_writes_is_waited_for() {
    let world = World::new().await;
    let beside = Store::open_folder(world.folder.path()).await.unwrap();
    let other = beside.write().await.unwrap();
    let mut waiting = Box::pin(world.store.write());
    assert!((&mut waiting).now_or_never().is_none());
    other.rollback().await.unwrap();
    let mut tx = waiting.await.unwrap();
    put(&mut tx, "waited").await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(world.written().await, ["waited"]);
}

#[tokio::test]
async fn what_need_not_stand_at_once_is_there_with_the_next_commit_and_soon_in_any_case() {
    let world = World::new().await;
    for with_another in [true, false] {
        let key = format!("soon {with_another}");
        let mut tx = world.store.write().await.unwrap();
        put(&mut tx, &key).await.unwrap();
        tx.commit_soon().await.unwrap();
        if with_another {
            world.store.write().await.unwrap().commit().await.unwrap();
            assert_eq!(world.written().await, [key]);
            continue;
        }
        while world.written().await.last() != Some(&key) {
            yield_now().await;
        }
    }
}

#[tokio::test]
async fn what_nobody_committed_before_the_end_is_not_there_after_it() {
    let world = World::new().await;
    let mut tx = world.store.write().await.unwrap();
    put(&mut tx, "lost").await.unwrap();
    drop(tx);
    world.store.close().await;
    assert!(world.store.write().await.is_err());
    let again = Store::open_folder(world.folder.path()).await.unwrap();
    let world = World { store: again, folder: world.folder };
    assert!(world.written().await.is_empty());
}

#[test]
fn an_address_says_how_many_connections_there_are_and_postgresql_is_not_told() {
    for (url, expected) in [
        ("postgres://db/hub", Ok(("postgres://db/hub", 16))),
        ("postgres://db/hub?sslmode=require", Ok(("postgres://db/hub?sslmode=require", 16))),
        ("postgresql://db/hub?connection_limit=4", Ok(("postgresql://db/hub", 4))),
        ("postgres://db?a=1&connection_limit=40&b=2", Ok(("postgres://db?a=1&b=2", 40))),
        ("postgres://db/hub?connection_limit=1", Err(())),
        ("postgres://db/hub?connection_limit=many", Err(())),
    ] {
        let named = DatabaseUrl::named(url);
        let found = match &named {
            Ok(DatabaseUrl::Postgres { url, connections }) => Ok((url.as_str(), *connections)),
            Ok(DatabaseUrl::Sqlite { .. }) => panic!("{url}"),
            Err(_) => Err(()),
        };
        assert_eq!(found, expected, "{url}");
    }
}

#[tokio::test]
async fn what_is_removed_while_the_file_is_written_anew_is_not_left_in_it() {
    let world = World::new().await;
    let (first, second) = ("fernscanary", "mossescanary");
    let mut tx = world.store.write().await.unwrap();
    for key in [first, second] {
        put(&mut tx, key).await.unwrap();
    }
    tx.commit().await.unwrap();
    world.remove(first).await;
    let (packed, ()) = tokio::join!(world.store.pack(PackTime::Day), world.remove(second));
    packed.unwrap();
    world.store.pack(PackTime::Day).await.unwrap();
    for key in [first, second] {
        assert!(!world.is_in_file(key), "{key}");
    }
    let due = query("SELECT 1 FROM settings WHERE key = 'pack_due'", ()).exists(world.store.read()).await;
    assert!(!due.unwrap());
}

#[tokio::test]
async fn a_store_whose_file_is_written_anew_is_well_although_nobody_can_write() {
    let world = World::new().await;
    world.remove("nothing").await;
    let writing = world.store.write().await.unwrap();
    let store = world.store.clone();
    let packing = tokio::spawn(async move { store.pack(PackTime::Night).await });
    let Writers::Sqlite(writer) = &world.store.writers else { panic!("a file") };
    while !writer.is_packing() {
        yield_now().await;
    }
    world.store.try_out().await.unwrap();
    drop(writing);
    packing.await.unwrap().unwrap();
    assert!(!writer.is_packing());
    world.store.try_out().await.unwrap();
}
