//! What was read and is needed again at once. It is good until this process writes, and no longer than
//! another one may go on with what it knew: of a database that several share nobody hears who writes.

use super::Store;
use crate::error::Result;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

const FRESH: Duration = Duration::from_millis(500);
/// Values that are kept.
const MAX_ENTRIES: usize = 10_000;

#[derive(Debug)]
pub(crate) struct ReadCache<K, V>(Mutex<HashMap<K, CacheEntry<V>>>);

#[derive(Debug)]
struct CacheEntry<V> {
    value: V,
    /// From before it was read.
    writes: u64,
    at: Instant,
}

impl<K: Eq + Hash, V: Clone> ReadCache<K, V> {
    /// What `read` finds, or what it found a moment ago.
    pub(crate) async fn get(
        &self,
        store: &Store,
        key: K,
        read: impl Future<Output = Result<V>> + Send,
    ) -> Result<V> {
        let (writes, at) = (store.writes(), Instant::now());
        if let Some(kept) = self.lock().get(&key)
            && kept.is_good(writes, at)
        {
            return Ok(kept.value.clone());
        }
        let value = read.await?;
        let mut all = self.lock();
        if all.len() >= MAX_ENTRIES {
            all.retain(|_, kept| kept.is_good(writes, at));
        }
        if all.len() < MAX_ENTRIES {
            all.insert(key, CacheEntry { value: value.clone(), writes, at });
        }
        Ok(value)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<K, CacheEntry<V>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<V> CacheEntry<V> {
    fn is_good(&self, writes: u64, now: Instant) -> bool {
        self.writes == writes && now.saturating_duration_since(self.at) < FRESH
    }
}

impl<K, V> Default for ReadCache<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

#[cfg(test)]
mod tests;
