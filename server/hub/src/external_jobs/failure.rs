//! Why a job service did not do what it was asked for, in sentences for people and models.

use crate::error::Error;
use crate::outbound::OutboundError;
use thiserror::Error;

#[derive(Debug, Error)]
pub(crate) enum JobFailure {
    #[error(transparent)]
    Unreached(#[from] OutboundError),
    #[error("It wants to know who asks (status 401). Enter a token for it, another one if that has run out.")]
    LoginNeeded,
    #[error("It refuses this (status 403). Check what the token may do.")]
    Forbidden,
    #[error("It has no such thing (status {0}). Check the address, the repository and the names of jobs.")]
    NotThere(u16),
    #[error("It leads elsewhere (status {0}), where nothing is sent. Enter the address where it is now.")]
    Moved(u16),
    #[error("It was asked too often and wants to be left alone for {wait_s} seconds.")]
    TooOften { wait_s: u64 },
    #[error("It answered with an error of its own (status {0}).")]
    Broken(u16),
    /// In the service's own words, without its token.
    #[error("It does not take this (status {status}): {words}")]
    Refused { status: u16, words: String },
    #[error("What it answers is not as it should be: {0}")]
    NotAsDescribed(&'static str),
    #[error("It sent more than {0} KB where less was to come.")]
    TooMuch(usize),
    #[error("It did not answer within {0} seconds and was given up.")]
    TooLate(u64),
    #[error(
        "Its log lies at {0}, where it is not fetched from. If that is right, enter it with the service."
    )]
    LogElsewhere(String),
    #[error("Too many of your requests to job services are under way. Wait for them.")]
    Busy,
    #[error("The token for it cannot be opened. Enter it again on the page of external jobs.")]
    NoSecret,
    #[error("Your person switched it off.")]
    Off,
    #[error("{0}")]
    Hub(String),
}

impl JobFailure {
    /// Whether it may be otherwise in a moment.
    pub(super) fn is_passing(&self) -> bool {
        match self {
            Self::Unreached(failure) => match failure {
                OutboundError::NoAnswer { .. }
                | OutboundError::NoSuchName { .. }
                | OutboundError::Timeout { .. }
                | OutboundError::Cut { .. } => true,
                OutboundError::Url(_) | OutboundError::NotAllowed { .. } | OutboundError::Insecure { .. } => {
                    false
                }
            },
            Self::TooOften { .. } | Self::Broken(_) | Self::TooLate(_) | Self::Busy | Self::Hub(_) => true,
            // Who switches it off may switch it on.
            Self::Off => true,
            Self::LoginNeeded
            | Self::Forbidden
            | Self::NotThere(_)
            | Self::Moved(_)
            | Self::Refused { .. }
            | Self::NotAsDescribed(_)
            | Self::TooMuch(_)
            | Self::LogElsewhere(_)
            | Self::NoSecret => false,
        }
    }

    /// Whether a request that changes something may have done so all the same.
    pub(super) fn may_have_arrived(&self) -> bool {
        match self {
            Self::Unreached(failure) => {
                matches!(failure, OutboundError::Timeout { .. } | OutboundError::Cut { .. })
            }
            Self::Broken(_) | Self::TooLate(_) | Self::NotAsDescribed(_) | Self::TooMuch(_) => true,
            Self::LoginNeeded
            | Self::Forbidden
            | Self::NotThere(_)
            | Self::Moved(_)
            | Self::TooOften { .. }
            | Self::Refused { .. }
            | Self::LogElsewhere(_)
            | Self::Busy
            | Self::NoSecret
            | Self::Off
            | Self::Hub(_) => false,
        }
    }
}

impl From<Error> for JobFailure {
    fn from(error: Error) -> Self {
        Self::Hub(error.into_failure().to_string())
    }
}
