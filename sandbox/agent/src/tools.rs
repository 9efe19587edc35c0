//! The tools that an agent can have: declarations only. Who performs one is found by its
//! [`Place`]; whether it may run at all is decided in the hub.

pub mod access;
mod aliases;
mod capabilities;
mod catalogue;
mod context_search;
mod datetime;
mod dom;
mod fetch;
mod found;
mod prefetch;
mod render_ui;
mod runjs;
mod schedule;
mod schema;
mod search;
mod signature;
mod skills;
mod skins;
mod state;

pub use access::{Access, Resource, Use};
pub use aliases::{NOT_YET, canonical, resolve};
pub(crate) use found::{deleted_by, found_by, made_by};
pub use prefetch::may_prefetch;
pub use search::search;
pub use signature::Signature;
pub(crate) use signature::searched;

pub use protocol::view::ToolRisk as Risk;

use protocol::model::ToolSpec;
use protocol::view::ToolGroup;
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
    /// The most harm that a call of it can do. From `High` on a person is asked, if no rule of theirs
    /// says otherwise.
    pub risk: Risk,
    /// What a call that writes can do, where that follows from its input.
    pub risk_by_input: Option<fn(&Value) -> Risk>,
    /// Whether the agent's page may call it.
    pub page: PageTier,
    /// What its calls read and write.
    pub uses: &'static [Use],
    pub concurrency: Concurrency,
    /// A call has at least so many milliseconds before it counts as timed out.
    pub least_ms: u64,
    /// So many calls a second may a person's agents and their pages begin in the long run, and a
    /// minute's worth at once.
    pub per_second: u32,
    /// Whether a result may be given again, as long as nothing wrote what it read.
    pub cache: Option<Cache>,
    /// The argument that holds what is searched for, if the tool searches.
    pub query: Option<&'static str>,
    schema: fn() -> Value,
}

/// Where a tool's calls are performed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the agent's page, in a tab that shows it.
    Skin,
    Hub,
}

/// Whether an agent's page may call a tool. Whatever wrote the page may be hostile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageTier {
    Immediate,
    /// If the person says yes to this tool.
    Ask,
    Blocked,
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

/// Whether a reading call may be under way beside others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Concurrency {
    Parallel,
    Alone,
}

/// How long a result may be used again, and by whom. Its key is the call's [`Signature`], and a call
/// that [`access::changes`] what it read drops it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cache {
    pub scope: Scope,
    pub ttl_ms: u64,
    /// Results of the tool that are kept at most; the one unused for longest goes first.
    pub entries: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// For what follows from the definition, which stays the same for a run.
    Run,
    Agent,
    Person,
}

impl Tool {
    /// The tool as a model sees it.
    pub fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: self.name.to_owned(),
            description: self.description.to_owned(),
            input_schema: (self.schema)(),
            strict: false,
        }
    }

    /// Under which heading a form offers it.
    pub fn group(&self) -> ToolGroup {
        match self.place {
            Place::Skin => ToolGroup::Page,
            Place::Hub if self.uses.iter().any(|used| used.of.is_seen()) => ToolGroup::Page,
            Place::Hub if self.uses.iter().all(|used| used.of == Resource::Tools) => ToolGroup::Tools,
            Place::Hub => ToolGroup::Memory,
        }
    }

    /// How much harm a call with this input can do.
    pub fn risk_of(&self, input: &Value) -> Risk {
        if access::is_read_only(Some(self), input) {
            return Risk::None;
        }
        self.risk_by_input.map_or(self.risk, |by_input| by_input(input))
    }

    /// What a call with this input is about, by the argument that names it.
    pub fn about<'a>(&self, input: &'a Value) -> Option<&'a str> {
        self.uses.iter().find_map(|used| used.part_of(input))
    }

    /// Whether calls of it can be about something.
    pub fn has_about(&self) -> bool {
        self.uses.iter().any(|used| used.key.is_some())
    }

    /// Whether it comes and goes with what the agent may reach of the web, and is not chosen by itself.
    pub fn is_of_the_web(&self) -> bool {
        self.uses.iter().any(|used| used.of == Resource::Web)
    }

    /// Whether a new agent has it, if nobody says otherwise.
    pub fn is_usual(&self) -> bool {
        match self.group() {
            ToolGroup::Page | ToolGroup::Memory => !self.is_of_the_web(),
            ToolGroup::Tools => false,
        }
    }
}

/// How much harm a call of a tool that an agent made can do: it runs where `runjs` does.
pub const RISK_OF_MADE: Risk = Risk::Medium;

const ALL: &[Tool] = &[
    dom::TOOL,
    runjs::TOOL,
    skins::TOOL,
    render_ui::TOOL,
    state::STATE,
    state::STORAGE,
    capabilities::TOOL,
    datetime::TOOL,
    context_search::TOOL,
    skills::LIST,
    skills::GET,
    schedule::TOOL,
    fetch::TOOL,
    catalogue::LIST,
    catalogue::FIND,
    catalogue::MAKE,
    catalogue::TAKE_AWAY,
];

/// Every tool, in the order in which a form offers them.
pub fn all() -> &'static [Tool] {
    ALL
}

/// The tool of this name or alias.
pub fn find(name: &str) -> Option<&'static Tool> {
    let name = canonical(name);
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
