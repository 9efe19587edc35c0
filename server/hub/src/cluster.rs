//! Several nodes with one PostgreSQL: which of them are there, the one that each person is placed on, and what
//! they say to each other over NATS. Whatever a person does is done on one node, which keeps in memory what it
//! would on a hub of one; a request that reaches another one is handed on to it over a stream.

mod envelope;
mod frame;
mod join;
mod lease;
mod nats;
mod placement;
mod signal;
mod stream;
mod streams;

pub(crate) use lease::BEAT_MS;
pub use nats::NatsAddress;
pub use placement::{NodeId, Placement};
pub(crate) use signal::Signal;
pub use stream::NodeStream;

use crate::Hub;
use crate::clock::Moment;
use crate::error::{Error, Result};
use envelope::SealingKey;
use nats::Nats;
use placement::Elsewhere;
use protocol::UserId;
use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use streams::Streams;

/// The nodes of this hub.
#[derive(Clone, Copy, Debug)]
pub struct Cluster<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub fn cluster(&self) -> Cluster<'_> {
        Cluster { hub: self }
    }
}

/// Absent: this process is alone with its database.
#[derive(Default)]
pub(crate) struct InMemory(Option<Node>);

/// This process as one of several.
struct Node {
    id: NodeId,
    address: NatsAddress,
    /// Since it joined.
    joined: OnceLock<Joined>,
    /// Who is placed here. As long as this node lives nobody else places them elsewhere.
    placed: Mutex<HashSet<UserId>>,
    elsewhere: Elsewhere,
    streams: Streams,
    /// When the time began that it has from the database; absent: it has not begun.
    renewed_at: Mutex<Option<Moment>>,
}

struct Joined {
    nats: Nats,
    key: SealingKey,
}

impl InMemory {
    pub(crate) fn new(process: &str, address: Option<NatsAddress>) -> Self {
        Self(address.map(|address| Node {
            id: NodeId(process.to_owned()),
            address,
            joined: OnceLock::new(),
            placed: Mutex::default(),
            elsewhere: Elsewhere::default(),
            streams: Streams::default(),
            renewed_at: Mutex::default(),
        }))
    }
}

impl Node {
    fn people(&self) -> MutexGuard<'_, HashSet<UserId>> {
        self.placed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn joined(&self) -> Result<&Joined> {
        self.joined.get().ok_or_else(|| Error::internal("this node has not joined"))
    }
}

impl<'a> Cluster<'a> {
    fn node(self) -> Option<&'a Node> {
        self.hub.0.cluster.0.as_ref()
    }

    pub fn is_alone(self) -> bool {
        self.node().is_none()
    }

    /// For statements about the people of this node. `None`: all are.
    pub(crate) fn own_id(self) -> Option<&'a str> {
        self.node().map(|node| node.id.0.as_str())
    }

    /// Ready when the others have taken this node for dead. It has to end, and may come back as another one.
    pub async fn lost(self) {
        match self.node() {
            Some(_) => self.hub.store().fence().replaced().cancelled().await,
            None => std::future::pending().await,
        }
    }

    /// Lets this come to its end, as a task of the hub.
    pub fn spawn(self, task: impl Future<Output = ()> + Send + 'static) {
        self.hub.tasks().spawn(task);
    }
}
