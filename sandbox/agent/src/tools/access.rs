//! What tools read and write, as declared, and which calls get in each other's way.

use super::{Concurrency, Tool};
use serde_json::Value;

/// Something that tools share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// The agent's page.
    Page,
    /// What the person sees of the conversation.
    Conversation,
    /// `flo.state`.
    State,
    /// The agent's files.
    Files,
    /// The agent's own storage.
    Storage,
    /// The log of the agent's conversations.
    Log,
    /// Names and messages that the agent keeps beside its state and files. Its page may have written them.
    Labels,
    /// The tools that the agent has.
    Tools,
    /// Instructions that it can read.
    Skills,
    /// Where the loop runs and what is open.
    Place,
    Clock,
    /// When the agent is told something by itself.
    Schedules,
    /// Servers elsewhere.
    Web,
}

impl Resource {
    /// Whether strangers may have written it. The page may show anything, and an agent's scripts may
    /// bring it.
    fn is_foreign(self) -> bool {
        match self {
            Self::Web | Self::Page | Self::Labels => true,
            Self::Conversation
            | Self::State
            | Self::Files
            | Self::Storage
            | Self::Log
            | Self::Tools
            | Self::Skills
            | Self::Place
            | Self::Clock
            | Self::Schedules => false,
        }
    }

    /// Whether only its person and the agent know it.
    fn is_private(self) -> bool {
        match self {
            Self::Page
            | Self::State
            | Self::Files
            | Self::Storage
            | Self::Log
            | Self::Labels
            | Self::Schedules => true,
            Self::Conversation | Self::Tools | Self::Skills | Self::Place | Self::Clock | Self::Web => false,
        }
    }

    /// Whether a person looks at it.
    pub(super) fn is_seen(self) -> bool {
        match self {
            Self::Page | Self::Conversation => true,
            Self::State
            | Self::Files
            | Self::Storage
            | Self::Log
            | Self::Labels
            | Self::Tools
            | Self::Skills
            | Self::Place
            | Self::Clock
            | Self::Schedules
            | Self::Web => false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Read,
    Write,
}

/// One line of a tool's declaration.
#[derive(Clone, Copy, Debug)]
pub struct Use {
    pub access: Access,
    pub of: Resource,
    /// The argument that names the part of the resource. Without it, it is the whole.
    pub key: Option<&'static str>,
    /// The values of the argument `action` for which this holds. None: always.
    pub actions: &'static [&'static str],
}

impl Use {
    pub const fn reads(of: Resource) -> Self {
        Self { access: Access::Read, of, key: None, actions: &[] }
    }

    pub const fn writes(of: Resource) -> Self {
        Self { access: Access::Write, of, key: None, actions: &[] }
    }

    pub const fn at(self, key: &'static str) -> Self {
        Self { key: Some(key), ..self }
    }

    pub const fn on(self, actions: &'static [&'static str]) -> Self {
        Self { actions, ..self }
    }

    fn holds(&self, input: &Value) -> bool {
        let action = input.get("action").and_then(Value::as_str);
        self.actions.is_empty() || action.is_none_or(|action| self.actions.contains(&action))
    }

    /// The part of the resource that a call with this input names, if the line holds for it.
    pub(super) fn part_of<'a>(&self, input: &'a Value) -> Option<&'a str> {
        if self.holds(input) { self.part(input) } else { None }
    }

    fn part<'a>(&self, input: &'a Value) -> Option<&'a str> {
        input.get(self.key?)?.as_str()
    }
}

/// Whether a call of the tool with this input reads that part of the resource. No part stands for all
/// of it.
pub fn reads(tool: &Tool, input: &Value, of: Resource, part: Option<&str>) -> bool {
    let mut read = tool.uses.iter().filter(|used| used.access == Access::Read && used.of == of);
    read.any(|used| {
        used.holds(input) && used.part(input).is_none_or(|own| part.is_none_or(|part| own == part))
    })
}

/// Whether a call of the tool with this input writes that part of the resource, by its name.
pub(crate) fn writes_part(tool: &Tool, input: &Value, of: Resource, part: &str) -> bool {
    let mut written = tool.uses.iter().filter(|used| used.access == Access::Write && used.of == of);
    written.any(|used| used.part_of(input) == Some(part))
}

/// Whether the call settles what the agent is told when nobody is there any more.
pub fn speaks_later(tool: &Tool, input: &Value) -> bool {
    input.get("message").is_some()
        && tool
            .uses
            .iter()
            .any(|used| used.access == Access::Write && used.of == Resource::Schedules && used.holds(input))
}

/// Whether a call of the tool with this input reads what strangers may have written.
pub(crate) fn reads_foreign(tool: &Tool, input: &Value) -> bool {
    read(tool, input).any(Resource::is_foreign)
}

/// Whether a call of the tool with this input reads what only its person and the agent know.
pub(crate) fn reads_private(tool: &Tool, input: &Value) -> bool {
    read(tool, input).any(Resource::is_private)
}

fn read(tool: &Tool, input: &Value) -> impl Iterator<Item = Resource> {
    let uses = tool.uses.iter().filter(|used| used.access == Access::Read && used.holds(input));
    uses.map(|used| used.of)
}

/// Whether a call of the tool with this input changes nothing. Of a tool that is not declared nothing
/// is known.
pub fn is_read_only(tool: Option<&Tool>, input: &Value) -> bool {
    tool.is_some_and(|tool| {
        let mut uses = tool.uses.iter().filter(|used| used.holds(input));
        uses.all(|used| used.access == Access::Read)
    })
}

/// Whether the call may be under way at the same time as others of its kind.
pub fn may_join(tool: Option<&Tool>, input: &Value) -> bool {
    tool.is_some_and(|tool| tool.concurrency == Concurrency::Parallel) && is_read_only(tool, input)
}

/// Whether the first call may change what the second one reads or writes.
pub fn changes(writer: (Option<&Tool>, &Value), other: (Option<&Tool>, &Value)) -> bool {
    let (Some(tool), Some(other_tool)) = (writer.0, other.0) else {
        return !is_read_only(writer.0, writer.1);
    };
    let writes = tool.uses.iter().filter(|used| used.access == Access::Write && used.holds(writer.1));
    writes.into_iter().any(|written| {
        let mut touched = other_tool.uses.iter().filter(|used| used.of == written.of && used.holds(other.1));
        touched.any(|used| match (written.part(writer.1), used.part(other.1)) {
            (Some(one), Some(other)) => one == other,
            (None, _) | (_, None) => true,
        })
    })
}
