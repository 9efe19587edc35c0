//! So many at a time for each key; whoever comes then waits for their turn. A key that nobody waits for or
//! holds is not kept.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

#[derive(Debug)]
pub struct QueuedLimit<K> {
    most: usize,
    taken: Mutex<HashMap<K, Arc<Semaphore>>>,
}

/// One turn, given back when it is dropped.
#[derive(Debug)]
pub struct QueuedPermit<K: Hash + Eq> {
    turns: Arc<QueuedLimit<K>>,
    key: K,
    permit: Option<OwnedSemaphorePermit>,
}

impl<K: Hash + Eq + Clone> QueuedLimit<K> {
    pub fn new(most: usize) -> Self {
        Self { most, taken: Mutex::default() }
    }

    pub async fn take(self: &Arc<Self>, key: K) -> QueuedPermit<K> {
        let queue =
            Arc::clone(self.lock().entry(key.clone()).or_insert_with(|| Arc::new(Semaphore::new(self.most))));
        // Lets go of the key also when nobody waits any more.
        let mut turn = QueuedPermit { turns: Arc::clone(self), key, permit: None };
        turn.permit = queue.acquire_owned().await.ok();
        turn
    }
}

impl<K: Hash + Eq> QueuedLimit<K> {
    fn lock(&self) -> MutexGuard<'_, HashMap<K, Arc<Semaphore>>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Hash + Eq> Drop for QueuedPermit<K> {
    fn drop(&mut self) {
        let mut taken = self.turns.lock();
        self.permit = None;
        // Whoever has a turn or waits for one holds the queue as well.
        if taken.get(&self.key).is_some_and(|queue| Arc::strong_count(queue) == 1) {
            taken.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    #[tokio::test]
    async fn who_comes_when_all_turns_are_taken_waits_for_one_and_nothing_is_kept() {
        let turns = Arc::new(QueuedLimit::new(2));
        let first = turns.take("ada").await;
        let second = turns.take("ada").await;
        let mut third = Box::pin(turns.take("ada"));
        assert!(third.as_mut().now_or_never().is_none());
        let other = turns.take("eve").await;
        drop(first);
        let third = third.await;
        let given_up = Box::pin(turns.take("ada")).now_or_never();
        assert!(given_up.is_none());
        drop((second, third, other));
        assert!(turns.lock().is_empty());
    }
}
