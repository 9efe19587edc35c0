//! Transactions that nobody waits for any more.

use crate::talk::{PATIENCE, a_moment};
use crate::world::{World, each_store};
use futures_util::poll;
use hub::store::{Dialect, Store};
use sqlx::Row as _;

#[tokio::test]
async fn a_transaction_that_nobody_waits_for_any_more_holds_no_connection() {
    each_store(async |world: World| {
        let (store, beside) = (world.store().await, world.store().await);
        for patience in (0..4).cycle().take(40) {
            let mut begun = Box::pin(store.write());
            for _ in 0..=patience {
                if poll!(&mut begun).is_ready() {
                    break;
                }
                a_moment().await;
            }
            drop(begun);
            let closed = tokio::time::timeout(PATIENCE, none_is_open(&beside)).await;
            closed.expect("its transaction is taken back");
        }
        // And whoever comes next can write.
        store.write().await.unwrap().commit().await.unwrap();
        store.close().await;
        beside.close().await;
    })
    .await;
}

/// Returns when the database sees no connection that waits within a transaction. With SQLite there is but one that
/// writes.
async fn none_is_open(store: &Store) {
    let open = "SELECT COUNT(*) FROM pg_stat_activity
                WHERE datname = current_database() AND state LIKE 'idle in transaction%'";
    while store.dialect() == Dialect::Postgres
        && sqlx::query(open).fetch_one(store.read()).await.unwrap().get::<i64, _>(0) > 0
    {
        a_moment().await;
    }
}
