//! Why a service told nothing, in sentences for models. They name its place, never what it said.

use crate::outbound::OutboundError;
use thiserror::Error;

#[derive(Debug, Error)]
pub(crate) enum DataError {
    /// What was asked for is not there, and what to ask for instead.
    #[error("{0}")]
    Asked(String),
    #[error("{0} Your person can put it there: it is what {1} comes from.")]
    NotAllowed(String, &'static str),
    #[error("{0} Try again later, or look on the web.")]
    Unreached(OutboundError),
    #[error("The {0} was asked too often. It can be asked again in {1} s.")]
    TooOften(&'static str, u64),
    #[error(
        "Your person's agents have asked for much of it lately. It can be asked again in {0} s; what was told \
         before still holds."
    )]
    Paced(u64),
    #[error("The {0} answered with an error of its own (status {1}). Try again later, or look on the web.")]
    Broken(&'static str, u16),
    #[error("The {0} refused to answer (status {1}). Whoever runs the hub can see to its address.")]
    Refused(&'static str, u16),
    #[error("The {0} answered something else than was asked. Whoever runs the hub can see to its address.")]
    NotThisKind(&'static str),
    #[error("The {0} sent more than 256 KB and was given up.")]
    TooMuch(&'static str),
    #[error("The {0} did not answer in time. Try again later, or look on the web.")]
    TooLate(&'static str),
}
