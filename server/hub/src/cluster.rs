//! Several nodes with one PostgreSQL: which of them are there, the one that each person is placed on, and what
//! they say to each other over NATS. Whatever a person does is done on one node, which keeps in memory what it
//! would on a hub of one; a request that reaches another one is handed on to it over a stream.

mod builds;
mod envelope;
mod frame;
mod handing_over;
mod hearing;
mod join;
mod lease;
mod nats;
mod people;
mod placement;
mod signal;
mod status;
mod stream;
mod streams;

pub(crate) use handing_over::HandingOver;
pub(crate) use lease::BEAT_MS;
pub use nats::NatsAddress;
pub use people::Visit;
pub use placement::{NodeId, Placement};
pub(crate) use signal::Signal;
pub use status::NodeFinding;
pub use stream::NodeStream;
pub use streams::Requester;

use crate::Hub;
use crate::error::{Error, Result};
use envelope::SealingKey;
use hearing::Hearing;
use lease::{LastLook, Renewals};
use nats::Nats;
use people::People;
use placement::Elsewhere;
use sqlx::AnyPool;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};
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
    people: People,
    elsewhere: Elsewhere,
    streams: Streams,
    /// Absent: it has not entered.
    renewals: Mutex<Option<Renewals>>,
    /// An administrator wants its people elsewhere.
    hands_over: AtomicBool,
    last_look: LastLook,
    /// It goes soon, and takes on nobody any more.
    is_leaving: AtomicBool,
    /// It has a connection to NATS.
    is_linked: AtomicBool,
    hearing: Hearing,
}

struct Joined {
    nats: Nats,
    key: SealingKey,
    /// For saying that it is there, however busy the others are.
    connection: AnyPool,
}

impl InMemory {
    pub(crate) fn new(process: &str, address: Option<NatsAddress>) -> Self {
        Self(address.map(|address| Node {
            id: NodeId(process.to_owned()),
            address,
            joined: OnceLock::new(),
            people: People::default(),
            elsewhere: Elsewhere::default(),
            streams: Streams::default(),
            renewals: Mutex::default(),
            hands_over: AtomicBool::new(false),
            last_look: LastLook::default(),
            is_leaving: AtomicBool::new(false),
            is_linked: AtomicBool::new(true),
            hearing: Hearing::default(),
        }))
    }
}

impl Node {
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

    /// Nobody is taken on any more: this node goes soon.
    pub(crate) fn begin_to_leave(self) {
        if let Some(node) = self.node() {
            node.is_leaving.store(true, Ordering::SeqCst);
        }
    }

    /// Breaks off what goes between this node and others.
    pub(crate) fn end_streams(self) {
        if let Some(node) = self.node() {
            node.streams.break_off(|_| true);
        }
    }

    /// Lets this come to its end, as a task of the hub.
    pub fn spawn(self, task: impl Future<Output = ()> + Send + 'static) {
        self.hub.tasks().spawn(task);
    }
}
