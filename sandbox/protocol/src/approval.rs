//! What a person is asked about a call of a tool, what they say, and the rules that they keep.

use crate::agent::ToolRisk;
use crate::model::ToolCall;
use crate::question::{Answer, Question};
use crate::{AgentId, ApprovalId, PolicyRuleId, RunId};
use serde::{Deserialize, Serialize};

/// A call that is not made before a person says so.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Approval {
    pub id: ApprovalId,
    pub asker: Asker,
    /// The MCP server whose page calls, by its name. Absent: a page is the agent's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page_of: Option<String>,
    /// Of the run, if a model calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<u32>,
    /// The call as it will be made.
    pub call: ToolCall,
    /// What the call is about: a host, a key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    pub risk: ToolRisk,
    pub why: ApprovalReason,
    /// A yes to it holds for no other call, however alike.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub once: bool,
    /// Strangers may have asked for what it says: the agent has read words of theirs.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub strangers: bool,
    /// Hosts that it could send things to besides what it is about: those that a command reaches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reaches: Vec<String>,
    /// The call is made to ask this, and what is said to it is no leave but the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<Box<Question>>,
    /// Stands for the call, its agent, run and turn. An answer names it, so that it is about what was
    /// shown and nothing else.
    pub hash: String,
    /// From then on the answer is no. Unix milliseconds.
    pub expires_at: i64,
}

/// Who makes a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Asker {
    Model,
    /// The agent's page.
    Page,
}

/// Why a call needs a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalReason {
    /// It can do harm.
    Risk,
    /// A rule of the person's wants it.
    Rule,
    /// The page wants more than its own things.
    Page,
    /// It could carry private words out, in a conversation that holds words of strangers.
    WayOut,
    /// It changes something, after three calls were denied. Each is asked about by itself.
    Denials,
    /// It asks the person something.
    Question,
    /// The hub stopped while it was under way, and nobody knows what came of it.
    Unknown,
}

/// What a person says to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    Once,
    /// And whenever this run makes such a call again.
    Run,
    /// And for half an hour from now.
    HalfHour,
    /// And whenever this agent makes such a call again.
    Always,
    Deny,
}

/// How an approval ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ApprovalOutcome {
    /// A person answered, on this device.
    Decided {
        decision: Decision,
        device: String,
        /// What they want the agent to know.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        word: Option<String>,
    },
    /// A person answered what the agent asked, on this device.
    Answered { answer: Answer, device: String },
    /// Nobody answered in time.
    Expired,
    /// Whoever asked does not wait any more.
    Withdrawn,
}

/// An open approval, for a list over all agents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ApprovalView {
    pub agent: AgentId,
    pub agent_name: String,
    pub asked_at: i64,
    pub approval: Approval,
}

/// A rule of the person's about calls of tools. Deny wins; otherwise the newest rule that fits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyRule {
    pub id: PolicyRuleId,
    /// Absent: all agents of the person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentId>,
    /// Whose calls. Absent: everybody's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asker: Option<Asker>,
    /// A tool's name, where `*` stands for any characters.
    pub tool: String,
    /// What the call must be about: a host, an address, a key or `argument=value`, where `*` stands for any
    /// characters. Absent: anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    pub verdict: Verdict,
    /// Only in this run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
    /// So many times more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uses_left: Option<u32>,
    /// Unix milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<i64>,
    pub made_at: i64,
    /// The answer that made it. Then `about` is meant as it stands, `*` included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<ApprovalId>,
    /// Only for calls that can do no more harm than this: what was shown, of an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub risk_at_most: Option<ToolRisk>,
}

/// What a rule says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Allow,
    Ask,
    Deny,
}

/// What a person enters for a rule.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyDraft {
    /// Empty: all agents of the person.
    #[serde(default)]
    pub agent: String,
    /// `model` or `page`. Empty: both.
    #[serde(default)]
    pub asker: String,
    pub tool: String,
    #[serde(default)]
    pub about: String,
    /// `allow`, `ask` or `deny`.
    pub verdict: String,
    /// So many times. 0: as often as may be.
    #[serde(default)]
    pub uses: u32,
    /// For so many minutes. 0: until it is taken back.
    #[serde(default)]
    pub minutes: u32,
}
