//! What a person writes and has not sent.

use crate::Attachment;
use serde::{Deserialize, Serialize};

/// What stands in the composer of a conversation, on whatever device it was written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// Empty: no words are being written.
    pub text: String,
    /// What goes with it, in the order in which it was added.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<Attachment>,
    /// Of each change one more. 0: nothing was ever written.
    pub version: u64,
}
