//! What a person lets their agents know around what they say.

use crate::{AgentId, ContextSource, SayingId};
use serde::{Deserialize, Serialize};

/// All of a person's context, as they see it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonContext {
    /// In the order in which they are told.
    pub sources: Vec<ContextSourceView>,
    /// By name.
    pub keys: Vec<ContextKey>,
    /// The newest first.
    pub said: Vec<Saying>,
    /// By name.
    pub agents: Vec<ContextAgent>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextSourceView {
    pub source: ContextSource,
    pub on: bool,
    /// What an agent would be told of it now. Empty: nothing.
    pub told: String,
    /// What the person entered, where they did.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub entered: String,
    /// Why it could not be looked at the last time.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub problem: String,
}

/// What is noted under a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextKey {
    pub name: String,
    pub value: String,
    /// The agent that wrote it. Absent: the person, or an agent that is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub writer: Option<AgentId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub writer_name: Option<String>,
    /// Its writer had read words of strangers.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub untrusted: bool,
    pub changed_at: i64,
}

/// The beginning of an answer that an agent gave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Saying {
    pub id: SayingId,
    pub agent: AgentId,
    pub agent_name: String,
    pub text: String,
    /// It had read words of strangers.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub untrusted: bool,
    pub at: i64,
}

/// What an agent may know of its person's context.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextAgent {
    pub agent: AgentId,
    pub name: String,
    /// The sources that are on.
    pub sees: bool,
    /// What the other agents said lately.
    pub hears: bool,
}

/// What a browser knows of the person who uses it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextReport {
    /// Of the IANA database. Empty: it does not say.
    #[serde(default)]
    pub zone: String,
    /// It is made to be held in the hand.
    #[serde(default)]
    pub phone: bool,
    /// As in `navigator.language`.
    #[serde(default)]
    pub language: String,
    /// The path of the page that it shows.
    #[serde(default)]
    pub path: String,
    /// The page went out of sight.
    #[serde(default)]
    pub away: bool,
}
