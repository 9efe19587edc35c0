//! The connection that a request came over.

use super::{Arriving, Guest, Limits};
use protocol::UserId;
use std::net::IpAddr;
use std::sync::Arc;

/// Told to each request that came over it.
#[derive(Clone, Debug)]
pub struct Connection {
    pub peer: IpAddr,
    guest: Arc<Guest>,
    /// Of a socket.
    pub arriving: Arc<Arriving>,
}

impl Connection {
    /// Counts it among those of its address.
    pub fn open(limits: &Limits, peer: IpAddr) -> Self {
        Self { peer, guest: Arc::new(limits.connection(peer)), arriving: Arc::default() }
    }

    /// The place that it takes, as long as somebody holds it.
    pub fn guest(&self) -> Arc<Guest> {
        Arc::clone(&self.guest)
    }

    /// This person is signed in here: it is no stranger's any more.
    pub fn welcome(&self, person: &UserId) {
        self.guest.welcome(person);
    }
}
