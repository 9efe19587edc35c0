//! Hubs and agents elsewhere, and what their agents are to the person whose agents ask them.

use crate::{PeerAgentId, PeerId};
use serde::{Deserialize, Serialize};

/// A hub, or a single agent, that a person's agents may ask by A2A.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PeerView {
    pub id: PeerId,
    /// By which agents name it.
    pub name: String,
    pub url: String,
    pub has_token: bool,
    pub is_on: bool,
    /// When it last said which agents it has, in Unix milliseconds.
    pub looked_at: Option<i64>,
    /// Why it did not say so the last time it was asked.
    pub failure: Option<String>,
    pub agents_on: u32,
    pub agents_off: u32,
    /// Agents that it has beyond those that are kept.
    pub left_out: u32,
    /// Its cards are signed, and by no other key than the first one.
    pub signed: bool,
    /// Since when it has not answered, in Unix milliseconds.
    pub away_since: Option<i64>,
}

/// One with its agents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PeerDetail {
    pub peer: PeerView,
    pub agents: Vec<PeerAgentView>,
}

/// An agent elsewhere, in its own words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PeerAgentView {
    pub id: PeerAgentId,
    /// As agents are told: what its person said yes to, if they did.
    pub name: String,
    pub about: String,
    pub url: String,
    /// Of what it says of itself now.
    pub digest: String,
    pub state: PeerAgentState,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum PeerAgentState {
    On,
    Off,
    /// It is on in the words that its person said yes to, and says others of itself by now.
    Changed {
        name: String,
        about: String,
    },
    Unusable {
        why: String,
    },
}
