//! Versions of an agent's instructions.

use crate::ConversationId;
use serde::{Deserialize, Serialize};

/// A version of an agent's instructions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InstructionsVersion {
    pub version: u64,
    /// Unix milliseconds.
    pub at: i64,
    /// Absent: it is older than versions are, and who wrote it is not known, nor when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<InstructionsAuthor>,
    /// In which the agent wrote it, if it did and the conversation is still there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation: Option<ConversationId>,
}

/// Who wrote instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InstructionsAuthor {
    Person,
    /// The agent itself, with a tool.
    Agent,
    /// They came with the agent, which is a copy.
    Copy,
}

/// What a version of instructions says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InstructionsText {
    pub version: u64,
    pub text: String,
    /// To the version before, line by line, as a unified difference. Absent if that is not kept, or there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<String>,
}
