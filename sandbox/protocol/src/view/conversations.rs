//! A conversation, and what comes of a message.

use super::{AgentCard, AgentView, ProviderKind, Room, Spent};
use crate::log::{Entry, Outcome};
use crate::{ConversationId, Permission, RunId};
use serde::{Deserialize, Serialize};

/// Everything the agent page needs at first: what comes later follows as entries after `seq`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentPage {
    pub agent: AgentView,
    pub card: AgentCard,
    pub provider_name: Option<String>,
    pub provider_kind: Option<ProviderKind>,
    pub room: Room,
    /// Entries of the conversation, oldest first.
    pub entries: Vec<Entry>,
    /// What the person decided about the agent's page.
    #[serde(default)]
    pub permissions: Vec<PermissionView>,
    pub seq: u64,
}

/// What the person decided, once and for all, about something that an agent's page can do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PermissionView {
    pub permission: Permission,
    /// The one host that a decision about links is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    pub allowed: bool,
    pub decided_at: i64,
}

/// What became of a message that was sent and waited for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answered {
    /// The message.
    pub seq: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
    /// Absent: the agent is still at work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// What the agent said last.
    pub text: String,
    /// Why there is no full answer, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    pub spent: Spent,
}

/// The message was committed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sent {
    pub seq: u64,
    pub conversation: ConversationId,
}
