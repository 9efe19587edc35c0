//! Whose a connection is: a stranger's, until somebody signs in on it.

use super::evictable::{EvictableLimit, EvictablePermit};
use hub::rate_limit_key;
use protocol::UserId;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

/// Places of connections: strangers cannot take those of people who are signed in.
#[derive(Debug)]
pub struct Connections {
    strangers: Arc<EvictableLimit<IpAddr>>,
    people: Arc<EvictableLimit<UserId>>,
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
        Self {
            strangers: Arc::new(EvictableLimit::new(of_address, descriptors / 2)),
            people: Arc::new(EvictableLimit::new(descriptors / 4, usize::MAX)),
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

    /// How many had to make room and have not ended yet.
    pub fn leaving(&self) -> usize {
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
