//! What was said somewhere, and who looks for it.

use crate::{AgentId, ConversationId};
use serde::{Deserialize, Serialize};

/// What somebody looks for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchQuery {
    /// Words, or beginnings of words, that must all be there.
    pub text: String,
    /// In one agent, or one conversation, and nowhere else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation: Option<ConversationId>,
    /// Counted from 0.
    #[serde(default)]
    pub page: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchResults {
    /// Conversations that are called so; on the first page.
    pub titles: Vec<SearchTitle>,
    /// Newest first.
    pub hits: Vec<SearchHit>,
    /// Others follow.
    pub more: bool,
    /// Everything that was said was looked at. Else it is being read at the moment.
    pub is_complete: bool,
}

/// A conversation that is called as somebody looks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchTitle {
    pub agent: AgentId,
    pub agent_name: String,
    pub conversation: ConversationId,
    pub title: String,
    pub used_at: i64,
}

/// A message or an answer in which all of the words are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchHit {
    pub agent: AgentId,
    pub agent_name: String,
    pub conversation: ConversationId,
    pub title: String,
    /// The entry.
    pub seq: u64,
    pub at: i64,
    pub by: SearchSpeaker,
    pub excerpt: Vec<ExcerptPart>,
}

/// Who said it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SearchSpeaker {
    Person,
    Agent,
    /// A page, a program, a schedule or a rule.
    Other,
}

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExcerptPart {
    pub text: String,
    /// It is what was looked for.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub is_hit: bool,
}
