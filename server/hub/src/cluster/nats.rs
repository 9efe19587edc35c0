//! The connection to NATS. It comes back by itself; what was said meanwhile is lost, and whoever needs to know
//! hears that it was away.

use crate::error::{Error, Result};
use async_nats::{Client, ConnectOptions, Event, Subject, Subscriber};
use bytes::Bytes;
use std::fmt;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::timeout;
use url::Url;

/// How long the first connection may take.
const FIRST: Duration = Duration::from_secs(10);
/// How long another node may take to take a stream.
const ANSWER: Duration = Duration::from_secs(3);
/// Messages that may wait here for whoever reads a subscription.
const WAITING: usize = 65_536;

/// Where NATS is, with what opens it.
#[derive(Clone)]
pub struct NatsAddress(pub Url);

impl fmt::Debug for NatsAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.0.host_str().unwrap_or_default(), self.0.port().unwrap_or(4222))
    }
}

/// Something about the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Link {
    Up,
    /// Messages may have been lost.
    Down,
}

pub(super) struct Nats {
    client: Client,
    /// In front of every subject, so that several hubs can share one NATS.
    prefix: String,
}

impl Nats {
    /// Fails if it cannot be reached now.
    pub(super) async fn connect(
        address: &NatsAddress,
        prefix: String,
    ) -> Result<(Self, mpsc::UnboundedReceiver<Link>)> {
        let (links, changes) = mpsc::unbounded_channel();
        let options = ConnectOptions::new().name("vivarium").subscription_capacity(WAITING).event_callback(
            move |event| {
                let link = match event {
                    Event::Connected => Some(Link::Up),
                    Event::Disconnected | Event::SlowConsumer(_) | Event::Closed => Some(Link::Down),
                    Event::LameDuckMode | Event::Draining | Event::ServerError(_) | Event::ClientError(_) => {
                        None
                    }
                };
                tracing::info!("NATS: {event}");
                // Nobody listens any more when the hub is closed.
                let _ = link.map(|link| links.send(link));
                std::future::ready(())
            },
        );
        let connected = timeout(FIRST, options.connect(address.0.as_str())).await;
        let why = match connected {
            Ok(Ok(client)) => return Ok((Self { client, prefix }, changes)),
            Ok(Err(error)) => error.to_string(),
            Err(_) => "it does not answer".to_owned(),
        };
        Err(Error::Conflict(format!(
            "NATS at {address:?} cannot be reached: {why}. Set VIVARIUM_NATS_URL to where it is."
        )))
    }

    pub(super) async fn publish(&self, subject: &str, payload: Vec<u8>) -> Result<()> {
        self.client
            .publish(format!("{}.{subject}", self.prefix), payload.into())
            .await
            .map_err(Error::internal)
    }

    /// What whoever listens to the subject answers. `None`: nobody does.
    pub(super) async fn ask(&self, subject: &str, payload: Vec<u8>) -> Option<Bytes> {
        let asked = self.client.request(format!("{}.{subject}", self.prefix), payload.into());
        Some(timeout(ANSWER, asked).await.ok()?.ok()?.payload)
    }

    pub(super) async fn answer(&self, to: Subject, payload: Vec<u8>) -> Result<()> {
        self.client.publish(to, payload.into()).await.map_err(Error::internal)
    }

    pub(super) async fn subscribe(&self, subject: &str) -> Result<Subscriber> {
        self.client.subscribe(format!("{}.{subject}", self.prefix)).await.map_err(Error::internal)
    }

    /// The last words of a subject that was subscribed to by a star.
    pub(super) fn rest<'s>(&self, subject: &'s str, before: &str) -> Option<&'s str> {
        subject.strip_prefix(&self.prefix)?.strip_prefix('.')?.strip_prefix(before)?.strip_prefix('.')
    }
}
