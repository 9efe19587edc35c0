//! Passkeys, and what a browser needs to make or use one. Binary things are in base64url.

use crate::PasskeyId;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PasskeyView {
    pub id: PasskeyId,
    pub name: String,
    pub created_at: i64,
    pub last_used_at: Option<i64>,
}

/// Where passkeys of this hub work: each is bound to a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PasskeyPlace {
    /// Under the address that the person came by.
    Here,
    /// Under this one.
    At(String),
    /// The hub has no name with HTTPS, and is not `localhost`.
    Nowhere,
}

/// For `navigator.credentials.create`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PasskeyOptions {
    pub challenge: String,
    /// The name that it will be bound to.
    pub party: String,
    pub person: String,
    /// The person's, as it is shown.
    pub name: String,
    /// Numbers of signature algorithms, the one that is liked best first.
    pub algorithms: Vec<i64>,
    /// Passkeys that the person has: a device that holds one of them makes no other.
    pub existing: Vec<String>,
}

/// For `navigator.credentials.get`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PasskeyChallenge {
    pub challenge: String,
    pub party: String,
}
