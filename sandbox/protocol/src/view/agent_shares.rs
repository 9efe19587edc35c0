//! Agents that people let each other's agents ask.

use crate::{AgentShareId, Micros};
use serde::{Deserialize, Serialize};

/// With whom an agent is shared, as its owner sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentShareView {
    pub id: AgentShareId,
    /// The person's name, or the group's.
    pub with: String,
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub is_group: bool,
    /// What their questions may cost in a month, and what they cost in this one.
    pub per_month: Micros,
    pub spent: Micros,
    /// Unix milliseconds.
    pub shared_at: i64,
}

/// An agent of somebody else that one's agents may ask.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskableAgentView {
    pub id: AgentShareId,
    pub name: String,
    /// Whose it is.
    pub owner: String,
    /// The first line of its instructions.
    pub about: String,
}
