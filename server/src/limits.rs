//! How much of the hub anybody may take: requests, connections, sockets. Kept in memory, bounded
//! whoever comes, and counted apart for those who are signed in, so that strangers cannot take it
//! from them.

pub(crate) mod bodies;
mod places;
mod proxies;
mod strangers;

pub use bodies::{BodyRoom, Full};
pub use places::Place;
pub use proxies::client_address;
pub use strangers::Stranger;

use bodies::Bodies;
use hub::buckets::{Buckets, Rate, Wait};
use hub::{Via, Viewer, household};
use ipnet::IpNet;
use places::Places;
use protocol::{TokenId, UserId};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use strangers::Strangers;

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
    bodies: Arc<Bodies>,
    sockets: Arc<Places<UserId>>,
    connections: Arc<Strangers>,
}

impl Limits {
    pub fn new(allowance: &Allowance) -> Self {
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
            bodies: Arc::new(Bodies::new(BODIES, BODIES_OF_ONE)),
            sockets: Arc::new(Places::new(allowance.person_sockets)),
            connections: Arc::new(Strangers::new(allowance.address_connections)),
        }
    }

    pub fn trusted_proxies(&self) -> &[IpNet] {
        &self.trusted_proxies
    }

    /// Counts a request.
    pub fn admit(&self, viewer: Option<&Viewer>, address: IpAddr, now: i64) -> Result<(), Wait> {
        let Some(viewer) = viewer else {
            return take(&self.strangers, household(address), now);
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
    pub fn admit_frame(&self, viewer: &Viewer, cost: u32, bytes: usize, now: i64) -> Result<(), Wait> {
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

    /// A place for a socket or an event stream of this person.
    pub fn socket(&self, viewer: &Viewer) -> Option<Place<UserId>> {
        self.sockets.take(viewer.me.id.clone())
    }

    /// A connection on which nobody has signed in yet. The proxies' own are not counted: everybody's
    /// requests come over them.
    pub fn connection(&self, peer: IpAddr) -> Stranger {
        if self.trusted_proxies.iter().any(|proxy| proxy.contains(&peer.to_canonical())) {
            return Stranger::uncounted();
        }
        self.connections.let_in(household(peer))
    }
}

fn take<K: std::hash::Hash + Eq>(buckets: &Mutex<Buckets<K>>, key: K, now: i64) -> Result<(), Wait> {
    buckets.lock().unwrap_or_else(PoisonError::into_inner).take(key, now)
}
