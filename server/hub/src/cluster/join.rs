//! How a node comes among the others, and hears them.

use super::envelope::SealingKey;
use super::nats::{Link, Nats};
use super::signal::TO_ALL;
use super::{Cluster, Joined, Node, Signal};
use crate::error::{Error, Result};
use crate::store::Dialect;
use futures_util::StreamExt;
use sha2::{Digest, Sha256};
use std::sync::atomic::Ordering;
use tokio::sync::mpsc;

/// Signals that wait to be followed.
const WAITING: usize = 4096;

impl Cluster<'_> {
    /// Joins the others, if this hub is to have any. `key` is one that only those have who open the same vault.
    /// Gives what they say from then on.
    pub(crate) async fn join(self, key: [u8; 32]) -> Result<Option<mpsc::Receiver<Signal>>> {
        let Some(node) = self.node() else {
            self.require_no_nodes().await?;
            return Ok(None);
        };
        if self.hub.store().dialect() != Dialect::Postgres {
            return Err(Error::Conflict(
                "VIVARIUM_NATS_URL is for a hub of several nodes, which needs PostgreSQL: set DATABASE_URL as well."
                    .to_owned(),
            ));
        }
        self.require_own_connections().await?;
        // It names the hub, and says nothing of the key.
        let name = data_encoding::HEXLOWER.encode(&Sha256::digest(key)[..8]);
        let (nats, links) = Nats::connect(&node.address, format!("vivarium.{name}")).await?;
        let for_all = nats.subscribe(TO_ALL).await?;
        let for_this = nats.subscribe(&format!("{}.>", node.id)).await?;
        let connection = self.hub.store().apart();
        let _ = node.joined.set(Joined { nats, key: SealingKey(key), connection });
        self.enter(node).await?;
        let (heard, signals) = mpsc::channel(WAITING);
        self.hear(for_all, heard.clone());
        self.take_messages(for_this);
        self.watch(links, heard);
        Ok(Some(signals))
    }

    /// A node that others replaced is kept from writing by ending its connections: they have to be its own.
    pub async fn require_own_connections(self) -> Result<()> {
        if !self.hub.store().is_behind_pooler().await? {
            return Ok(());
        }
        Err(Error::Conflict(
            "DATABASE_URL leads through a pooler that hands connections round by transaction (PgBouncer with pool_mode = transaction). A node that froze could write after it was replaced. Name PostgreSQL itself, or a pooler with pool_mode = session."
                .to_owned(),
        ))
    }

    /// Who takes a database for its own is not to take runs away from nodes that share it.
    async fn require_no_nodes(self) -> Result<()> {
        if self.hub.store().dialect() != Dialect::Postgres || self.living().await? == 0 {
            return Ok(());
        }
        Err(Error::Conflict(
            "Several nodes serve this database. Set VIVARIUM_NATS_URL to where they meet, as they have it, or stop them first."
                .to_owned(),
        ))
    }

    fn hear(self, mut all: async_nats::Subscriber, heard: mpsc::Sender<Signal>) {
        let hub = self.hub.clone();
        self.hub.tasks().spawn(async move {
            loop {
                let message = tokio::select! {
                    () = hub.tasks().closing() => return,
                    message = all.next() => message,
                };
                let (Some(message), Some(node)) = (message, hub.cluster().node()) else { return };
                match node.heard(&message.payload, hub.cluster().now(node)) {
                    Some(Signal::StreamsBroken { node: of }) => node.streams.break_off(|with| with == of),
                    // Nobody follows them any more when the hub closes.
                    Some(signal) => drop(heard.send(signal).await),
                    None => {}
                }
            }
        });
    }

    /// What is for this node.
    fn take_messages(self, mut own: async_nats::Subscriber) {
        let hub = self.hub.clone();
        self.hub.tasks().spawn(async move {
            loop {
                let message = tokio::select! {
                    () = hub.tasks().closing() => return,
                    message = own.next() => message,
                };
                let (Some(message), Some(node)) = (message, hub.cluster().node()) else { return };
                if let Err(error) = hub.cluster().take_message(node, message).await {
                    let failure = error.into_failure();
                    tracing::warn!("a message of another node could not be taken: {failure}");
                }
            }
        });
    }

    /// Streams do not outlive a connection of which messages may be missing.
    fn watch(self, mut links: mpsc::UnboundedReceiver<Link>, heard: mpsc::Sender<Signal>) {
        let hub = self.hub.clone();
        self.hub.tasks().spawn(async move {
            let mut was_down = false;
            loop {
                let link = tokio::select! {
                    () = hub.tasks().closing() => return,
                    link = links.recv() => link,
                };
                let (Some(link), Some(node)) = (link, hub.cluster().node()) else { return };
                match link {
                    Link::Down => {
                        node.is_linked.store(false, Ordering::SeqCst);
                        node.streams.break_off(|_| true);
                        was_down = true;
                    }
                    Link::Up => {
                        node.is_linked.store(true, Ordering::SeqCst);
                        if std::mem::take(&mut was_down) {
                            hub.cluster().tell(Signal::StreamsBroken { node: node.name() }).await;
                            // Nobody follows them any more when the hub closes.
                            let _ = heard.send(Signal::Missed).await;
                        }
                    }
                }
            }
        });
    }
}

impl Node {
    fn name(&self) -> String {
        self.id.to_string()
    }
}
