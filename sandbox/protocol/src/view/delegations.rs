//! What agents ask each other to do, as a page shows it.

use crate::{AgentId, ConversationId, DelegationId, Micros, RunId};
use serde::{Deserialize, Serialize};

/// Who was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DelegationKind {
    /// A sub-agent, made for it.
    SubAgent,
    /// Another agent of the person's.
    Agent,
    /// An agent elsewhere.
    Peer,
    /// An agent of the person's that heard a topic.
    Topic,
    /// An agent that somebody else on the hub shares.
    Shared,
}

/// How far it is. The hub says so, and nobody else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DelegationState {
    /// It waits for its turn, or for its agent to be free.
    Queued,
    Running,
    Completed,
    Failed,
    Stopped,
    TimedOut,
    /// A limit on spending stopped it.
    OverBudget,
}

impl DelegationState {
    pub fn is_over(self) -> bool {
        match self {
            Self::Queued | Self::Running => false,
            Self::Completed | Self::Failed | Self::Stopped | Self::TimedOut | Self::OverBudget => true,
        }
    }
}

/// With what a chain of agents that ask each other began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChainBeginning {
    /// What an agent was told in a conversation.
    Conversation,
    /// What a program asked of an agent.
    Program,
    /// A schedule of an agent.
    Schedule,
    /// What an agent thought by itself.
    Thought,
    Pipeline,
    /// The agent is gone.
    Unknown,
}

/// What one agent asked another to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DelegationView {
    pub id: DelegationId,
    pub kind: DelegationKind,
    pub asker: AgentId,
    pub asker_name: String,
    pub asker_conversation: ConversationId,
    /// Who was asked.
    pub agent: AgentId,
    pub name: String,
    pub conversation: ConversationId,
    pub task: String,
    /// The last words of an agent elsewhere, while they come.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub latest: String,
    pub state: DelegationState,
    /// All that one word led to has the same.
    pub chain: RunId,
    /// How far down in it: 1 was asked by whom that word reached.
    pub depth: i64,
    pub begun_by: ChainBeginning,
    /// The agent with which the chain began; empty for a pipeline, and where it is gone.
    pub begun_with: String,
    /// Why it came to nothing, if it did.
    pub why: String,
    /// Unix milliseconds.
    pub created_at: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finished_at: Option<i64>,
    /// What it cost so far, if the person pays it.
    pub cost: Micros,
    /// An agent of somebody else asked: `asker_name` says which. The asker and its conversation are then those that
    /// were asked.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub for_others: bool,
}
