//! What tools were called, by whom, and how that ended.

use crate::Micros;
use crate::approval::Asker;
use serde::{Deserialize, Serialize};

/// Who decided whether a call is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallDecider {
    /// What is so without any word of the person's.
    Default,
    /// What the agent may reach of the web.
    Network,
    Hook,
    Rule,
    /// One that the run has loaded names other tools.
    Skill,
    /// The person, when they were asked.
    Person,
    /// Nobody answered in time.
    Time,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallOutcome {
    Done,
    /// Answered by what an earlier call had brought.
    Cached,
    Failed,
    /// A mistake of whoever called.
    Refused,
    /// A person, or something that they want, said no.
    Denied,
    Stopped,
    /// The hub stopped meanwhile.
    Unknown,
}

impl CallOutcome {
    pub const ALL: [Self; 7] =
        [Self::Done, Self::Cached, Self::Failed, Self::Refused, Self::Denied, Self::Stopped, Self::Unknown];
}

/// One call of a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallLine {
    pub at: i64,
    /// Whose agent it was, for administrators; empty: the reader's own.
    pub person: String,
    /// By the name of then. Empty for administrators: what others' agents are called is theirs.
    pub agent: String,
    pub caller: Asker,
    /// Empty for administrators, of a tool that the agent made.
    pub tool: String,
    /// A host or key; of a tool that the agent made what it declared to reach then: `page`, or the keys that it read and,
    /// after an arrow, set. Absent: nothing, or not the reader's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    pub decided_by: CallDecider,
    /// Absent: it is under way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<CallOutcome>,
    /// What it cost by itself, as a search does that the provider of a model makes; the turn that made the call is not in
    /// it. Absent: nothing, or not the reader's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Micros>,
}

/// Some calls, the newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallsPage {
    pub lines: Vec<CallLine>,
    /// There are older ones: those before this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub older: Option<String>,
}

/// What was called.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum CalledTool {
    BuiltIn {
        name: String,
    },
    /// A tool that an agent made. For administrators all of them together, without a name.
    Made {
        name: String,
    },
    /// The agent had no tool of that name.
    Nothing,
}

/// How often a tool was called, and what became of the calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolUsage {
    pub tool: CalledTool,
    pub calls: u64,
    /// Calls among them that pages made.
    pub of_pages: u64,
    /// Also what an earlier call had brought.
    pub done: u64,
    pub failed: u64,
    /// A mistake of whoever called, or somebody or something said no.
    pub refused: u64,
    /// Stopped, or nobody knows how they ended.
    pub unfinished: u64,
    /// How long they took in all, as far as it is known.
    pub took_ms: u64,
}

impl ToolUsage {
    pub fn of(tool: CalledTool) -> Self {
        Self { tool, calls: 0, of_pages: 0, done: 0, failed: 0, refused: 0, unfinished: 0, took_ms: 0 }
    }
}
