//! Whose money a limit is about.

use protocol::{AgentId, UserId};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope<'a> {
    Agent(&'a AgentId),
    /// A person's own limit.
    Person(&'a UserId),
    /// An administrator's limit for a person.
    Member(&'a UserId),
    Server,
}

impl<'a> Scope<'a> {
    /// All that a call of this agent has to keep to. Every transaction locks them in this order.
    pub(super) fn all(owner: &'a UserId, agent: &'a AgentId) -> [Self; 4] {
        [Self::Server, Self::Member(owner), Self::Person(owner), Self::Agent(agent)]
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Agent(_) => "agent",
            Self::Person(_) => "person",
            Self::Member(_) => "member",
            Self::Server => "server",
        }
    }

    pub(super) fn owner(self) -> &'a str {
        match self {
            Self::Agent(agent) => &agent.0,
            Self::Person(user) | Self::Member(user) => &user.0,
            Self::Server => "",
        }
    }

    /// Who may spend no more, in a sentence.
    pub(super) fn in_words(self) -> &'static str {
        match self {
            Self::Agent(_) => "This agent",
            Self::Person(_) => "All your agents together",
            Self::Member(_) => "By your administrator's limit, all your agents together",
            Self::Server => "By this server's limit, everybody's agents together",
        }
    }
}
