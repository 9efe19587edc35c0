//! Versions of an agent's page.

use super::NamedConversation;
use serde::{Deserialize, Serialize};

/// A version of an agent's page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkinVersion {
    pub version: u64,
    pub at: i64,
    pub origin: SkinOrigin,
    /// The browser in which it was made, by the name it had then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// The conversation in which the agent drew it, as long as that is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation: Option<NamedConversation>,
}

/// Who made a version of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkinOrigin {
    /// The agent, with a tool.
    Run,
    /// The page, by its own scripts, while a person used it.
    Page,
    /// A person, who brought an older one back.
    Person,
    /// It came with the agent, which is a copy.
    Copy,
}
