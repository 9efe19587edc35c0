//! People as administrators see them.

use super::Role;
use crate::UserId;
use crate::money::Budget;
use serde::{Deserialize, Serialize};

/// People of one page of a list of them.
pub const PEOPLE_AT_ONCE: usize = 50;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonView {
    pub id: UserId,
    pub name: String,
    pub role: Role,
    pub disabled: bool,
    pub created_at: i64,
    /// From a browser or by a token.
    pub last_seen_at: Option<i64>,
    /// What administrators let them spend, and what they spent.
    pub budget: Budget,
    /// Whether they sign in with a code besides the password.
    #[serde(default)]
    pub second_factor: bool,
    /// The administrator who asks.
    pub is_self: bool,
    /// Which of several nodes serves them. Absent in lists, and where nobody has served them yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
}

/// Shown once, when it is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewReset {
    /// Whose password it resets.
    pub name: String,
    /// Path of the page with the code: `/reset/…`.
    pub path: String,
    pub expires_at: i64,
}
