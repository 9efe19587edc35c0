//! What a run says on its way: what the loop asks for, what its driver asks the hub, and the answers.

mod spec;

pub use spec::{KeyLack, KeySlot, ListedSkill, OnDevice, PromptSkill, RunGrant, RunSpec};

use crate::Attachment;
use crate::log::{EntryBody, Outcome, Sender};
use crate::model::{ModelEvent, ModelRequest, Purpose, ToolCall, ToolResult, Usage};
use serde::{Deserialize, Serialize};

/// What the loop asks the world to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Effect {
    CallModel {
        turn: u32,
        request: ModelRequest,
    },
    /// Give up the model call in flight. Nothing more comes of it.
    AbortModel,
    /// These calls do not get in each other's way and may be performed at once. Answered by one
    /// [`RunReply::Tool`] per call, in any order.
    RunTools {
        turn: u32,
        calls: Vec<ToolCall>,
    },
    /// Calls that no model made, which only look and may fail or be missing. Answered by one
    /// [`RunReply::Prefetched`], at the latest after `deadline_ms`. [`Effect::AbortTools`] gives them
    /// up.
    Prefetch {
        turn: u32,
        calls: Vec<ToolCall>,
        deadline_ms: u64,
    },
    /// Give up the tool calls in flight; each is answered all the same, at once.
    AbortTools,
    /// `ordinal` counts the loop's own entries of this run from 0.
    Append {
        ordinal: u32,
        body: EntryBody,
    },
    /// Answered by [`RunReply::Timer`] once, at a moment that the driver picks by chance between
    /// the two. Void after `Finish`.
    Arm {
        /// The turn that waits for it.
        timer: u32,
        least_ms: u64,
        most_ms: u64,
    },
    /// A model call whose reply nobody is shown. Answered by one [`RunReply::Aside`], at the latest
    /// after `deadline_ms`. [`Effect::AbortModel`] gives it up.
    Aside {
        turn: u32,
        purpose: Purpose,
        request: ModelRequest,
        deadline_ms: u64,
    },
    /// The run is over. Its last effect.
    Finish {
        ordinal: u32,
        outcome: Outcome,
    },
}

/// What the driver of a browser-home run asks the hub for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum RunAsk {
    Effect {
        effect: Effect,
    },
    /// `count` more events of the running model call may be sent.
    Credit {
        count: u32,
    },
    /// What the model on the device said in `turn`. Only in a run with [`RunSpec::on_device`].
    Told {
        turn: u32,
        event: ModelEvent,
    },
    /// What a call on the side used that the model on the device answered.
    AsideTold {
        turn: u32,
        purpose: Purpose,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        usage: Option<Usage>,
    },
    /// The shell is about to make a call with a key of its person's: how much the request holds at
    /// most. `aside` for a call on the side. Answered by one [`RunReply::Held`] with the same `call`.
    Hold {
        call: u64,
        tokens: u64,
        #[serde(default, skip_serializing_if = "crate::is_false")]
        aside: bool,
    },
    /// The call waits until the person gives this browser the key.
    KeyWanted {
        lack: KeyLack,
    },
}

/// What the hub answers the driver of a run, wherever that is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum RunReply {
    Model {
        turn: u32,
        event: ModelEvent,
    },
    Tool {
        turn: u32,
        result: ToolResult,
        /// A person or a policy said no.
        #[serde(default, skip_serializing_if = "crate::is_false")]
        denied: bool,
    },
    /// What came of [`Effect::Prefetch`] in time.
    Prefetched {
        turn: u32,
        results: Vec<ToolResult>,
    },
    /// The message `seq` came while the run was under way: a person's, or what the hub says of devices.
    Steer {
        seq: u64,
        #[serde(default, skip_serializing_if = "Sender::is_person")]
        from: Sender,
        text: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        attachments: Vec<Attachment>,
    },
    /// The time of [`Effect::Arm`] has come.
    Timer {
        timer: u32,
    },
    /// The text of the reply to [`Effect::Aside`]; `None` when it failed or took too long.
    Aside {
        turn: u32,
        purpose: Purpose,
        text: Option<String>,
    },
    /// The answer to [`RunAsk::Hold`], for the shell: the call may be made, or `refused` says which
    /// limit it would pass.
    Held {
        call: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        refused: Option<String>,
    },
    /// A person pressed Stop.
    Stop,
    /// The lease is gone; nothing more will be accepted.
    Lost,
}
