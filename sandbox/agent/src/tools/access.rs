//! What tools read and write, as declared, and which calls get in each other's way.

use super::{Concurrency, ResolvedCall};
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
    /// Where the person's device is.
    Location,
    /// What was copied on the person's device.
    Clipboard,
    /// Nothing but what the call says.
    Input,
    /// When the agent is told something by itself.
    Schedules,
    /// What the agent is told to be.
    Instructions,
    /// What is remembered of the person.
    Memory,
    /// What its person says when they are asked.
    Person,
    /// What there is to do in the conversation.
    Todo,
    /// What other agents do.
    Agents,
    /// Jobs that are carried out elsewhere, and what they say.
    ExternalJobs,
    /// Servers elsewhere.
    Web,
    /// What search engines of the person's choice know of it.
    WebSearch,
    /// What services with open data know of the world: the weather, exchange rates.
    OpenData,
}

impl Resource {
    /// Whether strangers may have written it. The page may show anything, and an agent's scripts may
    /// bring it.
    fn is_foreign(self) -> bool {
        match self {
            Self::Web
            | Self::WebSearch
            | Self::OpenData
            | Self::ExternalJobs
            | Self::Page
            | Self::Labels
            | Self::Clipboard => true,
            Self::Conversation
            | Self::State
            | Self::Files
            | Self::Storage
            | Self::Log
            | Self::Tools
            | Self::Skills
            | Self::Place
            | Self::Clock
            | Self::Location
            | Self::Input
            | Self::Schedules
            | Self::Instructions
            | Self::Memory
            | Self::Person
            | Self::Agents
            | Self::Todo => false,
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
            | Self::Schedules
            | Self::Instructions
            | Self::Memory
            | Self::Location
            | Self::ExternalJobs
            | Self::Clipboard => true,
            Self::Conversation
            | Self::Tools
            | Self::Skills
            | Self::Place
            | Self::Clock
            | Self::Input
            | Self::Person
            | Self::Todo
            | Self::Agents
            | Self::Web
            | Self::WebSearch
            | Self::OpenData => false,
        }
    }

    /// Whether it is what others do for the agent.
    pub(super) fn is_done_by_others(self) -> bool {
        matches!(self, Self::Agents | Self::ExternalJobs)
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
            | Self::Location
            | Self::Clipboard
            | Self::Input
            | Self::Schedules
            | Self::Instructions
            | Self::Memory
            | Self::Person
            | Self::Todo
            | Self::Agents
            | Self::ExternalJobs
            | Self::Web
            | Self::WebSearch
            | Self::OpenData => false,
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
pub struct ResourceUse {
    pub access: Access,
    pub of: Resource,
    /// The argument that names the part of the resource. Without it, it is the whole.
    pub key: Option<&'static str>,
    /// The values of the argument `action` for which this holds. None: always.
    pub actions: &'static [&'static str],
}

impl ResourceUse {
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

impl ResolvedCall {
    /// Whether it reads that part of the resource. No part stands for all of it.
    pub fn reads(&self, of: Resource, part: Option<&str>) -> bool {
        let mut read = self.uses().filter(|used| used.access == Access::Read && used.of == of);
        read.any(|used| used.part(self.input()).is_none_or(|own| part.is_none_or(|part| own == part)))
    }

    /// Whether it reads or writes something of the resource.
    pub(crate) fn touches(&self, of: Resource) -> bool {
        self.uses().any(|used| used.of == of)
    }

    /// Whether it writes that part of the resource, by its name.
    pub(crate) fn writes_part(&self, of: Resource, part: &str) -> bool {
        let mut written = self.uses().filter(|used| used.access == Access::Write && used.of == of);
        written.any(|used| used.part(self.input()) == Some(part))
    }

    /// Whether it settles what the agent is told when nobody is there any more.
    pub fn speaks_later(&self) -> bool {
        let mut written = self.uses().filter(|used| used.access == Access::Write);
        let has_message = self.input().get("message").is_some();
        written
            .any(|used| used.of == Resource::Instructions || (used.of == Resource::Schedules && has_message))
    }

    /// Whether it reads what strangers may have written.
    pub(crate) fn reads_foreign(&self) -> bool {
        self.uses().any(|used| used.access == Access::Read && used.of.is_foreign())
    }

    /// Whether it reads what only its person and the agent know.
    pub(crate) fn reads_private(&self) -> bool {
        self.uses().any(|used| used.access == Access::Read && used.of.is_private())
    }

    /// Whether it changes nothing. Of a tool that is not declared nothing is known.
    pub fn is_read_only(&self) -> bool {
        self.tool().is_some() && self.uses().all(|used| used.access == Access::Read)
    }

    /// Whether it may be under way at the same time as others of its kind.
    pub fn may_join(&self) -> bool {
        self.tool().is_some_and(|tool| tool.concurrency == Concurrency::Parallel) && self.is_read_only()
    }

    /// Whether it may change what the other one reads or writes.
    pub fn may_change(&self, other: &Self) -> bool {
        if self.tool().is_none() || other.tool().is_none() {
            return !self.is_read_only();
        }
        let mut written = self.uses().filter(|used| used.access == Access::Write);
        written.any(|written| {
            let mut touched = other.uses().filter(|used| used.of == written.of);
            touched.any(|used| match (written.part(self.input()), used.part(other.input())) {
                (Some(one), Some(other)) => one == other,
                (None, _) | (_, None) => true,
            })
        })
    }

    /// Files and folders that it names, from the root.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        let of_files = self.uses().filter(|used| used.of == Resource::Files);
        of_files.filter_map(|used| used.part(self.input()))
    }

    /// The lines of the declaration that hold for it.
    fn uses(&self) -> impl Iterator<Item = &'static ResourceUse> {
        let uses: &'static [ResourceUse] = self.tool().map_or(&[], |tool| tool.uses);
        uses.iter().filter(|used| used.holds(self.input()))
    }
}
