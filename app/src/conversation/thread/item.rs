//! One thing in a conversation, and what can happen to it.

use protocol::agent::Home;
use protocol::approval::{Approval, ApprovalOutcome};
use protocol::hub::CallProgress;
use protocol::log::{DeviceWanted, NoticeKind, Outcome, Sender, Summariser};
use protocol::model::{StopReason, ToolResult};
use protocol::view::BranchPoint;
use protocol::{Attachment, CallId, LimitOf, RunId};
use serde_json::Value;

/// Names an item for as long as it is there: a block keeps its name when it is finished.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    Entry(u64),
    Block {
        run: RunId,
        turn: u32,
        index: u32,
    },
    /// The way to other branches, before this entry.
    Branches(u64),
}

impl Key {
    /// Whether this names a block of `run`, or something that stands between its blocks.
    pub(super) fn is_of(&self, run: &RunId) -> bool {
        match self {
            Self::Entry(_) | Self::Branches(_) => true,
            Self::Block { run: own, .. } => own == run,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    pub key: Key,
    /// The entry that it began with; 0 while it is being streamed.
    pub seq: u64,
    /// Unix milliseconds; 0 while it is being streamed.
    pub at: i64,
    pub body: Body,
    /// What was said, thought, or given to a tool.
    pub text: String,
    /// Files of a message.
    pub attachments: Vec<Attachment>,
    /// The entries of it that are cut off here.
    pub cut: Vec<u64>,
}

/// All of an item that is not its text.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    Message(Sender),
    Text {
        streaming: bool,
        /// The run that has ended with these words.
        ends: Option<RunId>,
    },
    Reasoning {
        streaming: bool,
    },
    Tool {
        name: String,
        progress: Progress,
    },
    /// What the loop itself did.
    Note(Note),
    /// The model stopped before it was done.
    CutOff(StopReason),
    /// A run ended without a full answer.
    Ended {
        outcome: Outcome,
        /// Whose limit on spending stopped it, if one did.
        stopped_by: Option<LimitOf>,
    },
    /// The page has errors, and the agent was not woken for them.
    PageErrors,
    /// A call waits for a device, or did.
    Device {
        call: CallId,
        wanted: DeviceWanted,
        /// Unix milliseconds.
        until: i64,
        ended: Option<DeviceWaitEnd>,
    },
    /// From here on the conversation has several branches.
    Branches {
        point: BranchPoint,
        /// They begin with something that was said.
        is_said: bool,
    },
    /// A call waits for the person, or did.
    Approval {
        approval: Box<Approval>,
        settled: Option<ApprovalOutcome>,
    },
}

/// How a call's waiting for a device ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceWaitEnd {
    /// That device performed it.
    Found(String),
    Nobody,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    Notice(NoticeKind),
    Retrying,
    Digested,
    Clipped,
    Summary(Summariser),
    ToolCreated,
    ToolDeleted,
    /// The agent moved there, or its run to another tab.
    Moved(Home),
    /// The hub goes on with a run in place of a browser.
    RunMoved,
    Imported,
    Unverified,
    /// Devices came or went.
    Devices,
    /// The person changed what there is to do.
    Todo,
    /// The agent was given notes on its answers.
    Rating,
    /// Something happened with a schedule.
    Schedule,
    /// A schedule runs, and nobody looks.
    IdleSchedule,
    /// A schedule failed so often that it was switched off.
    BrokenSchedule,
}

/// How far a tool call has come.
#[derive(Clone, Debug, PartialEq)]
pub enum Progress {
    /// The model is still writing its input.
    Written,
    Asked,
    /// For the person, or for a device.
    Waiting,
    Running(Option<CallProgress>),
    Finished {
        result: ToolResult,
        millis: u64,
    },
    /// The run ended before the call did.
    Dropped,
}

/// What an entry or frame changed.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Items came, went or changed places.
    Order,
    /// Text and body of this item are others.
    Item(Key),
    /// `text` was added at the end of this item's text.
    Grew { key: Key, text: String },
}

/// A call's input for people to read.
pub fn input_text(input: &Value) -> String {
    match input {
        Value::String(raw) => raw.clone(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            serde_json::to_string_pretty(input).unwrap_or_default()
        }
    }
}
