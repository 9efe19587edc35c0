//! What waits for a person to look at it.

use crate::{McpServerId, SkillId};
use serde::{Deserialize, Serialize};

/// What waits for the viewer's word, and holds up no agent meanwhile.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reviews {
    /// Memories of agents that had read words of strangers.
    pub memories: u32,
    /// Memories that may not be true beside an older one.
    pub disagreeing: u32,
    /// Those that agents wrote, by name.
    pub skills: Vec<ProposedSkill>,
    /// Those of which something waits, by name.
    pub mcp_servers: Vec<McpServerReview>,
}

impl Reviews {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A skill of an agent that no agent is given yet, not in this version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProposedSkill {
    pub id: SkillId,
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct McpServerReview {
    pub id: McpServerId,
    pub name: String,
    /// Tools that are off until their person saw what changed.
    pub tools_changed: u32,
    /// Tools that came later than the server, and are off until their person said whether they are on.
    pub tools_new: u32,
    /// It knows its person no more.
    pub is_signed_out: bool,
}
