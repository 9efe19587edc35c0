//! Places that many share. Nobody takes more of them than are still free, so that whoever comes next finds
//! some, and those who wait are let in in turn: one of each, however many wait behind.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// Too many of the same wait already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct QueueFull;

/// By `K` those who share are told apart.
#[derive(Debug)]
pub(crate) struct FairQueue<K: Hash + Eq + Clone>(Arc<Mutex<State<K>>>);

#[derive(Debug)]
struct State<K: Hash + Eq + Clone> {
    free: usize,
    /// How many of one may wait, and of all.
    waiting_of_one: usize,
    waiting_of_all: usize,
    /// Who has no place and waits for none is not kept.
    all: HashMap<K, KeyState<K>>,
    /// Who waits, the next one first.
    turns: VecDeque<K>,
}

#[derive(Debug)]
struct KeyState<K: Hash + Eq + Clone> {
    inside: usize,
    waiting: VecDeque<oneshot::Sender<Permit<K>>>,
}

/// Given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Permit<K: Hash + Eq + Clone> {
    queue: Arc<Mutex<State<K>>>,
    key: K,
}

/// Somebody whose turn it is, to be told once nothing is locked any more.
type Admitted<K> = (oneshot::Sender<Permit<K>>, Permit<K>);

impl<K: Hash + Eq + Clone> FairQueue<K> {
    /// One alone takes half of the places: the other half is for whoever comes.
    pub(crate) fn new(places: usize, waiting_of_one: usize) -> Self {
        Self::bounded(places, waiting_of_one, usize::MAX)
    }

    /// The same for those of whom there may be any number.
    pub(crate) fn bounded(places: usize, waiting_of_one: usize, waiting_of_all: usize) -> Self {
        let (all, turns) = (HashMap::new(), VecDeque::new());
        Self(Arc::new(Mutex::new(State { free: places, waiting_of_one, waiting_of_all, all, turns })))
    }

    /// Waits for a place. Who stops waiting loses nothing but their turn.
    pub(crate) async fn enter(&self, key: &K) -> Result<Permit<K>, QueueFull> {
        let turn = {
            let mut state = lock(&self.0);
            if state.admits(key) && state.waits(key) == 0 {
                return Ok(state.take(&self.0, key));
            }
            state.wait(key)?
        };
        // A queue that is gone has nobody who could give a place.
        turn.await.map_err(|_| QueueFull)
    }

    #[cfg(test)]
    pub(crate) fn waiting(&self, key: &K) -> usize {
        lock(&self.0).waits(key)
    }
}

impl<K: Hash + Eq + Clone> State<K> {
    fn admits(&self, key: &K) -> bool {
        self.all.get(key).map_or(0, |one| one.inside) < self.free
    }

    /// How many wait who are still there.
    fn waits(&mut self, key: &K) -> usize {
        let Some(one) = self.all.get_mut(key) else { return 0 };
        one.waiting.retain(|waiting| !waiting.is_closed());
        one.waiting.len()
    }

    fn one(&mut self, key: &K) -> &mut KeyState<K> {
        self.all.entry(key.clone()).or_insert_with(|| KeyState { inside: 0, waiting: VecDeque::new() })
    }

    fn take(&mut self, queue: &Arc<Mutex<Self>>, key: &K) -> Permit<K> {
        self.free -= 1;
        self.one(key).inside += 1;
        Permit { queue: Arc::clone(queue), key: key.clone() }
    }

    fn wait(&mut self, key: &K) -> Result<oneshot::Receiver<Permit<K>>, QueueFull> {
        let all: usize = self.all.values().map(|one| one.waiting.len()).sum();
        if self.waits(key) >= self.waiting_of_one || all >= self.waiting_of_all {
            return Err(QueueFull);
        }
        let (told, turn) = oneshot::channel();
        self.one(key).waiting.push_back(told);
        if !self.turns.contains(key) {
            self.turns.push_back(key.clone());
        }
        Ok(turn)
    }

    /// Gives free places to those whose turn it is, until nobody who waits may have one.
    fn let_in(&mut self, queue: &Arc<Mutex<Self>>) -> Vec<Admitted<K>> {
        let (mut let_in, mut passed_over) = (Vec::new(), 0);
        while passed_over < self.turns.len() {
            let Some(key) = self.turns.pop_front() else { break };
            if self.waits(&key) == 0 {
                self.forget(&key);
                continue;
            }
            if !self.admits(&key) {
                self.turns.push_back(key);
                passed_over += 1;
                continue;
            }
            let next = self.one(&key).waiting.pop_front();
            if let Some(next) = next {
                let_in.push((next, self.take(queue, &key)));
            }
            self.turns.push_back(key);
            passed_over = 0;
        }
        let_in
    }

    fn forget(&mut self, key: &K) {
        if self.all.get(key).is_some_and(|one| one.inside == 0 && one.waiting.is_empty()) {
            self.all.remove(key);
        }
    }
}

impl<K: Hash + Eq + Clone> Drop for Permit<K> {
    fn drop(&mut self) {
        let let_in = {
            let mut state = lock(&self.queue);
            state.free += 1;
            state.one(&self.key).inside -= 1;
            state.forget(&self.key);
            state.let_in(&self.queue)
        };
        for (told, place) in let_in {
            // The place of one who left in this moment is dropped here, which lets in the next.
            told.send(place).ok();
        }
    }
}

fn lock<K: Hash + Eq + Clone>(queue: &Mutex<State<K>>) -> MutexGuard<'_, State<K>> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
