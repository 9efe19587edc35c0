//! The console: what goes between a person's agents, and what several of them said last.

use super::{DelegationKind, DelegationView, Status};
use crate::{AgentId, ConversationId, DeviceId, Micros};
use serde::{Deserialize, Serialize};

/// Agents that are spoken to at once.
pub const MOST_TOLD: usize = 50;
/// Agents whose answers are read at once, and stand side by side.
pub const MOST_BESIDE: usize = 24;

/// What goes on between agents, and which devices look on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConsoleView {
    /// Of the last day, those with the most delegations first.
    pub flows: Vec<ConsoleFlow>,
    /// The last few, the newest first.
    pub lately: Vec<DelegationView>,
    /// Devices with a page of the hub open.
    pub devices: Vec<ConsoleDevice>,
}

/// What one agent asked another, all together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConsoleFlow {
    pub kind: DelegationKind,
    pub from: AgentId,
    pub from_name: String,
    /// Who was asked; of sub-agents and agents elsewhere, who asked them.
    pub to: AgentId,
    /// Empty: the sub-agents of `from`.
    pub to_name: String,
    pub count: u64,
    /// Of these, still waiting or at work.
    pub open: u64,
    /// Of these, failed, too late or over their budget.
    pub failed: u64,
    pub cost: Micros,
}

/// A device that has a page of the hub open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConsoleDevice {
    /// Absent: a program with a token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<DeviceId>,
    pub name: String,
    /// Its tabs.
    pub tabs: u32,
    /// A person sees one of them.
    pub visible: bool,
    /// The agents whose pages they show.
    pub agents: Vec<AgentId>,
}

/// What an agent was asked last, and what it has answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConsoleAnswer {
    pub agent: AgentId,
    pub name: String,
    /// `#rrggbb`.
    pub colour: String,
    pub status: Status,
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub paused: bool,
    /// The one that was used last.
    pub conversation: ConversationId,
    /// The start of the last message; empty: there is none.
    pub asked: String,
    /// What came after it, as Markdown; empty: nothing yet.
    pub answer: String,
    /// There is more of the answer in the conversation.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub cut: bool,
}

/// A message that one of several agents was sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConsoleSent {
    pub agent: AgentId,
    pub conversation: ConversationId,
    pub seq: u64,
}
