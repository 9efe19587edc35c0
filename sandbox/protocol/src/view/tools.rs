//! Tools, as a person chooses them.

use crate::agent::ToolRisk;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A tool as the agent form offers it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolView {
    pub name: String,
    /// One line for a person.
    pub summary: String,
    pub group: ToolGroup,
    pub risk: ToolRisk,
    /// A new agent has it.
    pub usual: bool,
    /// The named sets in which it is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sets: Vec<ToolSet>,
}

/// Tools that are chosen together, by what their agent is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolSet {
    /// Drawing and moving its page.
    Page,
    Research,
    Writing,
    Code,
    /// Having other agents work.
    Leading,
}

/// A tool that an agent made for itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MadeToolView {
    pub name: String,
    pub description: String,
    /// Counts from 1.
    pub version: u32,
    /// Absent: not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made_at: Option<i64>,
    /// JSON Schema of an object.
    pub input_schema: Value,
    /// The body of an async function of `input`.
    pub code: String,
}

/// What a tool is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolGroup {
    /// The agent's page.
    Page,
    /// What the agent keeps as files.
    Files,
    /// What the agent keeps and knows.
    Memory,
    /// Other agents.
    Agents,
    /// Other tools.
    Tools,
}
