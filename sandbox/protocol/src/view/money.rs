//! Money as people see it.

use super::ToolUsage;
use crate::money::Budget;
use crate::{AgentId, LimitOf, Micros, UserId};
use serde::{Deserialize, Serialize};

/// What an administrator lets a person spend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonBudget {
    pub id: UserId,
    pub name: String,
    pub budget: Budget,
}

/// What an agent spent today, and its limit for a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Today {
    pub spent: Micros,
    pub limit: Micros,
}

/// What was used in the last days.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UsageView {
    /// Oldest first, without a gap.
    pub days: Vec<UsageDay>,
    /// Each agent; for an administrator, each person. The most expensive first.
    pub agents: Vec<UsageLine>,
    pub models: Vec<UsageLine>,
    /// By token, what other programs called and had called.
    #[serde(default)]
    pub programs: Vec<UsageLine>,
    #[serde(default)]
    pub providers: Vec<UsageLine>,
    #[serde(default)]
    pub kinds: Vec<UsageOfKind>,
    /// The tool that was called most often first.
    #[serde(default)]
    pub tools: Vec<ToolUsage>,
    /// What the days are split into, if that was asked for: what cost most first, the others together last.
    /// What cost nothing is in none.
    #[serde(default)]
    pub parts: Vec<UsagePart>,
}

/// By what the days of a picture are split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UsageBy {
    /// For an administrator, by person.
    Agent,
    Model,
    Provider,
    Kind,
}

impl UsageBy {
    pub const ALL: [Self; 4] = [Self::Agent, Self::Model, Self::Provider, Self::Kind];
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UsagePart {
    pub of: PartOfUsage,
    pub cost: Micros,
    /// For each of `UsageView::days`.
    pub days: Vec<Micros>,
}

/// What a part of the cost was spent on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum PartOfUsage {
    /// An agent or person, model or provider. Empty as in `UsageLine`.
    Named {
        name: String,
    },
    /// Calls of other programs, which no agent made.
    Programs,
    Kind {
        kind: CallKind,
    },
    Others {
        count: u64,
    },
}

/// What a model call was for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallKind {
    Reply,
    /// A reply that failed or was stopped: it is paid for all the same, and often made again.
    Unfinished,
    Summary,
    Plan,
    /// The name of a conversation.
    Title,
    /// What of a conversation is worth remembering.
    Memories,
    /// A search that the provider of a model makes itself.
    Search,
    /// What was said to be written, or written to be said.
    Speech,
    /// What memories mean, and what is looked for among them.
    Meaning,
    /// A name and instructions for an agent that is not made yet.
    Proposal,
    /// Another program's own call.
    Program,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UsageOfKind {
    pub kind: CallKind,
    pub line: UsageLine,
}

/// A limit of which most is used up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LimitWarning {
    /// A sentence: whose limit it is and how it stands.
    pub message: String,
    pub of: LimitOf,
    /// The agent, if the limit is one agent's, or one of its schedules'.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentId>,
}

/// Whole micro-dollars for a million tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelPrice {
    pub input: Micros,
    pub output: Micros,
}

/// What a person says that a model costs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnPrice {
    pub model: String,
    pub price: ModelPrice,
}

/// A model that was refused because nobody knows what it costs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WantedPrice {
    pub model: String,
    /// The names of those who wait for it.
    pub people: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UsageDay {
    /// `2026-11-22`, in UTC.
    pub day: String,
    pub cost: Micros,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UsageLine {
    /// Empty: an agent or provider that was deleted.
    pub name: String,
    pub calls: u64,
    /// Calls among them whose price is not known: they cost more than what stands here.
    pub unpriced: u64,
    pub input_tokens: u64,
    pub output_tokens: u64,
    pub cost: Micros,
}
