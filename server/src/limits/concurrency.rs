//! Counted places: so many at a time for each key. A key without any is not kept.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[derive(Debug)]
pub struct ConcurrencyLimit<K> {
    most: u32,
    taken: Mutex<HashMap<K, u32>>,
}

/// One place, given back when it is dropped, or before.
#[derive(Debug)]
pub struct ConcurrencyPermit<K: Hash + Eq>(Mutex<Option<(Arc<ConcurrencyLimit<K>>, K)>>);

impl<K: Hash + Eq + Clone> ConcurrencyLimit<K> {
    /// 0 is no limit.
    pub fn new(most: u32) -> Self {
        Self { most, taken: Mutex::default() }
    }

    pub fn take(self: &Arc<Self>, key: K) -> Option<ConcurrencyPermit<K>> {
        if self.most == 0 {
            return Some(ConcurrencyPermit::uncounted());
        }
        let mut taken = self.lock();
        let count = taken.entry(key.clone()).or_insert(0);
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(ConcurrencyPermit(Mutex::new(Some((Arc::clone(self), key)))))
    }
}

impl<K: Hash + Eq> ConcurrencyLimit<K> {
    fn lock(&self) -> MutexGuard<'_, HashMap<K, u32>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn give_back(&self, key: &K) {
        let mut taken = self.lock();
        if let Some(count) = taken.get_mut(key) {
            *count -= 1;
            if *count == 0 {
                taken.remove(key);
            }
        }
    }
}

impl<K: Hash + Eq> ConcurrencyPermit<K> {
    pub fn uncounted() -> Self {
        Self(Mutex::new(None))
    }

    /// Makes room for others before the end.
    pub fn give_back(&self) {
        let place = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((places, key)) = place {
            places.give_back(&key);
        }
    }
}

impl<K: Hash + Eq> Drop for ConcurrencyPermit<K> {
    fn drop(&mut self) {
        self.give_back();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_given_back_once_and_nothing_is_kept_of_it() {
        let places = Arc::new(ConcurrencyLimit::new(2));
        let first = places.take("ada").unwrap();
        let second = places.take("ada").unwrap();
        assert!(places.take("ada").is_none());
        let other = places.take("eve").unwrap();
        first.give_back();
        first.give_back();
        let third = places.take("ada").unwrap();
        assert!(places.take("ada").is_none());
        drop((first, second, third, other));
        assert!(places.lock().is_empty());
    }

    #[test]
    fn nothing_is_no_limit() {
        let places = Arc::new(ConcurrencyLimit::new(0));
        let all: Vec<_> = (0..1000).map(|_| places.take("ada").unwrap()).collect();
        assert!(places.lock().is_empty() && all.len() == 1000);
    }
}
