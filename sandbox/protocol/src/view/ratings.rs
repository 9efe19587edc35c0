//! What a person thinks of answers.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Thumb {
    Up,
    Down,
}

/// What they think of one, by a thumb, a note or both.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rating {
    /// The entry that the answer is.
    pub seq: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thumb: Option<Thumb>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// When a run was given the note, in Unix milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told_at: Option<i64>,
}
