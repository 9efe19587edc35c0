use serde::{Deserialize, Serialize};
use std::fmt;

/// A failure as a person or program outside the hub may see it: no internals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    pub kind: FailureKind,
    /// One or two sentences: what happened and what to do.
    pub message: String,
    /// For [`FailureKind::Internal`], the id under which the hub logged the cause.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// Nobody is signed in.
    Unauthenticated,
    /// Signed in, but not allowed to do this at all (never used to tell that an id exists).
    Forbidden,
    /// Not there, or not yours.
    NotFound,
    Conflict,
    Invalid,
    /// Too many, too large, too often.
    Limit,
    /// Another server failed: a provider, for instance.
    Upstream,
    /// The hub cannot at the moment: the same later would be fine.
    Unavailable,
    Internal,
}

impl Failure {
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), id: None }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.id {
            Some(id) => write!(f, " (id {id})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Failure {}
