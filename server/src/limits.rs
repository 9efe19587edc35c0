//! How much of the hub anybody may take: requests, connections, sockets. Kept in memory, bounded
//! whoever comes, and counted apart for those who are signed in, so that strangers cannot take it
//! from them.

mod arriving;
mod concurrency;
mod connection;
mod evictable;
mod guest;
mod proxies;
mod queued;

pub use arriving::Arriving;
pub use concurrency::ConcurrencyPermit;
pub use connection::Connection;
pub use guest::Guest;
pub use hub::byte_quota::{ByteReservation as BodyRoom, QuotaFull};
pub use proxies::client_address;
pub use queued::QueuedPermit;

use concurrency::ConcurrencyLimit;
use guest::Connections;
use hub::buckets::{Buckets, Rate, Wait};
use hub::byte_quota::ByteQuota;
use hub::clock::Moment;
use hub::{Via, Viewer, rate_limit_key};
use ipnet::IpNet;
use protocol::{TokenId, UserId};
use queued::QueuedLimit;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

/// Askers that are told apart; beyond them all new ones share what one has.
const ASKERS: usize = 10_000;
/// What somebody may take at once who asked for nothing before, in seconds' worth.
const BURST_SECONDS: u32 = 20;
/// Strangers load a page and its parts, and then think.
const STRANGERS_BURST_SECONDS: u32 = 60;
/// What all programs of a person may ask for together, beside one of them.
const PROGRAMS: u32 = 4;
/// Frames of sockets beside requests: a page says much, and each time little.
const FRAMES: u32 = 10;
/// Bytes of a frame that weigh as much as a frame.
const FRAME_BYTES: usize = 16 * 1024;

/// Bytes of bodies under way, of all and of one person.
const BODIES: usize = 512 * 1024 * 1024;
const BODIES_OF_ONE: usize = 96 * 1024 * 1024;
/// Bytes of messages of sockets that have not come as a whole, of all and of one person.
const MESSAGES: usize = 256 * 1024 * 1024;
const MESSAGES_OF_ONE: usize = 32 * 1024 * 1024;
/// Bytes of deliveries under way, of all and for the schedules of one person.
const DELIVERIES: usize = 64 * 1024 * 1024;
const DELIVERIES_FOR_ONE: usize = 4 * 1024 * 1024;
/// Pages that are made for one person at a time. The next ones wait.
const PAGES_OF_ONE: usize = 4;

/// What each may take; 0 is no limit.
#[derive(Clone, Debug)]
pub struct Allowance {
    /// Requests a second of a person's browsers, and of each of their tokens.
    pub person_requests: u32,
    /// Requests a second of an address from which nobody is signed in.
    pub address_requests: u32,
    /// Sockets and event streams of a person at a time.
    pub person_sockets: u32,
    /// Connections at a time from an address on which nobody has signed in yet.
    pub address_connections: u32,
    /// Proxies whose word about the client's address counts.
    pub trusted_proxies: Vec<IpNet>,
}

pub struct Limits {
    trusted_proxies: Vec<IpNet>,
    strangers: Mutex<Buckets<IpAddr>>,
    browsers: Mutex<Buckets<UserId>>,
    tokens: Mutex<Buckets<TokenId>>,
    programs: Mutex<Buckets<UserId>>,
    browser_frames: Mutex<Buckets<UserId>>,
    program_frames: Mutex<Buckets<UserId>>,
    bodies: Arc<ByteQuota>,
    deliveries: Arc<ByteQuota>,
    messages: Arc<ByteQuota>,
    pages: Arc<QueuedLimit<UserId>>,
    sockets: Arc<ConcurrencyLimit<UserId>>,
    connections: Connections,
}

impl Limits {
    pub fn new(allowance: &Allowance, descriptors: usize) -> Self {
        let rate = |per_second: u32, seconds| Rate { per_second, burst: per_second.saturating_mul(seconds) };
        let (person, address) = (allowance.person_requests, allowance.address_requests);
        let own = rate(person, BURST_SECONDS);
        let frames = rate(person.saturating_mul(FRAMES), BURST_SECONDS);
        let all_programs = rate(person.saturating_mul(PROGRAMS), BURST_SECONDS);
        Self {
            trusted_proxies: allowance.trusted_proxies.clone(),
            strangers: Mutex::new(Buckets::new(rate(address, STRANGERS_BURST_SECONDS), ASKERS)),
            browsers: Mutex::new(Buckets::new(own, ASKERS)),
            tokens: Mutex::new(Buckets::new(own, ASKERS)),
            programs: Mutex::new(Buckets::new(all_programs, ASKERS)),
            browser_frames: Mutex::new(Buckets::new(frames, ASKERS)),
            program_frames: Mutex::new(Buckets::new(frames, ASKERS)),
            bodies: Arc::new(ByteQuota::new(BODIES, BODIES_OF_ONE)),
            deliveries: Arc::new(ByteQuota::new(DELIVERIES, DELIVERIES_FOR_ONE)),
            messages: Arc::new(ByteQuota::new(MESSAGES, MESSAGES_OF_ONE)),
            pages: Arc::new(QueuedLimit::new(PAGES_OF_ONE)),
            sockets: Arc::new(ConcurrencyLimit::new(allowance.person_sockets)),
            connections: Connections::new(allowance.address_connections, descriptors),
        }
    }

    pub fn trusted_proxies(&self) -> &[IpNet] {
        &self.trusted_proxies
    }

    /// Counts a request.
    pub fn admit(&self, viewer: Option<&Viewer>, address: IpAddr, now: Moment) -> Result<(), Wait> {
        let Some(viewer) = viewer else {
            return take(&self.strangers, rate_limit_key(address), now);
        };
        match &viewer.via {
            Via::Device(_) | Via::Terminal => take(&self.browsers, viewer.me.id.clone(), now),
            Via::Token(token) => {
                take(&self.tokens, token.clone(), now)?;
                take(&self.programs, viewer.me.id.clone(), now)
            }
        }
    }

    /// Counts a frame of a socket: as so many as its kind costs, and more if it is long.
    pub fn admit_frame(&self, viewer: &Viewer, cost: u32, bytes: usize, now: Moment) -> Result<(), Wait> {
        let frames = match &viewer.via {
            Via::Device(_) | Via::Terminal => &self.browser_frames,
            Via::Token(_) => &self.program_frames,
        };
        let long = u32::try_from(bytes / FRAME_BYTES).unwrap_or(u32::MAX);
        let count = cost.saturating_add(long);
        frames.lock().unwrap_or_else(PoisonError::into_inner).take_many(viewer.me.id.clone(), count, now)
    }

    /// Room for a body that this person sends.
    pub fn body(&self, viewer: &Viewer) -> BodyRoom {
        self.bodies.open(viewer.me.id.clone())
    }

    /// Room for what strangers send to this person's schedules: not that of the person.
    pub fn delivery(&self, to: UserId) -> BodyRoom {
        self.deliveries.open(to)
    }

    /// Room for what this person's sockets bring.
    pub fn message(&self, viewer: &Viewer) -> BodyRoom {
        self.messages.open(viewer.me.id.clone())
    }

    /// Waits until a page can be made for this person.
    pub async fn page(&self, viewer: &Viewer) -> QueuedPermit<UserId> {
        self.pages.take(viewer.me.id.clone()).await
    }

    /// A place for a socket or an event stream of this person.
    pub fn socket(&self, viewer: &Viewer) -> Option<ConcurrencyPermit<UserId>> {
        self.sockets.take(viewer.me.id.clone())
    }

    /// A connection on which nobody has signed in yet. The proxies' own are not counted: everybody's
    /// requests come over them.
    pub fn connection(&self, peer: IpAddr) -> Guest {
        if self.trusted_proxies.iter().any(|proxy| proxy.contains(&peer.to_canonical())) {
            return self.connections.let_in_uncounted();
        }
        self.connections.let_in(peer)
    }

    /// Ready when a connection that had to make room has given its file descriptor back; `None`: none has to.
    pub fn connection_gone(&self) -> Option<impl Future<Output = ()>> {
        self.connections.one_gone()
    }
}

fn take<K: std::hash::Hash + Eq>(buckets: &Mutex<Buckets<K>>, key: K, now: Moment) -> Result<(), Wait> {
    buckets.lock().unwrap_or_else(PoisonError::into_inner).take(key, now)
}
