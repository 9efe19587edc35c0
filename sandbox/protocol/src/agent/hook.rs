//! The person's hooks.

use serde::{Deserialize, Serialize};

/// A rule of the person's that is looked at on each `event`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hook {
    pub event: HookEvent,
    /// A tool's name, where `*` stands for any characters. Absent: every tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// What the event's text must hold: the input of a call as JSON, a result, a message, an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holds: Option<String>,
    pub action: HookAction,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HookEvent {
    PreToolUse,
    PostToolUse,
    UserPromptSubmit,
    Stop,
    AgentStart,
    /// A run has ended with a whole reply. What is added then is read by the next run.
    AgentEnd,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum HookAction {
    /// It does not happen. Wins over every other action.
    Deny { reason: String },
    /// The model reads this.
    AddContext { text: String },
    /// The run does not end yet (on `stop`).
    Continue { text: String },
}
