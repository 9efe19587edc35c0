//! Conversations that are shown to other people of the hub: as their owner sees it, and as their readers do.

use super::ConversationView;
use crate::ShareId;
use serde::{Deserialize, Serialize};

/// Who may read a conversation, for its owner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConversationShares {
    pub conversation: ConversationView,
    pub agent_name: String,
    /// The oldest first.
    pub shares: Vec<ConversationShare>,
}

/// Somebody who may read it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConversationShare {
    pub id: ShareId,
    pub reader: String,
    pub shared_at: i64,
}

/// A conversation that somebody may read, for them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedConversation {
    pub id: ShareId,
    /// Empty: nobody has said anything.
    pub title: String,
    pub agent_name: String,
    pub owner: String,
    /// It is the viewer's own, who looks at what a reader sees.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub is_own: bool,
    pub shared_at: i64,
    /// When something was last said to the agent in it.
    pub used_at: i64,
}

/// A part of a list of them, those shared last first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedList {
    pub conversations: Vec<SharedConversation>,
    /// There are others after them.
    pub more: bool,
}

/// A part of what was said in one of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedPart {
    pub conversation: SharedConversation,
    /// Oldest first.
    pub lines: Vec<SharedLine>,
    /// The entry that the part begins with, if others come before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earlier: Option<u64>,
}

/// What was said or done in one entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedLine {
    /// The entry.
    pub seq: u64,
    pub at: i64,
    pub said: SharedWords,
    /// Of the text the beginning.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub is_cut: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum SharedWords {
    /// To the agent.
    Message {
        from: SharedSpeaker,
        text: String,
        /// The names of what came with it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        attached: Vec<String>,
    },
    /// By the agent.
    Answer { text: String },
    /// It used this tool; what for and what came of it stays its owner's.
    Tool { name: String, failed: bool },
}

/// Who said something to the agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum SharedSpeaker {
    /// Whose conversation it is.
    Owner,
    /// A program that speaks for them.
    Program {
        name: String,
    },
    /// A program that passes on what others wrote.
    Relay {
        name: String,
    },
    /// Another agent of theirs.
    Agent {
        name: String,
    },
    Page,
    Rule,
    Schedule {
        name: String,
    },
}
