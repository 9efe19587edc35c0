//! The tools that an agent can have: declarations only. Who performs one is found by its
//! [`Place`]; whether it may run at all is decided in the hub.

mod capabilities;
mod datetime;
mod dom;
mod runjs;
mod schema;
mod state;

use protocol::model::ToolSpec;
use serde_json::Value;

/// A tool's declaration.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    pub name: &'static str,
    /// One line for a person.
    pub summary: &'static str,
    /// What a model reads.
    pub description: &'static str,
    pub place: Place,
    pub repeat: Repeat,
    schema: fn() -> Value,
}

/// Where a tool's calls are performed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the agent's page, in a tab that shows it.
    Skin,
    Hub,
}

/// What may be done with a call whose outcome is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// Doing it again changes nothing.
    Idempotent,
    /// It may be sent again under the same key: the other side tells a repetition.
    Keyed,
    /// It never runs again by itself; a person decides.
    Once,
}

impl Tool {
    /// The tool as a model sees it.
    pub fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: self.name.to_owned(),
            description: self.description.to_owned(),
            input_schema: (self.schema)(),
        }
    }
}

const ALL: &[Tool] =
    &[dom::TOOL, runjs::TOOL, state::STATE, state::STORAGE, capabilities::TOOL, datetime::TOOL];

/// Every tool, in the order in which a form offers them.
pub fn all() -> &'static [Tool] {
    ALL
}

pub fn find(name: &str) -> Option<&'static Tool> {
    ALL.iter().find(|tool| tool.name == name)
}

/// The specs of the named tools, always in the order of [`all`]: requests stay equal however an
/// agent's list is sorted. Unknown names are left out.
pub fn specs(names: &[String]) -> Vec<ToolSpec> {
    let chosen = ALL.iter().filter(|tool| names.iter().any(|name| name == tool.name));
    chosen.map(Tool::spec).collect()
}

#[cfg(test)]
mod tests;
