//! What stands beside every page.

use super::{Me, Status};
use crate::{AgentId, ConversationId};
use serde::{Deserialize, Serialize};

/// The way to everything of a person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SideBar {
    pub me: Me,
    /// All of them, in the order of the dashboard.
    pub agents: Vec<SideAgent>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SideAgent {
    pub id: AgentId,
    pub name: String,
    /// `#rrggbb`.
    pub colour: String,
    pub status: Status,
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub paused: bool,
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub unread: bool,
    /// Its conversations that were used last, five at most; none in which nothing was said.
    pub conversations: Vec<SideConversation>,
    /// The newest entry that this knows.
    pub seq: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideConversation {
    pub id: ConversationId,
    pub title: String,
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub unread: bool,
}
