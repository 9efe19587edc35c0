//! Whose money a limit is about.

use protocol::words;
use protocol::{AgentId, LimitOf, PipelineId, ProviderId, ScheduleId, TokenId, UserId};

/// Every transaction locks limits in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Scope<'a> {
    Server,
    /// An administrator's limit for a person.
    Member(&'a UserId),
    /// An administrator's limit for each person who uses a provider of theirs.
    Shared {
        provider: &'a ProviderId,
        person: &'a UserId,
    },
    /// A person's own limit.
    Person(&'a UserId),
    Agent(&'a AgentId),
    /// A person's limit for a program of theirs.
    Token(&'a TokenId),
    /// A person's limit for what one schedule of an agent begins.
    Schedule(&'a ScheduleId),
    /// The budget of a pipeline, since it was started last.
    Pipeline(&'a PipelineId),
}

impl<'a> Scope<'a> {
    pub(super) fn owner(self) -> &'a str {
        match self {
            Self::Agent(agent) => &agent.0,
            Self::Token(token) => &token.0,
            Self::Schedule(schedule) => &schedule.0,
            Self::Pipeline(pipeline) => &pipeline.0,
            Self::Person(user) | Self::Member(user) => &user.0,
            Self::Shared { provider, .. } => &provider.0,
            Self::Server => "",
        }
    }

    /// Whose limit it is, for those who read of it.
    pub(super) fn of(self) -> LimitOf {
        match self {
            Self::Agent(_) => LimitOf::Agent,
            Self::Token(_) => LimitOf::Token,
            Self::Schedule(_) => LimitOf::Schedule,
            Self::Pipeline(_) => LimitOf::Pipeline,
            Self::Person(_) => LimitOf::Person,
            Self::Member(_) => LimitOf::Member,
            Self::Shared { .. } => LimitOf::Shared,
            Self::Server => LimitOf::Server,
        }
    }

    /// Whether an administrator set the limit.
    pub(super) fn is_of_administrators(self) -> bool {
        self.of().is_of_administrators()
    }

    /// Who may spend no more, in a sentence.
    pub(super) fn in_words(self) -> &'static str {
        match self {
            Self::Agent(_) => words!("This agent"),
            Self::Token(_) => words!("The program with this token"),
            Self::Schedule(_) => words!("The schedule that began this run"),
            Self::Pipeline(_) => words!("The pipeline as a whole"),
            Self::Person(_) => words!("All your agents together"),
            Self::Member(_) => words!("By your administrator's limit, all your agents together"),
            Self::Shared { .. } => words!("On this shared provider, all your agents together"),
            Self::Server => words!("By this server's limit, everybody's agents together"),
        }
    }
}
