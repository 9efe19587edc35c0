//! What tools were called, by whom, and how that ended.

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
    /// A host or key. Absent: nothing, or not the reader's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    pub decided_by: CallDecider,
    /// Absent: it is under way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<CallOutcome>,
}

/// Some calls, the newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallsPage {
    pub lines: Vec<CallLine>,
    /// There are older ones: those before this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub older: Option<String>,
}
