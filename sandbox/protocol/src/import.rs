//! Read models of conversations that people bring along from other products.

use crate::{AgentId, ConversationId};
use serde::{Deserialize, Serialize};

/// A product whose export can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ImportSource {
    ChatGpt,
    Claude,
    OpenWebUi,
    LibreChat,
    /// This product, here or on another hub.
    Vivarium,
}

impl ImportSource {
    /// As it calls itself.
    pub fn name(self) -> &'static str {
        match self {
            Self::ChatGpt => "ChatGPT",
            Self::Claude => "Claude",
            Self::OpenWebUi => "Open WebUI",
            Self::LibreChat => "LibreChat",
            Self::Vivarium => "Vivarium",
        }
    }
}

/// What is in a file that was sent in, and what was brought in of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportReview {
    pub upload: String,
    /// The name of the file.
    pub name: String,
    pub source: ImportSource,
    /// Those that can be read, and all that was said in them.
    pub total: u32,
    pub messages: u32,
    /// Those that can be brought in, in the order of the file.
    pub offered: Vec<OfferedConversation>,
    /// How many can be brought in once those are.
    pub more: u32,
    /// What came of this file.
    pub imported: Vec<ImportedConversation>,
    /// How many were here before this file came.
    pub known: u32,
    /// What of all conversations together stays behind, a sentence each.
    pub left_out: Vec<String>,
    /// What of the file is no conversation that can be brought in, a sentence each.
    pub notices: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfferedConversation {
    /// Its place among those of the file that can be read, from 0 on.
    pub number: u32,
    pub title: String,
    /// When something was said in it last, in Unix milliseconds, if the file says that.
    pub said_at: Option<i64>,
    pub messages: u32,
    /// What of it stays behind, a sentence each.
    pub left_out: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportedConversation {
    pub conversation: ConversationId,
    pub agent: AgentId,
    pub agent_name: String,
    pub title: String,
    pub messages: u32,
    pub left_out: Vec<String>,
    /// It was deleted since, and can be brought back from the agent's list.
    pub deleted: bool,
}

/// A file that was sent in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UploadedImport {
    pub upload: String,
}
