//! Who has something that is given to agents.

use crate::AgentId;
use serde::{Deserialize, Serialize};

/// An agent of the person, and whether it has a skill or an MCP server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenAgent {
    pub agent: AgentId,
    pub name: String,
    pub has: bool,
    /// Tools without which it makes nothing of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lacks: Vec<String>,
}
