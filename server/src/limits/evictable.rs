//! Connections, so many at a time for each who has some, and so many of all together. One more is let in,
//! and the oldest has to go, where all are too many that of whoever has most. Strangers are told apart by
//! address: so who says nothing keeps nobody out, and somebody who is about to sign in, or comes back signed
//! in, needs only the moment of a request. From then on the connection is that person's.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

#[derive(Debug)]
pub struct EvictableLimit<K> {
    most_of_one: usize,
    most_of_all: usize,
    here: Mutex<Occupancy<K>>,
    /// Told of each that had to go and is gone.
    gone: Arc<Notify>,
}

#[derive(Debug)]
struct Occupancy<K> {
    /// The oldest first. Who has none is not kept.
    taken: HashMap<K, VecDeque<Taken>>,
    count: usize,
    /// Those that had to go and have not gone yet.
    leaving: usize,
    next: u64,
}

#[derive(Debug)]
struct Taken {
    number: u64,
    given_up: CancellationToken,
}

/// One place, counted until it is dropped.
#[derive(Debug)]
pub struct EvictablePermit<K: Hash + Eq + Clone> {
    seats: Arc<EvictableLimit<K>>,
    key: K,
    number: u64,
}

impl<K: Hash + Eq + Clone> EvictableLimit<K> {
    pub fn new(most_of_one: usize, most_of_all: usize, gone: Arc<Notify>) -> Self {
        let here = Mutex::new(Occupancy { taken: HashMap::new(), count: 0, leaving: 0, next: 0 });
        Self { most_of_one: most_of_one.max(1), most_of_all: most_of_all.max(1), here, gone }
    }

    /// `given_up` is cancelled when the place is needed for somebody else.
    pub fn take(self: &Arc<Self>, key: K, given_up: CancellationToken) -> EvictablePermit<K> {
        let mut here = self.lock();
        while here.count_of(&key) >= self.most_of_one {
            here.give_up_oldest(&key);
        }
        while here.count >= self.most_of_all
            && let Some(largest) = here.largest_with(&key)
        {
            here.give_up_oldest(&largest);
        }
        let number = here.add(key.clone(), given_up);
        EvictablePermit { seats: Arc::clone(self), key, number }
    }

    /// How many had to make room and have not gone yet.
    pub fn leaving(&self) -> usize {
        self.lock().leaving
    }

    fn lock(&self) -> MutexGuard<'_, Occupancy<K>> {
        self.here.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Hash + Eq + Clone> Occupancy<K> {
    fn add(&mut self, key: K, given_up: CancellationToken) -> u64 {
        let number = self.next;
        self.next += 1;
        self.count += 1;
        self.taken.entry(key).or_default().push_back(Taken { number, given_up });
        number
    }

    fn count_of(&self, key: &K) -> usize {
        self.taken.get(key).map_or(0, VecDeque::len)
    }

    /// Whoever has most when this one has one more.
    fn largest_with(&self, newcomer: &K) -> Option<K> {
        let count = |key: &K, taken: &VecDeque<Taken>| taken.len() + usize::from(key == newcomer);
        self.taken.iter().max_by_key(|(key, taken)| count(key, taken)).map(|(key, _)| key.clone())
    }

    fn give_up_oldest(&mut self, key: &K) {
        if let Some(oldest) = self.taken.get_mut(key).and_then(VecDeque::pop_front) {
            oldest.given_up.cancel();
            self.count -= 1;
            self.leaving += 1;
        }
        self.forget_if_empty(key);
    }

    /// It is not counted any more, if it still was. `true`: it had to go.
    fn leave(&mut self, key: &K, number: u64) -> bool {
        let place = self.taken.get_mut(key).and_then(|taken| {
            taken.binary_search_by_key(&number, |one| one.number).ok().and_then(|at| taken.remove(at))
        });
        match &place {
            Some(_) => self.count -= 1,
            None => self.leaving -= 1,
        }
        self.forget_if_empty(key);
        place.is_none()
    }

    fn forget_if_empty(&mut self, key: &K) {
        if self.count_of(key) == 0 {
            self.taken.remove(key);
        }
    }
}

impl<K: Hash + Eq + Clone> Drop for EvictablePermit<K> {
    fn drop(&mut self) {
        let had_to_go = self.seats.lock().leave(&self.key, self.number);
        if had_to_go {
            self.seats.gone.notify_waiters();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Connection {
        given_up: CancellationToken,
        seat: Option<EvictablePermit<&'static str>>,
    }

    fn connect(seats: &Arc<EvictableLimit<&'static str>>, from: &'static str) -> Connection {
        let given_up = CancellationToken::new();
        Connection { seat: Some(seats.take(from, given_up.clone())), given_up }
    }

    fn gone(all: &[&Connection]) -> Vec<bool> {
        all.iter().map(|one| one.given_up.is_cancelled()).collect()
    }

    fn is_empty(seats: &EvictableLimit<&'static str>) {
        let here = seats.lock();
        assert!(here.taken.is_empty() && (here.count, here.leaving) == (0, 0), "{here:?}");
    }

    #[test]
    fn the_oldest_makes_room_and_who_is_not_counted_any_more_does_not() {
        let seats = Arc::new(EvictableLimit::new(2, 100, Arc::default()));
        let (mut first, second) = (connect(&seats, "here"), connect(&seats, "here"));
        let other = connect(&seats, "there");
        first.seat = None;
        let third = connect(&seats, "here");
        assert_eq!(gone(&[&first, &second, &third]), [false, false, false]);
        let fourth = connect(&seats, "here");
        assert_eq!(gone(&[&first, &second, &third, &fourth]), [false, true, false, false]);
        assert_eq!(seats.leaving(), 1);
        // One that made room gives none back.
        drop(second);
        assert_eq!(seats.leaving(), 0);
        let fifth = connect(&seats, "here");
        assert_eq!(gone(&[&first, &third, &fourth, &fifth, &other]), [false, true, false, false, false]);
        drop((first, third, fourth, fifth, other));
        is_empty(&seats);
    }

    #[test]
    fn where_all_are_too_many_the_oldest_of_whoever_has_most_makes_room() {
        let seats = Arc::new(EvictableLimit::new(usize::MAX, 4, Arc::default()));
        let crowd = [(); 3].map(|()| connect(&seats, "crowd"));
        let others = ["ada", "eve", "zoe"].map(|name| connect(&seats, name));
        assert_eq!(gone(&crowd.each_ref()), [true, true, false]);
        assert_eq!(gone(&others.each_ref()), [false; 3]);
        let more: Vec<_> = (0..100).map(|_| connect(&seats, "crowd")).collect();
        assert_eq!(seats.lock().count, 4);
        assert_eq!(gone(&others.each_ref()), [false; 3]);
        drop((crowd, others, more));
        is_empty(&seats);
    }
}
