//! Room for bytes that are being taken in (bodies, messages of sockets, replies of models) and for what they
//! become: so much at a time for each person, and so much in all.

use protocol::UserId;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[derive(Debug)]
pub struct ByteQuota {
    most: usize,
    most_of_one: usize,
    held: Mutex<ByteCounts>,
}

#[derive(Debug, Default)]
struct ByteCounts {
    all: usize,
    /// Who holds none is not kept.
    by_person: HashMap<UserId, usize>,
}

/// What one holds, given back when it is dropped.
#[derive(Debug)]
pub struct ByteReservation {
    rooms: Arc<ByteQuota>,
    person: UserId,
    bytes: usize,
}

/// Who is in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuotaFull {
    /// What the person holds already.
    Own,
    /// What all hold.
    All,
}

impl ByteQuota {
    pub fn new(most: usize, most_of_one: usize) -> Self {
        Self { most, most_of_one, held: Mutex::default() }
    }

    pub fn open(self: &Arc<Self>, person: UserId) -> ByteReservation {
        ByteReservation { rooms: Arc::clone(self), person, bytes: 0 }
    }

    fn held(&self) -> MutexGuard<'_, ByteCounts> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ByteReservation {
    /// Takes more room, or says why there is none.
    pub fn grow(&mut self, bytes: usize) -> Result<(), QuotaFull> {
        if bytes == 0 {
            return Ok(());
        }
        let mut held = self.rooms.held();
        let own = held.by_person.get(&self.person).copied().unwrap_or(0);
        if own.saturating_add(bytes) > self.rooms.most_of_one {
            return Err(QuotaFull::Own);
        }
        if held.all.saturating_add(bytes) > self.rooms.most {
            return Err(QuotaFull::All);
        }
        held.all += bytes;
        held.by_person.insert(self.person.clone(), own + bytes);
        self.bytes += bytes;
        Ok(())
    }

    /// Gives all of it back, and goes on.
    pub fn empty(&mut self) {
        self.shrink(self.bytes);
    }

    /// Gives so much of it back, at most all.
    pub fn shrink(&mut self, bytes: usize) {
        let bytes = bytes.min(self.bytes);
        self.bytes -= bytes;
        let mut held = self.rooms.held();
        held.all -= bytes;
        let Some(own) = held.by_person.get_mut(&self.person) else { return };
        *own -= bytes;
        if *own == 0 {
            held.by_person.remove(&self.person);
        }
    }
}

impl Drop for ByteReservation {
    fn drop(&mut self) {
        self.empty();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_room_and_all_together_and_what_is_dropped_is_given_back() {
        let rooms = Arc::new(ByteQuota::new(100, 60));
        let (ada, eve) = (UserId::from("ada"), UserId::from("eve"));
        let (mut first, mut second) = (rooms.open(ada.clone()), rooms.open(ada.clone()));
        assert_eq!(first.grow(40), Ok(()));
        assert_eq!(second.grow(20), Ok(()));
        assert_eq!(second.grow(1), Err(QuotaFull::Own));
        let mut other = rooms.open(eve);
        assert_eq!(other.grow(41), Err(QuotaFull::All));
        assert_eq!(other.grow(40), Ok(()));
        other.shrink(15);
        assert_eq!(other.grow(16), Err(QuotaFull::All));
        assert_eq!(other.grow(15), Ok(()));
        drop(first);
        assert_eq!(second.grow(40), Ok(()));
        assert_eq!(second.grow(usize::MAX), Err(QuotaFull::Own));
        drop((second, other));
        assert!(rooms.held().all == 0 && rooms.held().by_person.is_empty());
    }
}
