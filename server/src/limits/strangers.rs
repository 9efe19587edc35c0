//! Connections on which nobody has signed in yet: so many at a time for each address. One more is let
//! in, and the oldest of them has to go: so who says nothing keeps nobody out, and somebody who is about
//! to sign in, or comes back signed in, needs only the moment of a request.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

#[derive(Debug)]
pub struct Strangers {
    most: usize,
    next: AtomicU64,
    /// The oldest first. An address without any is not kept.
    here: Mutex<HashMap<IpAddr, VecDeque<Seat>>>,
}

#[derive(Debug)]
struct Seat {
    number: u64,
    given_up: CancellationToken,
}

/// One connection of a stranger's. Counted until it is dropped, or until somebody signs in on it.
#[derive(Debug)]
pub struct Stranger {
    given_up: CancellationToken,
    counted: Option<Counted>,
}

#[derive(Debug)]
struct Counted {
    strangers: Arc<Strangers>,
    address: IpAddr,
    number: u64,
}

impl Strangers {
    /// 0 is no limit.
    pub fn new(most: u32) -> Self {
        Self {
            most: usize::try_from(most).unwrap_or(usize::MAX),
            next: AtomicU64::new(0),
            here: Mutex::default(),
        }
    }

    pub fn let_in(self: &Arc<Self>, address: IpAddr) -> Stranger {
        if self.most == 0 {
            return Stranger::uncounted();
        }
        let given_up = CancellationToken::new();
        let mut here = self.lock();
        // Under the lock, so that numbers rise from the front to the back.
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let seats = here.entry(address).or_default();
        while seats.len() >= self.most
            && let Some(oldest) = seats.pop_front()
        {
            oldest.given_up.cancel();
        }
        seats.push_back(Seat { number, given_up: given_up.clone() });
        let counted = Counted { strangers: Arc::clone(self), address, number };
        Stranger { given_up, counted: Some(counted) }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, VecDeque<Seat>>> {
        self.here.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stranger {
    pub fn uncounted() -> Self {
        Self { given_up: CancellationToken::new(), counted: None }
    }

    /// Somebody signed in: from now on it makes room for nobody.
    pub fn welcome(&self) {
        if let Some(counted) = &self.counted {
            counted.leave();
        }
    }

    /// Comes when the connection has to make room.
    pub fn given_up(&self) -> WaitForCancellationFutureOwned {
        self.given_up.clone().cancelled_owned()
    }
}

impl Counted {
    fn leave(&self) {
        let mut here = self.strangers.lock();
        let Some(seats) = here.get_mut(&self.address) else { return };
        if let Ok(at) = seats.binary_search_by_key(&self.number, |seat| seat.number) {
            seats.remove(at);
        }
        if seats.is_empty() {
            here.remove(&self.address);
        }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.leave();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_makes_room_and_who_signed_in_does_not() {
        let strangers = Arc::new(Strangers::new(2));
        let (here, there) = ("192.0.2.1".parse().unwrap(), "192.0.2.2".parse().unwrap());
        let (first, second) = (strangers.let_in(here), strangers.let_in(here));
        let other = strangers.let_in(there);
        first.welcome();
        first.welcome();
        let third = strangers.let_in(here);
        assert_eq!(gone(&[&first, &second, &third]), [false, false, false]);
        let fourth = strangers.let_in(here);
        assert_eq!(gone(&[&first, &second, &third, &fourth]), [false, true, false, false]);
        // One that made room gives none back.
        drop(second);
        let fifth = strangers.let_in(here);
        assert_eq!(gone(&[&first, &third, &fourth, &fifth, &other]), [false, true, false, false, false]);
        drop((first, third, fourth, fifth, other));
        assert!(strangers.lock().is_empty());
    }

    #[test]
    fn nothing_is_no_limit() {
        let strangers = Arc::new(Strangers::new(0));
        let all: Vec<_> = (0..1000).map(|_| strangers.let_in("192.0.2.1".parse().unwrap())).collect();
        assert!(strangers.lock().is_empty() && all.iter().all(|one| !one.given_up.is_cancelled()));
    }

    fn gone(all: &[&Stranger]) -> Vec<bool> {
        all.iter().map(|one| one.given_up.is_cancelled()).collect()
    }
}
