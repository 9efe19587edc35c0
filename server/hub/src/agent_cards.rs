//! Signatures of the cards by which agents make themselves known (A2A 1.0, section 8.4): the hub's own under those that
//! it serves, and others' under those that it reads.

mod canonical;
mod key;
mod signature;

pub(crate) use signature::{CardKey, claims};

use crate::Hub;
use crate::error::Result;
use key::HubKey;
use serde_json::{Value, json};
use tokio::sync::OnceCell;

/// The cards of this hub's agents.
#[derive(Clone, Copy, Debug)]
pub struct AgentCards<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub fn agent_cards(&self) -> AgentCards<'_> {
        AgentCards { hub: self }
    }
}

#[derive(Default)]
pub(crate) struct InMemory {
    key: OnceCell<HubKey>,
}

impl AgentCards<'_> {
    /// The card with the hub's signature. `keys_at` is the address at which [`Self::keys`] are read.
    pub async fn signed(self, mut card: Value, keys_at: &str) -> Result<Value> {
        let signature = self.key().await?.sign(&card, keys_at)?;
        card["signatures"] = json!([signature]);
        Ok(card)
    }

    /// By what a signature is checked, as a set of keys (RFC 7517).
    pub async fn keys(self) -> Result<Value> {
        Ok(json!({ "keys": [self.key().await?.public()] }))
    }

    async fn key(&self) -> Result<&HubKey> {
        self.hub.0.agent_cards.key.get_or_try_init(|| HubKey::load(self.hub)).await
    }
}
