//! What was found and is likely to be wanted again, in memory: so many bytes for each person, and so many in all. Who
//! finds much pushes out what they found before, and nobody else's.

use protocol::UserId;
use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What one takes besides its own bytes, about.
const BESIDE: usize = 128;

#[derive(Debug)]
pub(crate) struct FairCache<K, V> {
    most: usize,
    most_of_one: usize,
    /// Who has none is not kept.
    all: Mutex<HashMap<UserId, VecDeque<Kept<K, V>>>>,
}

#[derive(Debug)]
struct Kept<K, V> {
    key: K,
    value: V,
    bytes: usize,
}

impl<K: PartialEq, V: Clone> FairCache<K, V> {
    pub(crate) fn new(most: usize, most_of_one: usize) -> Self {
        Self { most, most_of_one, all: Mutex::default() }
    }

    /// What this person found. It goes last of theirs from then on.
    pub(crate) fn find(&self, person: &UserId, key: &K) -> Option<V> {
        let mut all = self.lock();
        let own = all.get_mut(person)?;
        let at = own.iter().position(|kept| kept.key == *key)?;
        let kept = own.remove(at)?;
        let value = kept.value.clone();
        own.push_back(kept);
        Some(value)
    }

    /// What does not fit into the share of one is not kept, and pushes out nothing. Of all the person's own goes first,
    /// and then that of who has most.
    pub(crate) fn keep(&self, person: &UserId, key: K, value: V, bytes: usize) {
        let bytes = bytes.saturating_add(BESIDE);
        if bytes > self.most_of_one {
            return;
        }
        let mut all = self.lock();
        let own = all.entry(person.clone()).or_default();
        own.retain(|kept| kept.key != key);
        own.push_back(Kept { key, value, bytes });
        while bytes_of(own) > self.most_of_one {
            own.pop_front();
        }
        while all.values().map(bytes_of).sum::<usize>() > self.most {
            let Some(most) = all.values_mut().max_by_key(|own| bytes_of(own)) else { break };
            most.pop_front();
            all.retain(|_, own| !own.is_empty());
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<UserId, VecDeque<Kept<K, V>>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn bytes_of<K, V>(own: &VecDeque<Kept<K, V>>) -> usize {
    own.iter().map(|kept| kept.bytes).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Room for eight that take all that they may beside what each takes anyway, and for four of one person.
    fn cache() -> FairCache<u32, u32> {
        FairCache::new(8 * 1000, 4 * 1000)
    }

    const ONE: usize = 1000 - BESIDE;

    fn has(cache: &FairCache<u32, u32>, person: &UserId, keys: impl IntoIterator<Item = u32>) -> Vec<u32> {
        let all = cache.lock();
        let own = all.get(person);
        keys.into_iter()
            .filter(|key| own.is_some_and(|own| own.iter().any(|kept| kept.key == *key)))
            .collect()
    }

    #[test]
    fn who_finds_much_pushes_out_what_they_found_before_and_nobody_else_s() {
        let cache = cache();
        let [ada, ben, eve] = ["ada", "ben", "eve"].map(UserId::from);
        cache.keep(&ben, 1, 10, ONE);
        for key in 0..4 {
            cache.keep(&ada, key, key, ONE);
        }
        assert_eq!(cache.find(&ada, &0), Some(0));
        cache.keep(&ada, 4, 4, ONE);
        assert_eq!(has(&cache, &ada, 0..5), [0, 2, 3, 4], "what was looked at last stays");
        assert_eq!(cache.find(&ben, &1), Some(10));
        assert_eq!(cache.find(&eve, &1), None, "what one found another did not");

        // Of all together who has most makes room.
        for key in 0..4 {
            cache.keep(&eve, key, key, ONE);
        }
        assert_eq!(has(&cache, &ada, 0..5).len() + has(&cache, &eve, 0..4).len(), 7);
        cache.keep(&ben, 2, 20, ONE);
        assert_eq!((has(&cache, &ada, 0..5), has(&cache, &eve, 0..4)), (vec![0, 3, 4], vec![1, 2, 3]));
        assert_eq!(has(&cache, &ben, 1..3), [1, 2]);
    }

    #[test]
    fn what_is_more_than_a_share_is_not_kept_and_pushes_out_nothing() {
        let cache = cache();
        let ada = UserId::from("ada");
        cache.keep(&ada, 1, 1, ONE);
        for bytes in [4 * 1000 - BESIDE + 1, usize::MAX] {
            cache.keep(&ada, 2, 2, bytes);
            assert_eq!(has(&cache, &ada, 1..3), [1], "{bytes}");
        }
        cache.keep(&ada, 2, 2, 4 * 1000 - BESIDE);
        assert_eq!(has(&cache, &ada, 1..3), [2]);
        cache.keep(&ada, 2, 3, 0);
        cache.keep(&ada, 1, 1, ONE);
        assert_eq!(
            (cache.find(&ada, &1), cache.find(&ada, &2)),
            (Some(1), Some(3)),
            "what is found anew is kept once"
        );
        for key in 0..1000 {
            cache.keep(&ada, key, key, 0);
        }
        assert_eq!(has(&cache, &ada, 0..1000).len(), 4 * 1000 / BESIDE, "what is empty takes room too");
    }
}
