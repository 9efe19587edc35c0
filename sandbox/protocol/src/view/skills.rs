//! A person's library of skills: what each is, where it came from, what was found in it, and which agents have it.

mod rule;

pub use rule::{SkillRule, Weight};

use super::{GivenAgent, GroupView};
use crate::{AgentId, ConversationId, McpServerId, SkillId};
use serde::{Deserialize, Serialize};

/// All skills that a person's agents may be given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkillLibrary {
    /// The person's own, by name.
    pub skills: Vec<SkillView>,
    /// Those that come with the hub, by name, each with a line: every agent that may use `get_skill` reads them.
    pub shipped: Vec<(String, String)>,
    /// Those that administrators lend to the person, and of which they have not this version.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lent: Vec<LentSkill>,
    /// Versions that were taken back, for administrators.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoked: Option<Vec<RevokedSkill>>,
}

/// A skill that an administrator lends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LentSkill {
    pub id: SkillId,
    pub name: String,
    /// In its own words.
    pub description: String,
    /// Who lends it.
    pub by: String,
}

/// A version that no agent is given any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RevokedSkill {
    pub digest: String,
    /// What it was called. Empty: nobody had it.
    pub name: String,
    pub at: i64,
}

/// To whom an administrator lends a skill of theirs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkillSharing {
    pub everyone: bool,
    /// All groups that there are, and whether it is lent to them.
    pub groups: Vec<(GroupView, bool)>,
}

/// A skill in a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkillView {
    pub id: SkillId,
    pub name: String,
    /// In its own words, letters that nobody sees spelled out.
    pub description: String,
    pub state: SkillState,
    pub source: SkillSource,
    /// When the newest version came.
    pub at: i64,
    /// The gravest of what was found in the newest version.
    pub gravest: Option<Weight>,
    /// Agents that it was chosen for.
    pub agents: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkillState {
    /// No agent is given any of it.
    Quarantined,
    Accepted,
    /// It was accepted, and an administrator took it back: no agent is given any of it.
    Revoked,
    /// Agents have the version that was accepted; a newer one waits.
    UpdateWaiting,
}

/// Where a version came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum SkillSource {
    File {
        name: String,
    },
    Address {
        url: String,
        /// Which one, where several are: its folder, or its name in a list. Empty: the only one.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        within: String,
    },
    McpServer {
        server: McpServerId,
        name: String,
        /// Of its `SKILL.md` there. Empty: of all that the server has.
        uri: String,
    },
    /// An administrator lends it.
    Lent {
        skill: SkillId,
        by: String,
    },
    /// It was written into the form.
    Form,
    Agent {
        agent: AgentId,
        name: String,
        conversation: ConversationId,
    },
}

impl SkillSource {
    /// Whether it can be asked for another version.
    pub fn is_elsewhere(&self) -> bool {
        match self {
            Self::Address { .. } | Self::McpServer { .. } | Self::Lent { .. } => true,
            Self::File { .. } | Self::Form | Self::Agent { .. } => false,
        }
    }
}

/// What stands at an address, once it was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum BroughtSkill {
    /// The one that was there is in quarantine.
    Skill { id: SkillId },
    /// Nothing was taken: there are some to choose from.
    Several(FoundSkills),
}

/// Skills that stand in one place elsewhere. Nothing of them is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundSkills {
    pub source: SkillSource,
    pub skills: Vec<FoundSkill>,
}

/// A skill elsewhere, in its own words: letters that nobody sees are spelled out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundSkill {
    /// By which it is asked for: its folder, its name in a list, or the address of its `SKILL.md` at a server.
    pub within: String,
    pub name: String,
    pub description: String,
}

/// A skill with all of its versions: there are two at most.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkillDetail {
    pub skill: SkillView,
    /// What agents are given.
    pub accepted: Option<SkillVersion>,
    pub waiting: Option<SkillVersion>,
    /// From the one to the other, file by file.
    pub changes: Vec<SkillChange>,
    /// To whom it is lent, where that is theirs to say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sharing: Option<SkillSharing>,
    /// The person's agents by name, once a version is accepted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<GivenAgent>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkillVersion {
    /// SHA-256 over the names and digests of all files.
    pub digest: String,
    pub at: i64,
    /// Its person stands by every word: agents read it as theirs, and not as a stranger's.
    pub vouched: bool,
    pub report: SkillReport,
    pub texts: Vec<SkillText>,
}

/// What is known of a version without believing it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkillReport {
    pub description: String,
    pub source: SkillSource,
    pub licence: Option<String>,
    pub compatibility: Option<String>,
    /// While it is loaded, its agent calls these tools and no others. None: it says nothing of tools.
    pub allowed_tools: Option<Vec<String>>,
    /// It is announced to agents that have these tools, and to no others. It gives none of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requires: Vec<String>,
    /// While it is loaded, the hosts that its agent reaches, and the folders and files that it reads and changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only_hosts: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only_mounts: Option<Vec<String>>,
    /// Of its scripts commands find these and no others. None: all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only_scripts: Option<Vec<String>>,
    /// Hosts that it names.
    pub hosts: Vec<String>,
    /// Files that are programs. Commands of agents that have read the skill can run them.
    pub scripts: Vec<String>,
    pub files: Vec<PinnedFile>,
    pub findings: Vec<SkillFinding>,
    /// Findings beyond those that are kept.
    pub more: u32,
}

impl SkillReport {
    /// Whether commands find a file: it is no script, or one that the skill does not leave out.
    pub fn leaves_script(&self, path: &str) -> bool {
        let names = |paths: &[String]| paths.iter().any(|named| named == path);
        !names(self.scripts.as_slice()) || self.only_scripts.as_deref().is_none_or(names)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PinnedFile {
    pub path: String,
    pub bytes: u64,
    /// SHA-256, in hex.
    pub digest: String,
}

/// Something that a person should look at before they accept it. It is evidence, and no verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkillFinding {
    pub rule: SkillRule,
    pub file: String,
    /// Counted from 1.
    pub line: u32,
    /// What stands there, letters that nobody sees spelled out.
    pub excerpt: String,
}

/// A file as it is, letters that nobody sees spelled out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkillText {
    pub path: String,
    /// None: it is no text.
    pub text: Option<String>,
}

/// What an update changes in a file, as a unified difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkillChange {
    pub path: String,
    pub difference: String,
}

/// Whether an agent has a skill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkillUse {
    #[default]
    Off,
    /// Its agent finds it with `list_skills` and reads it when it needs it.
    Found,
    /// It stands in its agent's prompt.
    Always,
}

impl SkillUse {
    pub const ALL: [Self; 3] = [Self::Off, Self::Found, Self::Always];

    /// As forms and calls name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Found => "found",
            Self::Always => "always",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkillChoice {
    pub skill: SkillId,
    pub chosen: SkillUse,
}

/// An accepted skill, and whether an agent has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentSkill {
    pub skill: SkillId,
    pub name: String,
    pub description: String,
    pub chosen: SkillUse,
    /// Tools that it requires and that the agent does not have.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lacks: Vec<String>,
}

/// A skill that comes with the hub, for an agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShippedSkill {
    pub name: String,
    /// Tools without which the agent is not told of it.
    pub lacks: Vec<String>,
}
