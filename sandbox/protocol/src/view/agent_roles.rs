//! Kinds of agents, and the files that teams of them come from and go into.

use crate::{AgentId, AgentRoleId};
use serde::{Deserialize, Serialize};

/// A kind of agent of a person's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentRoleView {
    pub id: AgentRoleId,
    pub name: String,
    /// What agents are told that may ask for one.
    pub description: String,
    pub model: String,
    pub tools: Vec<String>,
    /// How many a file asked for.
    pub least: u32,
    /// More are not made. Absent: any number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most: Option<u32>,
    /// By name. Sub-agents are not among them.
    pub agents: Vec<NamedAgent>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedAgent {
    pub id: AgentId,
    pub name: String,
}

/// What would be made of a team's file. Nothing is yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TeamReview {
    /// The id under which it was kept.
    pub file: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
    pub roles: Vec<RoleReview>,
}

/// One entry of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoleReview {
    /// Where it begins.
    pub line: u32,
    pub role: String,
    pub description: String,
    pub instructions: String,
    /// What the provider with its model is called. Absent: there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    pub model: String,
    pub tools: Vec<String>,
    pub least: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most: Option<u32>,
    /// The person has a role of this name, which becomes this one.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub is_known: bool,
    /// How many agents of it there are already.
    pub there: u32,
    /// Names of those that are made.
    pub makes: Vec<String>,
    /// What it asks for and does not get, a sentence each, with its line.
    pub notices: Vec<String>,
}

/// Agents as the text of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TeamExport {
    pub text: String,
    /// What of them does not go along, a sentence each.
    pub left_behind: Vec<String>,
}
