//! Whose a connection is: a stranger's, until somebody signs in on it.

use super::evictable::{EvictableLimit, EvictablePermit};
use hub::rate_limit_key;
use protocol::UserId;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Notify;
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

/// Places of connections: strangers cannot take those of people who are signed in.
#[derive(Debug)]
pub struct Connections {
    strangers: Arc<EvictableLimit<IpAddr>>,
    people: Arc<EvictableLimit<UserId>>,
    /// Told of each that had to make room and has ended.
    gone: Arc<Notify>,
}

/// Who is at the other end of one connection.
#[derive(Debug)]
pub struct Guest {
    given_up: CancellationToken,
    seat: Mutex<Sitting>,
    people: Arc<EvictableLimit<UserId>>,
}

#[derive(Debug)]
enum Sitting {
    /// A proxy: everybody's requests come over it.
    Uncounted,
    Stranger(#[expect(dead_code, reason = "it counts until it is dropped")] EvictablePermit<IpAddr>),
    Person(#[expect(dead_code, reason = "it counts until it is dropped")] EvictablePermit<UserId>),
}

impl Connections {
    /// Of each address, where 0 is no limit, and of all that so many file descriptors are enough for.
    pub fn new(of_address: u32, descriptors: usize) -> Self {
        let of_address = if of_address == 0 { usize::MAX } else { of_address as usize };
        let gone = Arc::new(Notify::new());
        Self {
            strangers: Arc::new(EvictableLimit::new(of_address, descriptors / 2, Arc::clone(&gone))),
            people: Arc::new(EvictableLimit::new(descriptors / 4, usize::MAX, Arc::clone(&gone))),
            gone,
        }
    }

    pub fn let_in(&self, peer: IpAddr) -> Guest {
        let given_up = CancellationToken::new();
        let seat = Sitting::Stranger(self.strangers.take(rate_limit_key(peer), given_up.clone()));
        self.guest(given_up, seat)
    }

    pub fn let_in_uncounted(&self) -> Guest {
        self.guest(CancellationToken::new(), Sitting::Uncounted)
    }

    /// Ready when one that had to make room has ended; `None`: all of those have.
    pub fn one_gone(&self) -> Option<impl Future<Output = ()>> {
        let before = self.leaving();
        if before == 0 {
            return None;
        }
        Some(async move {
            loop {
                let mut gone = pin!(self.gone.notified());
                gone.as_mut().enable();
                if self.leaving() < before {
                    return;
                }
                gone.await;
            }
        })
    }

    fn leaving(&self) -> usize {
        self.strangers.leaving() + self.people.leaving()
    }

    fn guest(&self, given_up: CancellationToken, seat: Sitting) -> Guest {
        Guest { given_up, seat: Mutex::new(seat), people: Arc::clone(&self.people) }
    }
}

impl Guest {
    /// Somebody is signed in: from now on it makes room for nobody but that person's own connections.
    pub fn welcome(&self, person: &UserId) {
        let mut seat = self.seat.lock().unwrap_or_else(PoisonError::into_inner);
        if let Sitting::Stranger(_) = *seat {
            *seat = Sitting::Person(self.people.take(person.clone(), self.given_up.clone()));
        }
    }

    /// Comes when the connection has to make room.
    pub fn given_up(&self) -> WaitForCancellationFutureOwned {
        self.given_up.clone().cancelled_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    #[test]
    fn whoever_waits_for_room_hears_of_the_end_of_one_that_had_to_go() {
        let connections = Connections::new(1, 100);
        let peer = IpAddr::from([192, 0, 2, 1]);
        let first = connections.let_in(peer);
        assert!(connections.one_gone().is_none());
        let second = connections.let_in(peer);
        let mut gone = Box::pin(connections.one_gone().unwrap());
        assert!(gone.as_mut().now_or_never().is_none());
        // It has its place still.
        drop(second);
        assert!(gone.as_mut().now_or_never().is_none());
        drop(first);
        assert!(gone.now_or_never().is_some());
        assert!(connections.one_gone().is_none());
    }
}
