//! Topics, as a page shows them.

use crate::AgentId;
use serde::{Deserialize, Serialize};

/// Something that agents publish under and hear of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TopicView {
    pub name: String,
    pub subscribers: Vec<TopicSubscriber>,
    /// The newest first.
    pub messages: Vec<TopicMessage>,
}

/// An agent that hears what is published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TopicSubscriber {
    pub agent: AgentId,
    pub name: String,
    /// Of what it hears, as a condition of rules; absent: everything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
}

/// What was published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TopicMessage {
    /// Who published it, if that was an agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentId>,
    pub name: String,
    pub text: String,
    /// Its agent had read words of strangers.
    pub untrusted: bool,
    /// How many agents heard it.
    pub heard: u32,
    /// Unix milliseconds.
    pub at: i64,
}
