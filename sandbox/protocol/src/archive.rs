//! Read models of the pages that an agent put aside, and of the archives and templates that agents come
//! from and go into.

use crate::money::Caps;
use crate::schedule::{Author, FiringRules, Missed, Timing};
use crate::view::{AgentDraft, CarriedRule, Network};
use serde::{Deserialize, Serialize};

/// A page that an agent put aside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedSkin {
    pub name: String,
    pub at: i64,
}

/// A template that comes with the product.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TemplateCard {
    /// The id under which it is reviewed and made into an agent.
    pub archive: String,
    pub name: String,
    pub description: String,
    pub colour: String,
}

/// An archive that was sent in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Uploaded {
    pub archive: String,
}

/// A schedule in an archive, without when it ran.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchivedSchedule {
    pub name: String,
    /// What the agent is told.
    pub message: String,
    pub timing: Timing,
    #[serde(default)]
    pub missed: Missed,
    #[serde(default)]
    pub rules: FiringRules,
    pub by: Author,
    #[serde(default)]
    pub caps: Caps,
}

/// What of an agent does not go along into a copy, and into an archive, a sentence each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftBehind {
    pub copy: Vec<String>,
    pub archive: Vec<String>,
}

/// What is in an archive, before anything is made of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ArchiveReview {
    pub archive: String,
    pub name: String,
    pub version: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    pub tags: Vec<String>,
    pub has_page: bool,
    pub files: u32,
    /// Of all files, in bytes.
    pub bytes: u64,
    pub state_keys: u32,
    pub storage_keys: u32,
    /// What wakes it when its state changes.
    #[serde(default)]
    pub rules: u32,
    /// Tools that it made for itself.
    #[serde(default)]
    pub made_tools: u32,
    /// They come switched off.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub schedules: Vec<ArchivedSchedule>,
    /// What it had been allowed of the web: whether it is here, the person says.
    #[serde(default, skip_serializing_if = "Network::is_off")]
    pub network: Network,
    /// Rules about its calls, of which the person says the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub proposed: Vec<CarriedRule>,
    /// Conversations that come along if the person wants them.
    #[serde(default)]
    pub conversations: u32,
    /// What it asks for and does not get here, a sentence each.
    pub notices: Vec<String>,
    /// The agent as it would be made.
    pub draft: AgentDraft,
}
