//! What can go wrong, by meaning.

use crate::clock::new_id;
use crate::store::Unavailable;
use protocol::{Failure, FailureKind};
use std::sync::Arc;
use thiserror::Error as ThisError;

pub type Result<T> = std::result::Result<T, Error>;

#[derive(Debug, ThisError)]
pub enum Error {
    #[error("Sign in first.")]
    Unauthenticated,
    #[error("{0}")]
    Forbidden(&'static str),
    /// Not there, or not the viewer's: nobody can tell which.
    #[error("There is no such {0}.")]
    NotFound(&'static str),
    #[error("{0}")]
    Conflict(String),
    #[error("{0}")]
    Invalid(String),
    #[error("{0}")]
    Limit(String),
    /// The same later would be fine.
    #[error("{message}")]
    TooOften { message: String, wait_seconds: u64 },
    #[error("{0}")]
    Upstream(String),
    /// Nothing is wrong with what was asked for: the same later would be fine.
    #[error("{away}")]
    Unavailable {
        away: Unavailable,
        #[source]
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
    #[error("Something went wrong in the hub.")]
    Internal(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl Error {
    pub fn internal(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Internal(cause.into())
    }

    pub fn invalid(message: impl Into<String>) -> Self {
        Self::Invalid(message.into())
    }

    /// Whether the same succeeds once the database is back, without anything having been done meanwhile.
    pub(crate) fn is_database_away(&self) -> bool {
        matches!(self, Self::Unavailable { away, .. } if *away != Unavailable::Damaged)
    }

    /// The failure as it may leave the hub. An internal cause is logged here, once, under the id
    /// that the person can quote.
    pub fn into_failure(self) -> Failure {
        let message = self.to_string();
        let kind = match self {
            Self::Unauthenticated => FailureKind::Unauthenticated,
            Self::Forbidden(_) => FailureKind::Forbidden,
            Self::NotFound(_) => FailureKind::NotFound,
            Self::Conflict(_) => FailureKind::Conflict,
            Self::Invalid(_) => FailureKind::Invalid,
            Self::Limit(_) | Self::TooOften { .. } => FailureKind::Limit,
            Self::Upstream(_) => FailureKind::Upstream,
            Self::Unavailable { away: _, cause } => {
                tracing::error!(cause = %cause, "the database is away: {cause}");
                FailureKind::Unavailable
            }
            Self::Internal(cause) => {
                let id = new_id();
                tracing::error!(failure.id = %id, cause = %cause, "internal failure {id}");
                return Failure { kind: FailureKind::Internal, message, id: Some(id) };
            }
        };
        Failure::new(kind, message)
    }
}

/// `character_not_in_repertoire`.
const NUL_IN_TEXT: &str = "22021";

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        let code = error.as_database_error().and_then(|error| error.code());
        match code.as_deref() {
            // PostgreSQL's text cannot hold it.
            Some(NUL_IN_TEXT) => Self::invalid("A text may not hold the character U+0000."),
            _ => match Unavailable::of(&error) {
                Some(away) => Self::Unavailable { away, cause: error.into() },
                None => Self::internal(error),
            },
        }
    }
}

/// One error of the database that several wait for.
impl From<Arc<sqlx::Error>> for Error {
    fn from(error: Arc<sqlx::Error>) -> Self {
        match Unavailable::of(&error) {
            Some(away) => Self::Unavailable { away, cause: error.into() },
            None => Self::internal(error),
        }
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::internal(error)
    }
}
