//! Why a peer did not do what it was asked for, in sentences for people and models.

use crate::error::Error;
use crate::outbound::OutboundError;
use thiserror::Error;

#[derive(Debug, Error)]
pub(crate) enum PeerFailure {
    #[error(transparent)]
    Unreached(#[from] OutboundError),
    #[error(
        "It wants to know who asks (status 401). Enter a token for it on the page of peers, another one if that has run out."
    )]
    LoginNeeded,
    #[error("It refuses the token (status 403). Check the token, and whether it may ask agents.")]
    Forbidden,
    #[error(
        "There is nothing at this address (status {0}). Enter where an agent has its card, or the address of a hub."
    )]
    NotThere(u16),
    #[error("It leads elsewhere (status {0}), where nothing is sent. Enter the address where it is now.")]
    Moved(u16),
    #[error("Something answers, but not as an agent of A2A 1.0 does. Check the address.")]
    NotA2a,
    #[error("It sent more than {0} MB and was given up.")]
    TooMuch(usize),
    #[error("It did not answer within {0} seconds and was given up.")]
    TooLate(u64),
    #[error("It closed the connection before it had answered.")]
    Cut,
    #[error("It was asked too often. Wait a little.")]
    TooOften,
    #[error("It answered with an error of its own (status {0}).")]
    Broken(u16),
    #[error("Too many of your requests to peers are under way. Wait for them.")]
    Busy,
    #[error("The token for it cannot be opened. Enter it again on the page of peers.")]
    NoSecret,
    #[error("It is not among your person's peers any more.")]
    Gone,
    #[error("Your person switched it off.")]
    Off,
    /// In the peer's own words, without its token.
    #[error("It says: {words}")]
    Refused { code: i64, words: String },
    #[error(
        "The connection broke before it said that it took this up, and nobody knows whether it works on it. Ask once more only if that does no harm."
    )]
    Unknown,
    #[error("{0}")]
    Hub(String),
}

impl PeerFailure {
    /// Whether it may be otherwise in a moment.
    pub(crate) fn is_passing(&self) -> bool {
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
            Self::Cut | Self::TooOften | Self::Broken(_) | Self::Busy | Self::TooLate(_) => true,
            Self::LoginNeeded
            | Self::Forbidden
            | Self::NotThere(_)
            | Self::Moved(_)
            | Self::NotA2a
            | Self::TooMuch(_)
            | Self::NoSecret
            | Self::Gone
            | Self::Off
            | Self::Refused { .. }
            | Self::Unknown
            | Self::Hub(_) => false,
        }
    }

    /// Whether the peer is what failed, and not what would have asked it.
    pub(crate) fn is_the_peers(&self) -> bool {
        match self {
            Self::Busy | Self::NoSecret | Self::Gone | Self::Off | Self::Hub(_) => false,
            Self::Unreached(_)
            | Self::LoginNeeded
            | Self::Forbidden
            | Self::NotThere(_)
            | Self::Moved(_)
            | Self::NotA2a
            | Self::TooMuch(_)
            | Self::TooLate(_)
            | Self::Cut
            | Self::TooOften
            | Self::Broken(_)
            | Self::Refused { .. }
            | Self::Unknown => true,
        }
    }

    /// Whether the request may have reached it.
    pub(crate) fn may_have_arrived(&self) -> bool {
        matches!(
            self,
            Self::Unreached(OutboundError::Timeout { .. } | OutboundError::Cut { .. })
                | Self::Cut
                | Self::TooLate(_)
                | Self::Broken(_)
        )
    }
}

impl From<Error> for PeerFailure {
    fn from(error: Error) -> Self {
        Self::Hub(error.into_failure().to_string())
    }
}

impl From<sqlx::Error> for PeerFailure {
    fn from(error: sqlx::Error) -> Self {
        Error::from(error).into()
    }
}
