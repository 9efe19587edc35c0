use super::{CacheEntry, FRESH, ReadCache, Store};
use std::time::{Duration, Instant};
use tempfile::TempDir;

async fn store() -> (Store, TempDir) {
    let folder = TempDir::new().unwrap();
    (Store::open_folder(folder.path()).await.unwrap(), folder)
}

#[tokio::test]
async fn it_is_read_once_until_something_is_written() {
    let (store, _folder) = store().await;
    let remembered = ReadCache::default();
    let read = async |value: u32| remembered.get(&store, "key", async move { Ok(value) }).await.unwrap();
    assert_eq!((read(1).await, read(2).await), (1, 1));
    store.write_uncached().await.unwrap().commit().await.unwrap();
    assert_eq!(read(3).await, 1);
    drop(store.write().await.unwrap());
    assert_eq!(read(4).await, 1);
    store.write().await.unwrap().commit().await.unwrap();
    assert_eq!((read(5).await, read(6).await), (5, 5));
}

#[tokio::test]
async fn what_was_read_before_a_write_is_not_kept_after_it() {
    let (store, _folder) = store().await;
    let remembered = ReadCache::default();
    let old = remembered.get(&store, "key", async {
        store.write().await?.commit().await?;
        Ok("old")
    });
    assert_eq!(old.await.unwrap(), "old");
    assert_eq!(remembered.get(&store, "key", async { Ok("new") }).await.unwrap(), "new");
}

#[test]
fn it_is_good_for_a_moment_only_because_others_write_as_well() {
    let at = Instant::now();
    let kept = CacheEntry { value: (), writes: 7, at };
    for (writes, later, expect) in [
        (7, Duration::ZERO, true),
        (7, FRESH - Duration::from_millis(1), true),
        (7, FRESH, false),
        (8, Duration::ZERO, false),
    ] {
        assert_eq!(kept.is_good(writes, at + later), expect, "{writes} {later:?}");
    }
}
