//! How much agents keep as files, as administrators say.

use serde::{Deserialize, Serialize};

/// None: what is usual.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRules {
    /// Of one file, from 1 to 5, which is usual.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_mb: Option<u32>,
    /// Of all files of an agent or a workspace together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder_mb: Option<u32>,
}
