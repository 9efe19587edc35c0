//! What a model is sent.

use super::ContextRoom;
use crate::log::Summariser;
use crate::model::{ModelMessage, ToolSpec};
use crate::{AgentId, ContextSource};
use serde::{Deserialize, Serialize};

/// What the model of an agent is sent, and what is left out of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContextView {
    pub agent: AgentId,
    pub name: String,
    pub model: String,
    /// A run is under way, and this is what its next call is made of.
    pub running: bool,
    /// In the order in which they are sent.
    pub sections: Vec<ContextSection>,
    /// Of all sections, estimated.
    pub tokens: u64,
    pub room: ContextRoom,
    /// Steps of compaction in the conversation, oldest first.
    pub steps: Vec<ContextStep>,
    /// Turns that are sent as part of a summary only.
    pub summarised: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContextSection {
    /// Estimated.
    pub tokens: u64,
    pub part: ContextPart,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ContextPart {
    /// A part of the system prompt, with what stands between it and the part before.
    System {
        part: PromptPart,
        text: String,
    },
    Tool {
        tool: ToolSpec,
    },
    /// What the person lets the agent know around what they say. It is sent in the message that follows it.
    Context {
        source: ContextSource,
        text: String,
    },
    /// Its files come without their bytes.
    Message {
        message: ModelMessage,
    },
}

/// What was done for the conversation to fit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ContextStep {
    /// Old results of tools are sent as digests.
    Digested,
    /// No text of more than `longest` bytes is sent whole.
    Clipped { longest: u32 },
    /// `text` is sent in place of what was said earlier.
    Summary { by: Summariser, text: String },
}

/// What a part of the system prompt is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PromptPart {
    /// Who the agent is.
    Identity,
    /// The agent's own instructions.
    Instructions,
    /// `AGENTS.md` of its own files.
    AgentsMd,
    /// `AGENTS.md` of its workspace.
    WorkspaceMd,
    /// How it draws its page.
    Page,
    /// How it works.
    Work,
    /// How it finds tools that are not at hand.
    Tools,
    /// How it finds what is no longer in the request.
    Context,
    /// Which skills it can read when it needs them.
    Skills,
    Memories,
    /// A skill that always stands in the prompt.
    Skill {
        name: String,
    },
}
