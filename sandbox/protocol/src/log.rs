//! Entries of an agent's log: the one history from which everything can be rebuilt.

use crate::frame::SkinPage;
use crate::model::{Block, ModelFailure, StopReason, ToolCall, ToolResult, Usage};
use crate::view::Home;
use crate::{AgentId, ConversationId, Micros, RunId, TabId};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One committed entry. `seq` is per agent, starts at 1 and has no gap.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    pub agent: AgentId,
    pub seq: u64,
    /// Unix milliseconds, by the hub's clock.
    pub at: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation: Option<ConversationId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
    pub body: EntryBody,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum EntryBody {
    /// What a person, or the agent's page, said.
    Message {
        from: Sender,
        text: String,
    },
    RunStarted {
        home: Home,
    },
    /// A finished block of the reply in `turn` (counted from 0 within the run).
    Block {
        turn: u32,
        index: u32,
        block: Block,
    },
    /// The reply in `turn` is whole. Blocks of a turn without this entry were cut off.
    TurnFinished {
        turn: u32,
        stop: StopReason,
    },
    /// The gateway let this call through and is about to act.
    ToolStarted {
        turn: u32,
        call: ToolCall,
    },
    ToolFinished {
        turn: u32,
        result: ToolResult,
        millis: u64,
    },
    /// What the call in `turn` used. `cost` is absent while the model's price is unknown.
    Used {
        turn: u32,
        model: String,
        usage: Usage,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cost: Option<Micros>,
    },
    RunFinished {
        outcome: Outcome,
    },
    /// The page changed; `version` counts from 1. The tab that drew it (`by`) shows it already.
    Skin {
        version: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<TabId>,
    },
    /// A key of `flo.state`; `null` removes it.
    State {
        key: String,
        value: Value,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Sender {
    Person,
    /// `flo.notify(name, …)`.
    PageNotify {
        name: String,
    },
    /// `flo.ask(…)`.
    PageAsk,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Outcome {
    Completed,
    /// A person pressed Stop.
    Stopped,
    /// The hard cap on rounds was reached.
    RoundLimit,
    Failed {
        failure: ModelFailure,
    },
    /// Whoever drove the run is gone: the hub restarted or the tab closed.
    Interrupted {
        why: String,
    },
}

impl Outcome {
    /// Whether a Retry makes sense: the person's last message has no full answer.
    pub fn can_retry(&self) -> bool {
        match self {
            Self::Completed => false,
            Self::Stopped | Self::RoundLimit | Self::Failed { .. } | Self::Interrupted { .. } => true,
        }
    }
}

/// A stored page of an agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Skin {
    pub version: u64,
    pub page: SkinPage,
}
