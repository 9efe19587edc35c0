//! Why no answer came, in sentences for people. They name scheme, host and port, never the rest of
//! an address, no header and no body.

use super::resolver::{NoSuchName, OutOfReach};
use std::error::Error as StdError;
use std::io::{self, ErrorKind};
use thiserror::Error;

#[derive(Debug, Error)]
pub(crate) enum OutboundError {
    #[error("This is not an address that can be used: {0}.")]
    Url(&'static str),
    #[error(
        "The hub may not connect to {place} from here. Whoever runs the hub decides about private \
         and local addresses, with VIVARIUM_PRIVATE_ADDRESSES."
    )]
    NotAllowed { place: String },
    #[error("There is no server named in {place}. Check the address.")]
    NoSuchName { place: String },
    #[error("Nothing answers at {place}. Is it running?")]
    NoAnswer { place: String },
    #[error("{place} took too long to answer. Try again.")]
    Timeout { place: String },
    #[error(
        "No secure connection to {place} can be made. Check the address, and whether it is https at all."
    )]
    Insecure { place: String },
    #[error("{place} closed the connection before its answer was complete. Try again.")]
    Cut { place: String },
}

impl OutboundError {
    pub(super) fn of(error: reqwest::Error, place: String) -> Self {
        if has_cause::<OutOfReach>(&error) {
            return Self::NotAllowed { place };
        }
        if has_cause::<NoSuchName>(&error) {
            return Self::NoSuchName { place };
        }
        // Whoever is not connected to was sent nothing.
        if error.is_timeout() && !error.is_connect() {
            return Self::Timeout { place };
        }
        if error.is_connect() {
            return match is_broken_tls(&error) {
                true => Self::Insecure { place },
                false => Self::NoAnswer { place },
            };
        }
        if error.is_builder() {
            return Self::Url("write it like https://example.com/v1");
        }
        Self::Cut { place }
    }
}

fn causes(error: &reqwest::Error) -> impl Iterator<Item = &(dyn StdError + 'static)> {
    std::iter::successors(error.source(), |&cause| cause.source())
}

fn has_cause<T: StdError + 'static>(error: &reqwest::Error) -> bool {
    causes(error).any(|cause| cause.is::<T>())
}

/// A TLS failure comes as an I/O error of these kinds, often inside another one; a refused or lost
/// connection does not.
fn is_broken_tls(error: &reqwest::Error) -> bool {
    let errors = causes(error).filter_map(|cause| cause.downcast_ref::<io::Error>());
    errors.flat_map(|outer| std::iter::successors(Some(outer), |&error| inside(error))).any(|error| {
        matches!(error.kind(), ErrorKind::InvalidData | ErrorKind::InvalidInput | ErrorKind::UnexpectedEof)
    })
}

fn inside(error: &io::Error) -> Option<&io::Error> {
    error.get_ref()?.downcast_ref()
}
