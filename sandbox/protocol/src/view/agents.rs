//! Agents and how they work.

use super::{SamplingSettings, Today};
use crate::agent::{Home, Hook, Mode};
use crate::log::Outcome;
use crate::model::{Effort, ModelFailureKind};
use crate::{AgentId, ConversationId, Micros, ProviderId};
use serde::{Deserialize, Serialize};

/// A secret that an agent sends and nobody reads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebSecretView {
    /// By which the agent names it.
    pub name: String,
    /// Scheme, host and port of the only server that it is sent to.
    pub place: String,
    pub kept_at: i64,
}

/// When a run under way moves with its agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum When {
    /// The reply that is being made is given up and made again there.
    Now,
    /// Its turn is finished first.
    #[default]
    After,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    #[default]
    Idle,
    Running,
    /// The last run could not go on without a person: a limit on spending was reached.
    Waiting,
    /// The last run ended without a full answer.
    Error,
}

impl Status {
    /// How an agent is whose last run ended like this.
    pub fn after(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Completed | Outcome::Stopped => Self::Idle,
            Outcome::Failed { failure } if failure.kind == ModelFailureKind::OverBudget => Self::Waiting,
            Outcome::RoundLimit | Outcome::Failed { .. } | Outcome::Interrupted { .. } => Self::Error,
        }
    }
}

/// An agent as the dashboard shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentCard {
    pub id: AgentId,
    pub name: String,
    /// `#rrggbb`.
    pub colour: String,
    pub home: Home,
    pub status: Status,
    /// It begins no run until its person resumes it.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub paused: bool,
    /// It stands before the others.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub pinned: bool,
    /// A run ended in one of its conversations that its person has not looked at since.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub unread: bool,
    /// Start of the last thing said, as plain text.
    pub last_line: Option<String>,
    pub last_at: i64,
    pub spent: Spent,
    /// Absent: it has no limit for a day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub today: Option<Today>,
    /// 0: it has not drawn yet.
    pub skin_version: u64,
    pub message_count: u64,
    /// The newest entry that this card knows.
    pub seq: u64,
}

/// What an agent used so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// Absent while no call had a known price.
    pub cost: Option<Micros>,
}

/// What an agent could be called and told to be, which its person has not said yes to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProposedAgent {
    pub name: String,
    pub instructions: String,
}

/// An agent's definition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentView {
    pub id: AgentId,
    pub name: String,
    pub colour: String,
    pub instructions: String,
    pub provider: Option<ProviderId>,
    pub model: String,
    /// Who answers when a local provider does not. Absent: nobody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallback: Option<Fallback>,
    /// Names of the tools it may use.
    pub tools: Vec<String>,
    pub max_output_tokens: u32,
    pub home: Home,
    #[serde(default)]
    pub loop_settings: LoopSettings,
    #[serde(default)]
    pub network: Network,
    /// Whether it reads of the web only what `robots.txt` lets programs read.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub follows_robots: bool,
    /// Whether the commands that it runs reach the hosts on its list as well.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub commands_reach: bool,
    /// It has a key of its own for its provider.
    #[serde(default)]
    pub own_key: bool,
    /// It begins no run until its person resumes it.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub paused: bool,
    pub conversation: ConversationId,
    pub created_at: i64,
    pub updated_at: i64,
}

/// A model in reserve.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fallback {
    pub provider: ProviderId,
    pub model: String,
}

/// What of the web an agent may reach.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Network {
    #[default]
    Off,
    AllowList {
        /// A host, or `*.` and what its name ends in; with a port if it is another than the usual ones.
        hosts: Vec<String>,
    },
    /// Everything that is public.
    Public,
}

impl Network {
    pub fn is_off(&self) -> bool {
        *self == Self::Off
    }
}

/// How an agent's loop works, and what its person is offered to tell it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LoopSettings {
    /// How much the model is to think. Absent: as the provider has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
    #[serde(default, skip_serializing_if = "SamplingSettings::is_left_out")]
    pub sampling: SamplingSettings,
    /// Rounds of a run at most, from 1 to 50. In a draft 0 stands for 25.
    #[serde(default)]
    pub rounds: u32,
    #[serde(default)]
    pub hooks: Vec<Hook>,
    #[serde(default)]
    pub mode: Mode,
    /// A message that comes after so many minutes without anything begins with an empty context.
    /// Absent: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clear_after_minutes: Option<u32>,
    /// After so many minutes without anything the agent thinks things over, at most three times until
    /// somebody speaks. Only where its home is the hub. Absent: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ambient_after_minutes: Option<u32>,
    /// A run at home in a browser goes on in the hub after so many minutes without one. Absent: it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hub_after_minutes: Option<u32>,
    #[serde(default)]
    pub repairs: Repairs,
    /// A model that calls no tools by itself makes a plan first: a call more for each message.
    #[serde(default)]
    pub plan: bool,
    /// What its person is offered to tell it: a `/` in the composer has them, and a conversation in which nothing was said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<AgentCommand>,
}

/// Words that become a draft with one press. Nothing is sent before the person sends it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentCommand {
    /// What is written after the slash.
    pub name: String,
    /// What stands on the button. Empty: its name does.
    #[serde(default)]
    pub label: String,
    pub text: String,
}

/// What errors of its page are to an agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Repairs {
    /// They wake it, at most three times until somebody speaks.
    #[default]
    Alone,
    /// They are shown, and wake it when its person says so.
    Asked,
}

/// What a request to the agent's model may hold, and from how many percent of that a person is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextRoom {
    pub tokens: u64,
    pub warn: u64,
    pub danger: u64,
}

/// What "create" and "edit" take.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AgentDraft {
    pub name: String,
    pub colour: String,
    #[serde(default)]
    pub instructions: String,
    /// Empty: none yet.
    #[serde(default)]
    pub provider: String,
    #[serde(default)]
    pub model: String,
    /// Who answers when a local provider does not. Empty: nobody.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub fallback_provider: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub fallback_model: String,
    /// Names of tools; none of them means the agent can only talk.
    #[serde(default)]
    pub tools: Vec<String>,
    #[serde(default)]
    pub max_output_tokens: u32,
    #[serde(default)]
    pub home: Home,
    #[serde(default)]
    pub loop_settings: LoopSettings,
}
