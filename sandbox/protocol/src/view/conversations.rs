//! A conversation, and what comes of a message.

use super::{AgentCard, AgentView, ContextRoom, ProviderReach, Rating, SpeechHere, Spent};
use crate::agent::ProviderKind;
use crate::log::{Entry, Outcome};
use crate::{AgentId, ConversationId, Permission, RunId};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One of the conversations of an agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConversationView {
    pub id: ConversationId,
    pub agent: AgentId,
    /// What it was named, or the beginning of its first message. Empty: nobody has said anything.
    pub title: String,
    /// Empty: the agent's own.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub model: String,
    pub created_at: i64,
    /// When something was last said to the agent in it.
    pub used_at: i64,
    #[serde(default)]
    pub pinned: bool,
    #[serde(default)]
    pub archived: bool,
    #[serde(default)]
    pub deleted: bool,
    /// A run ended in it, or in a branch of it, that its person has not looked at since.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub unread: bool,
    /// It has no memory, is found by no search, and is removed a day after it was last used.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub temporary: bool,
    /// Empty: it is in none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub folder: String,
}

/// Which conversations of an agent are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConversationFilter {
    #[default]
    Active,
    Archived,
    /// Deleted, and not yet removed for good.
    Deleted,
}

/// A part of a list of conversations, the pinned ones first and then the newest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConversationList {
    pub conversations: Vec<ConversationView>,
    /// There are others after them.
    pub more: bool,
    /// The folders of the agent's conversations, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub folders: Vec<String>,
}

/// Everything the agent page needs at first: what comes later follows as entries after `seq`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentPage {
    pub agent: AgentView,
    pub card: AgentCard,
    /// The one that is shown.
    pub conversation: ConversationView,
    /// Another one, in which the agent is at work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elsewhere: Option<ConversationView>,
    pub provider_name: Option<String>,
    pub provider_kind: Option<ProviderKind>,
    /// The hub calls the model, and can send it a PDF as it is.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub takes_pdf: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider_reach: Option<ProviderReach>,
    pub room: ContextRoom,
    /// The end of the conversation, oldest first, behind what a page has to know of the rest.
    pub entries: Vec<Entry>,
    /// The entry that it begins with, if others come before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earlier: Option<u64>,
    /// Entries of which long texts are cut off, by number.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cut: Vec<u64>,
    /// What the person decided about the agent's page.
    #[serde(default)]
    pub permissions: Vec<PermissionView>,
    pub seq: u64,
    /// Where the conversation goes on in more than one way, in the order of entries.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub branches: Vec<BranchPoint>,
    /// What the person thinks of its answers, in the order of entries.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ratings: Vec<Rating>,
    /// What of speech the hub does there, by endpoints of the person's.
    #[serde(default)]
    pub speech: SpeechHere,
}

/// A conversation that something came about in, as a link names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedConversation {
    pub id: ConversationId,
    pub agent: AgentId,
    pub title: String,
}

/// A place from which on a conversation has several branches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BranchPoint {
    /// The first entry of the branch that is shown.
    pub at: u64,
    /// The oldest first, at least two.
    pub branches: Vec<ConversationId>,
    /// Which of them is shown, counted from 0.
    pub shown: usize,
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

/// When a value of `flo.state` comes to be so, the agent is told and works: made by its page, or by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateRule {
    pub key: String,
    /// A condition in the grammar of rules: `> 10`.
    pub when: String,
    /// What the agent is told.
    pub message: String,
}

/// What stands in `flo.state` under a key, and who set it last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateValue {
    pub key: String,
    pub value: Value,
    /// Absent: it came along when the agent was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<StateOrigin>,
    /// Unix milliseconds, where that is known still.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<i64>,
    /// The conversation in which the agent set it, as long as that is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation: Option<NamedConversation>,
}

/// Who set a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StateOrigin {
    /// The agent, with a tool.
    Run,
    /// Its page, or its person.
    Page,
}

/// What became of a message that was sent and waited for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MessageOutcome {
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
