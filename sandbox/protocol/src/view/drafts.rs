//! What a person writes and has not sent.

use serde::{Deserialize, Serialize};

/// What stands in the composer of a conversation, on whatever device it was written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// Empty: nothing is being written.
    pub text: String,
    /// Of each change one more. 0: nothing was ever written.
    pub version: u64,
}
