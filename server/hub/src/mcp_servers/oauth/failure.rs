//! Why a sign-in came to nothing, in sentences for people.

use crate::error::Error;
use crate::outbound::OutboundError;
use thiserror::Error as ThisError;

#[derive(Debug, ThisError)]
pub(in super::super) enum SignInFailure {
    #[error(transparent)]
    Unreached(#[from] OutboundError),
    #[error("The server does not say where to sign in. If it takes a token, enter one below.")]
    NotSaid,
    #[error("What is said about signing in is not to be relied on: {0}. Nothing was sent there.")]
    Unfit(&'static str),
    #[error(
        "The sign-in at {place} takes no program that it does not know. Register this hub there, with {redirect} as its redirect address, and enter the client id that you get."
    )]
    Unknown { place: String, redirect: String },
    #[error("{0} did not answer as a sign-in does.")]
    Garbled(String),
    #[error("{0} sent more than 256 KB and was given up.")]
    TooMuch(String),
    #[error("{0} did not answer within {1} seconds and was given up.")]
    TooLate(String, u64),
    #[error(
        "The answer came from another place than you were sent to, so nothing of it was taken. If you did not begin this, somebody tried to mislead you."
    )]
    ForeignIssuer,
    #[error("The sign-in was refused ({0}).")]
    Refused(String),
    #[error("This sign-in is not under way any more. Press Connect once more.")]
    NotUnderWay,
    #[error("{0}")]
    Hub(String),
}

impl SignInFailure {
    /// Whether nothing more comes of what was given here before: it is over, or nobody knows the client.
    pub(super) fn is_for_good(&self) -> bool {
        let Self::Refused(code) = self else { return false };
        matches!(code.as_str(), "invalid_grant" | "invalid_client" | "unauthorized_client")
    }
}

impl From<Error> for SignInFailure {
    fn from(error: Error) -> Self {
        Self::Hub(error.into_failure().to_string())
    }
}

impl From<SignInFailure> for Error {
    fn from(failure: SignInFailure) -> Self {
        Self::Upstream(failure.to_string())
    }
}
