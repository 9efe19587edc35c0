//! Why a source brought nothing, in sentences for people and models. They name its place, never what it said,
//! nor what was sent there.

use crate::outbound::OutboundError;
use thiserror::Error;

#[derive(Debug, Error)]
pub(crate) enum SourceError {
    #[error(transparent)]
    Unreached(OutboundError),
    #[error("{0}")]
    NotAllowed(String),
    #[error("What is searched for is too long for it.")]
    TooLong,
    #[error("There is no key for it that could be sent. Remove it, and add it again with its key.")]
    NoKey,
    #[error("The key was refused. Check it where you got it, or make a new one.")]
    KeyRefused,
    #[error("It refuses JSON. Add json to search.formats in the settings.yml of this SearXNG.")]
    NoJson,
    #[error("It refused to answer (status {0}).")]
    Refused(u16),
    #[error("What the plan of its key allows is used up.")]
    UsedUp,
    #[error("It was asked too often. It can be asked again in {0} s.")]
    TooOften(u64),
    #[error("It leads elsewhere (status {0}). Check the address.")]
    Moved(u16),
    #[error("It answered with an error of its own (status {0}).")]
    Broken(u16),
    #[error("Something answers, but not as this kind of source. Check kind and address.")]
    NotThisKind,
    #[error("It sent more than 2 MB and was given up.")]
    TooMuch,
    #[error("It did not answer in time.")]
    TooLate,
    #[error("Its provider is gone, or is not shared with you any more. Remove it, and add another.")]
    Gone,
    #[error("Its provider cannot be asked for this model. Remove it, and add it again with another one.")]
    NoModel,
    #[error("Its model did not search.")]
    NotSearched,
    #[error("It costs money, and only a run of the agent has some.")]
    NoRun,
    /// A limit on spending, in words of the hub.
    #[error("{0}")]
    OverBudget(String),
}

impl From<OutboundError> for SourceError {
    fn from(error: OutboundError) -> Self {
        Self::Unreached(error)
    }
}

impl SourceError {
    /// Seconds for which there is no use in asking it again.
    pub(super) fn rest(&self) -> Option<u64> {
        match self {
            Self::TooOften(seconds) => Some(*seconds),
            Self::Unreached(_)
            | Self::NotAllowed(_)
            | Self::TooLong
            | Self::NoKey
            | Self::KeyRefused
            | Self::NoJson
            | Self::Refused(_)
            | Self::UsedUp
            | Self::Moved(_)
            | Self::Broken(_)
            | Self::NotThisKind
            | Self::TooMuch
            | Self::TooLate
            | Self::Gone
            | Self::NoModel
            | Self::NotSearched
            | Self::NoRun
            | Self::OverBudget(_) => None,
        }
    }
}
