//! Bytes of bodies that are being taken in, and of what they become: so many at a time for each person,
//! and so many in all.

use protocol::UserId;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[derive(Debug)]
pub struct Bodies {
    most: usize,
    most_of_one: usize,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    all: usize,
    /// Who holds none is not kept.
    by_person: HashMap<UserId, usize>,
}

/// What one body holds, given back when it is dropped.
#[derive(Debug)]
pub struct BodyRoom {
    bodies: Arc<Bodies>,
    person: UserId,
    bytes: usize,
}

/// Who is in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    /// The person's own bodies.
    Own,
    /// Those of all.
    All,
}

impl Bodies {
    pub fn new(most: usize, most_of_one: usize) -> Self {
        Self { most, most_of_one, held: Mutex::default() }
    }

    pub fn open(self: &Arc<Self>, person: UserId) -> BodyRoom {
        BodyRoom { bodies: Arc::clone(self), person, bytes: 0 }
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl BodyRoom {
    /// Takes more room, or says why there is none.
    pub fn grow(&mut self, bytes: usize) -> Result<(), Full> {
        let mut held = self.bodies.held();
        let own = held.by_person.get(&self.person).copied().unwrap_or(0);
        if own.saturating_add(bytes) > self.bodies.most_of_one {
            return Err(Full::Own);
        }
        if held.all.saturating_add(bytes) > self.bodies.most {
            return Err(Full::All);
        }
        held.all += bytes;
        held.by_person.insert(self.person.clone(), own + bytes);
        self.bytes += bytes;
        Ok(())
    }
}

impl Drop for BodyRoom {
    fn drop(&mut self) {
        let mut held = self.bodies.held();
        held.all -= self.bytes;
        let Some(own) = held.by_person.get_mut(&self.person) else { return };
        *own -= self.bytes;
        if *own == 0 {
            held.by_person.remove(&self.person);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_room_and_all_together_and_what_is_dropped_is_given_back() {
        let bodies = Arc::new(Bodies::new(100, 60));
        let (ada, eve) = (UserId::from("ada"), UserId::from("eve"));
        let (mut first, mut second) = (bodies.open(ada.clone()), bodies.open(ada.clone()));
        assert_eq!(first.grow(40), Ok(()));
        assert_eq!(second.grow(20), Ok(()));
        assert_eq!(second.grow(1), Err(Full::Own));
        let mut other = bodies.open(eve);
        assert_eq!(other.grow(41), Err(Full::All));
        assert_eq!(other.grow(40), Ok(()));
        drop(first);
        assert_eq!(second.grow(40), Ok(()));
        assert_eq!(second.grow(usize::MAX), Err(Full::Own));
        drop((second, other));
        assert!(bodies.held().all == 0 && bodies.held().by_person.is_empty());
    }
}
