//! The streams of this node: how one is begun with another node, and how what comes finds the one that it is for.

use super::envelope::{CountedCipher, SealingKey};
use super::frame::Frame;
use super::hearing::ECHO;
use super::signal::GOOD_FOR_MS;
use super::stream::{Carrier, MESSAGES, NodeStream, Outlet, pair};
use super::{Cluster, Node, NodeId};
use crate::access::rate_limit_key;
use crate::clock::{new_id, random};
use crate::error::{Error, Result};
use async_nats::Message;
use bytes::Bytes;
use protocol::UserId;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// At once, with all nodes, and for requests of one person or from one address.
const MAX_STREAMS: usize = 20_000;
const OF_A_PERSON: usize = 1_000;
const OF_A_STRANGER: usize = 50;
/// Of other nodes, that wait to be served.
const UNSERVED: usize = 1024;
pub(super) const OPEN: &str = "open";
const DATA: &str = "stream";
const UNREACHABLE: &str =
    "The part of the hub that keeps your agents cannot be reached at the moment. Try again in a few seconds.";

pub(super) struct Streams {
    all: Arc<Mutex<Entries>>,
    begun: mpsc::Sender<NodeStream>,
    unserved: Mutex<Option<mpsc::Receiver<NodeStream>>>,
}

#[derive(Default)]
struct Entries {
    by_id: HashMap<String, Entry>,
    /// How many were begun here for whom.
    of: HashMap<Requester, usize>,
}

struct Entry {
    with: String,
    /// Whose request it is, where it was begun here.
    requester: Option<Requester>,
    messages: mpsc::Sender<Bytes>,
    broken: CancellationToken,
}

/// Whose request goes to another node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Requester {
    Person(UserId),
    /// Whoever has not signed in, by [`rate_limit_key`].
    Stranger(IpAddr),
}

impl Requester {
    pub fn of(person: Option<UserId>, client: IpAddr) -> Self {
        person.map_or_else(|| Self::Stranger(rate_limit_key(client)), Self::Person)
    }

    /// How many streams it may have at once.
    fn most(&self) -> usize {
        match self {
            Self::Person(_) => OF_A_PERSON,
            Self::Stranger(_) => OF_A_STRANGER,
        }
    }
}

/// What comes over a stream. Dropping it forgets the stream.
pub(super) struct Inlet {
    id: String,
    all: Arc<Mutex<Entries>>,
    messages: mpsc::Receiver<Bytes>,
    cipher: Option<CountedCipher>,
    pub(super) broken: CancellationToken,
}

/// Asks another node to take a stream.
#[derive(Serialize, Deserialize)]
struct Opening {
    stream: String,
    from: String,
    to: String,
    at: i64,
    client: IpAddr,
}

/// What only the two ends know, chosen by the one that takes the stream: what went over another one is good for
/// nothing in this one.
#[derive(Serialize, Deserialize)]
struct Taken {
    stream: String,
    salt: [u8; 16],
}

impl Default for Streams {
    fn default() -> Self {
        let (begun, unserved) = mpsc::channel(UNSERVED);
        Self { all: Arc::default(), begun, unserved: Mutex::new(Some(unserved)) }
    }
}

impl Streams {
    fn all(&self) -> MutexGuard<'_, Entries> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(&self, id: &str, with: &str, requester: Option<&Requester>) -> Result<Inlet> {
        let mut all = self.all();
        let is_full =
            |requester: &Requester| all.of.get(requester).is_some_and(|theirs| *theirs >= requester.most());
        if all.by_id.len() >= MAX_STREAMS || requester.is_some_and(is_full) || all.by_id.contains_key(id) {
            return Err(Error::Limit("Too much goes between the nodes of this hub.".to_owned()));
        }
        let (sender, messages) = mpsc::channel(MESSAGES);
        let broken = CancellationToken::new();
        let entry = Entry {
            with: with.to_owned(),
            requester: requester.cloned(),
            messages: sender,
            broken: broken.clone(),
        };
        all.by_id.insert(id.to_owned(), entry);
        if let Some(requester) = requester {
            *all.of.entry(requester.clone()).or_default() += 1;
        }
        Ok(Inlet { id: id.to_owned(), all: Arc::clone(&self.all), messages, cipher: None, broken })
    }

    /// A message for a stream.
    fn hand_in(&self, id: &str, message: Bytes) {
        if let Some(entry) = self.all().by_id.get(id)
            && entry.messages.try_send(message).is_err()
        {
            entry.broken.cancel();
        }
    }

    /// Breaks those off whose other end is on a node that is there no more.
    pub(super) fn keep_those_with(&self, is_living: impl Fn(&str) -> bool) {
        self.break_off(|with| !is_living(with));
    }

    pub(super) fn break_off(&self, which: impl Fn(&str) -> bool) {
        self.all().by_id.values().filter(|entry| which(&entry.with)).for_each(|entry| entry.broken.cancel());
    }
}

impl Inlet {
    /// `None`: something is missing, or not from there.
    pub(super) async fn next(&mut self) -> Option<Frame> {
        let sealed = self.messages.recv().await?;
        Frame::decode(&self.cipher.as_mut()?.open(&sealed)?)
    }
}

impl Drop for Inlet {
    fn drop(&mut self) {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        let gone = all.by_id.remove(&self.id).and_then(|entry| entry.requester);
        if let Some(requester) = gone
            && let Some(theirs) = all.of.get_mut(&requester)
        {
            *theirs -= 1;
            if *theirs == 0 {
                all.of.remove(&requester);
            }
        }
    }
}

/// Ciphers of a stream: to who took it, and back.
fn ciphers(key: &SealingKey, taken: &Taken) -> (CountedCipher, CountedCipher) {
    let Taken { stream, salt } = taken;
    let name = format!("{stream} {}", data_encoding::HEXLOWER.encode(salt));
    (key.for_stream(&name, "there"), key.for_stream(&name, "back"))
}

impl Cluster<'_> {
    /// A stream to another node, for a request that comes from `client`.
    pub async fn open_stream(self, to: &NodeId, requester: &Requester, client: IpAddr) -> Result<NodeStream> {
        let node = self.node().ok_or_else(|| Error::internal("there is no other node"))?;
        let joined = node.joined()?;
        let id = new_id();
        let mut inlet = node.streams.enter(&id, &to.0, Some(requester))?;
        let (from, at) = (node.id.0.clone(), self.now(node));
        let opening = Opening { stream: id.clone(), from, to: to.0.clone(), at, client };
        let asked = joined.nats.ask(&format!("{to}.{OPEN}"), joined.key.seal(&json(&opening))).await;
        let taken = asked.and_then(|sealed| joined.key.open(&sealed));
        let taken: Option<Taken> = taken.and_then(|plain| serde_json::from_slice(&plain).ok());
        let taken = taken
            .filter(|taken| taken.stream == id)
            .ok_or_else(|| Error::Upstream(UNREACHABLE.to_owned()))?;
        let (there, back) = ciphers(&joined.key, &taken);
        inlet.cipher = Some(back);
        Ok(self.carried(inlet, to, there, client))
    }

    /// Those that other nodes begin. There is one who serves them.
    pub fn begun_streams(self) -> Option<mpsc::Receiver<NodeStream>> {
        self.node()?.streams.unserved.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// A message for this node.
    pub(super) async fn take_message(self, node: &Node, message: Message) -> Result<()> {
        let nats = &node.joined()?.nats;
        match nats
            .rest(&message.subject, &node.id.0)
            .and_then(|rest| rest.split_once('.').or(Some((rest, ""))))
        {
            Some((DATA, id)) => {
                node.streams.hand_in(id, message.payload);
                Ok(())
            }
            Some((OPEN, _)) => self.take_stream(node, message).await,
            Some((ECHO, _)) => match message.reply {
                Some(reply) => nats.answer(reply, Vec::new()).await,
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    async fn take_stream(self, node: &Node, message: Message) -> Result<()> {
        let joined = node.joined()?;
        let Some(reply) = message.reply else { return Ok(()) };
        let Some(plain) = joined.key.open(&message.payload) else { return Ok(()) };
        let Ok(opening) = serde_json::from_slice::<Opening>(&plain) else { return Ok(()) };
        let is_old = (self.now(node) - opening.at).abs() >= GOOD_FOR_MS;
        if is_old || opening.to != node.id.0 {
            return Ok(());
        }
        // Whoever is not answered tries again, or says that this node cannot be reached.
        let Ok(place) = node.streams.begun.try_reserve() else { return Ok(()) };
        let mut inlet = node.streams.enter(&opening.stream, &opening.from, None)?;
        let taken = Taken { stream: opening.stream, salt: random() };
        let (there, back) = ciphers(&joined.key, &taken);
        inlet.cipher = Some(there);
        let from = NodeId(opening.from);
        let stream = self.carried(inlet, &from, back, opening.client);
        joined.nats.answer(reply, joined.key.seal(&json(&taken))).await?;
        place.send(stream);
        Ok(())
    }

    fn carried(self, inlet: Inlet, with: &NodeId, cipher: CountedCipher, client: IpAddr) -> NodeStream {
        let (stream, bytes) = pair(client);
        let subject = format!("{with}.{DATA}.{}", inlet.id);
        let carrier = Carrier { bytes, inlet, outlet: Outlet { subject, cipher: cipher.into() } };
        let hub = self.hub.clone();
        self.hub.tasks().spawn(async move {
            if let Some(node) = hub.cluster().node() {
                carrier.carry(node).await;
            }
        });
        stream
    }
}

fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("it holds nothing that JSON cannot say")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_has_all_their_streams_takes_none_from_others() {
        let streams = Streams::default();
        let stranger = |address: &str| Requester::of(None, address.parse().unwrap());
        let all = [
            (stranger("192.0.2.7"), OF_A_STRANGER),
            (stranger("192.0.2.8"), OF_A_STRANGER),
            (stranger("2001:db8:1:2::1"), OF_A_STRANGER),
            (Requester::of(Some(UserId::from("ada")), "192.0.2.7".parse().unwrap()), OF_A_PERSON),
        ];
        let mut open = Vec::new();
        for (requester, most) in &all {
            for _ in 0..*most {
                open.push(streams.enter(&new_id(), "there", Some(requester)).unwrap());
            }
            assert!(streams.enter(&new_id(), "there", Some(requester)).is_err(), "{requester:?}");
        }
        assert_eq!(stranger("2001:db8:1:2:ffff::1"), all[2].0, "who can choose an address is one");
        drop(open);
        for (requester, _) in &all {
            assert!(streams.enter(&new_id(), "there", Some(requester)).is_ok(), "{requester:?}");
        }
    }
}
