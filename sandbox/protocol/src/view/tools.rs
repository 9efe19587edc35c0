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

/// A tool that an agent made for itself, or that its person added.
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
    pub author: ToolAuthor,
    pub reach: ToolReach,
    /// It came in a file, and its person has not accepted it: no model is told of it, and nothing calls it.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub waiting: bool,
    /// A newer file of a tool that the agent has, beside it until its person accepts it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offered: Option<OfferedTool>,
}

/// A version of a made tool that came in a file and that its person has not accepted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OfferedTool {
    /// Names this very version, letter for letter.
    pub digest: String,
    pub description: String,
    /// JSON Schema of an object.
    pub input_schema: Value,
    pub code: String,
    pub reach: ToolReach,
    /// From the version that the agent has, of description, schema and code, as a unified difference.
    pub changes: String,
}

/// What a person wrote into the form of a tool, and the hub did not take.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedTool {
    pub name: String,
    pub description: String,
    /// As it was typed, which may be no JSON.
    pub input_schema: String,
    pub code: String,
    pub page: bool,
    /// Keys, one a line.
    pub reads: String,
    pub writes: String,
}

/// Who wrote the version of a made tool that there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolAuthor {
    #[default]
    Agent,
    Person,
    /// Somebody else: it came in a file.
    File,
}

/// What a made tool may touch beside its input, as it declares. Nothing, if it declares nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolReach {
    /// The agent's page with all that its scripts reach, the whole state among it.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub page: bool,
    /// Keys of the state that it reads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<String>,
    /// Keys of the state that it sets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub writes: Vec<String>,
}

impl ToolReach {
    /// Where `runjs` runs, as what an agent makes for itself does.
    pub fn page() -> Self {
        Self { page: true, ..Self::default() }
    }
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
