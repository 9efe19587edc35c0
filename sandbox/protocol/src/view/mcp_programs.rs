//! Programs of the hub's machine that administrators allow as MCP servers.

use serde::{Deserialize, Serialize};

/// What the address of a server begins with that is one of them; its name follows.
pub const STDIO: &str = "stdio:";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct McpProgram {
    pub name: String,
    /// It and its arguments.
    pub words: Vec<String>,
    /// What it may reach.
    pub hosts: Vec<String>,
    /// What whoever adds it fills in, by the names under which it finds that in its environment.
    pub variables: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct McpPrograms {
    /// By name.
    pub programs: Vec<McpProgram>,
    /// Why none of them can be run, if so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_here: Option<String>,
}

/// What a person fills in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct McpVariable {
    pub name: String,
    pub value: String,
}
