//! What nodes tell each other because one of them changed something that another one has in memory. It is told once;
//! what must not be missed stands in the database as well.

use super::{Cluster, Node};
use crate::error::Result;
use crate::store::Changed;
use protocol::{AgentId, ApprovalId, DeviceId, TokenId, UserId};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use tokio::time::timeout;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Signal {
    /// Everything of this person ends: sockets and runs.
    PersonEnded {
        person: UserId,
    },
    /// The sockets of their devices end.
    DevicesEnded {
        person: UserId,
    },
    DeviceEnded {
        device: DeviceId,
    },
    TokenEnded {
        token: TokenId,
    },
    /// This question was answered, or is over.
    Answered {
        approval: ApprovalId,
    },
    /// Nothing is in the way of a stopped agent any more.
    AgentResumed {
        agent: AgentId,
    },
    /// Something of the agent is other than it was that stands in no entry.
    AgentChanged {
        agent: AgentId,
    },
    /// Of these nouns these people have something else than before.
    NounsChanged {
        of: Changed,
    },
    /// Something moved between agents of this person and of somebody else.
    AskedAcross {
        person: UserId,
    },
    /// What is known of models changed.
    FactsChanged,
    /// Something came for a schedule.
    SchedulesChanged,
    /// People of a node that went are with none.
    NodeLeft,
    /// Something may have been said that this node did not hear. Nobody sends it.
    Missed,
    /// A node lost what was said to it for a while: its streams are broken.
    StreamsBroken {
        node: String,
    },
}

/// A signal, whose it is (a node hears itself), and when it was said: it does not count for ever.
#[derive(Serialize, Deserialize)]
struct Letter {
    from: String,
    at: i64,
    signal: Signal,
}

/// How long it may take to tell.
const PATIENCE: Duration = Duration::from_secs(2);
pub(super) const TO_ALL: &str = "all";
/// How long it may be under way, by the clock that all nodes go by.
pub(super) const GOOD_FOR_MS: i64 = 60_000;

impl Cluster<'_> {
    /// Tells all other nodes, if there are any. That NATS is away is no failure of who tells.
    pub(crate) async fn tell(self, signal: Signal) {
        let Some(node) = self.node() else { return };
        // Without a connection it would wait for one.
        match timeout(PATIENCE, node.send(&signal, self.now(node))).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                let failure = error.into_failure();
                tracing::warn!(?signal, "the other nodes were not told: {failure}");
            }
            Err(_) => tracing::warn!(?signal, "the other nodes were not told: NATS is away"),
        }
    }
}

impl Node {
    async fn send(&self, signal: &Signal, at: i64) -> Result<()> {
        let joined = self.joined()?;
        let letter = Letter { from: self.id.0.clone(), at, signal: signal.clone() };
        let plain = serde_json::to_vec(&letter).expect("it holds nothing that JSON cannot say");
        joined.nats.publish(TO_ALL, joined.key.seal(&plain)).await
    }

    /// What another node said. `None`: this one did, or no node.
    pub(super) fn heard(&self, sealed: &[u8], now: i64) -> Option<Signal> {
        let plain = self.joined().ok()?.key.open(sealed)?;
        let letter: Letter = serde_json::from_slice(&plain).ok()?;
        let is_new = (now - letter.at).abs() < GOOD_FOR_MS;
        (is_new && letter.from != self.id.0).then_some(letter.signal)
    }
}
