//! What an entry is about: each kind of entry in its one class. Whoever has to do with some classes asks for
//! these and lists the kinds of no other, so that a new kind is theirs to think about only if it is in one.

use super::{DeviceWait, EntryBody, Mark, NoticeKind, Outcome, Sender, Summariser};
use crate::approval::Approval;
use crate::model::{Block, ModelFailure, Purpose, StopReason, ToolCall, ToolResult, Usage};
use crate::{Attachment, CallId, Micros, TabId};
use serde_json::Value;

#[derive(Clone, Copy, Debug)]
pub enum Class<'a> {
    /// What was said to the agent.
    Said {
        from: &'a Sender,
        text: &'a str,
        attachments: &'a [Attachment],
    },
    Run(RunEvent<'a>),
    Reply(ReplyEvent<'a>),
    Call(CallEvent<'a>),
    /// What the loop decided and could not decide again.
    Loop(LoopEvent<'a>),
    Compaction(CompactionEvent<'a>),
    /// The hub's own word for people: a live run does not hear of it.
    HubNotice {
        kind: NoticeKind,
    },
    Used {
        turn: u32,
        usage: &'a Usage,
        cost: Option<Micros>,
        aside: Option<Purpose>,
    },
    Agent(AgentEvent<'a>),
}

/// Where a run begins, goes and ends.
#[derive(Clone, Copy, Debug)]
pub enum RunEvent<'a> {
    Started {
        model: Option<&'a String>,
        rounds: Option<u32>,
    },
    /// Outside of a run it is the agent that moved.
    Moved,
    Finished {
        outcome: &'a Outcome,
    },
}

/// What came of a model call.
#[derive(Clone, Copy, Debug)]
pub enum ReplyEvent<'a> {
    Block { turn: u32, index: u32, block: &'a Block },
    Finished { turn: u32, stop: StopReason },
    Retrying { turn: u32, failure: &'a ModelFailure },
}

/// What the gateway did with a call of a tool, and what it waited for.
#[derive(Clone, Copy, Debug)]
pub enum CallEvent<'a> {
    Started { turn: u32, call: &'a ToolCall },
    Finished { turn: u32, result: &'a ToolResult, millis: u64, denied: bool },
    DeviceWait { wait: &'a DeviceWait },
    ApprovalAsked { approval: &'a Approval },
    ApprovalSettled,
}

#[derive(Clone, Copy, Debug)]
pub enum LoopEvent<'a> {
    NotRun { turn: u32, call: &'a CallId, why: NoticeKind, text: &'a str },
    Notice { turn: u32, kind: NoticeKind, text: &'a str },
    Steered { turn: u32, seq: u64 },
}

/// How the conversation was shortened from a turn on: by the loop, like what is of [`LoopEvent`].
#[derive(Clone, Copy, Debug)]
pub enum CompactionEvent<'a> {
    Digested { turn: u32, upto: &'a Mark },
    Clipped { turn: u32, longest: u32 },
    Summary { turn: u32, by: Summariser, upto: &'a Mark, text: &'a str },
}

/// What became of the agent itself: its page, its state, its tools, what its person decided about it.
#[derive(Clone, Copy, Debug)]
pub enum AgentEvent<'a> {
    Skin { version: u64, by: Option<&'a TabId> },
    State { key: &'a str, value: &'a Value, superseded: bool },
    ToolCreated,
    ToolDeleted { name: &'a str },
    Imported,
    Permission,
    PageErrors,
    Schedule,
    Todo,
}

impl NoticeKind {
    /// Whether the hub writes such a notice, and no loop.
    pub fn is_of_hub(self) -> bool {
        match self {
            Self::Fallback | Self::Limit | Self::GivenUp | Self::KeyWanted | Self::Sources => true,
            Self::FinalAnswer
            | Self::Empty
            | Self::Inaction
            | Self::OutputLimit
            | Self::CutShort
            | Self::Unanswered
            | Self::CallLimit
            | Self::Duplicate
            | Self::Repeated
            | Self::Disabled
            | Self::RepeatedSearch
            | Self::Denied
            | Self::Malformed
            | Self::Injection
            | Self::Context
            | Self::NoSummary
            | Self::Hook
            | Self::Continue
            | Self::Hint
            | Self::Plan
            | Self::Prefetch
            | Self::Autonomous
            | Self::Ambient => false,
        }
    }
}

impl Class<'_> {
    /// Whether the loop writes it.
    pub fn is_of_loop(self) -> bool {
        match self {
            Self::Reply(_) | Self::Loop(_) | Self::Compaction(_) => true,
            Self::Said { .. }
            | Self::Run(_)
            | Self::Call(_)
            | Self::HubNotice { .. }
            | Self::Used { .. }
            | Self::Agent(_) => false,
        }
    }
}

impl EntryBody {
    pub fn class(&self) -> Class<'_> {
        match self {
            Self::Message { from, text, attachments } => Class::Said { from, text, attachments },
            Self::RunStarted { model, rounds, .. } => {
                Class::Run(RunEvent::Started { model: model.as_ref(), rounds: *rounds })
            }
            Self::Moved { .. } => Class::Run(RunEvent::Moved),
            Self::RunFinished { outcome, .. } => Class::Run(RunEvent::Finished { outcome }),
            Self::Block { turn, index, block } => {
                Class::Reply(ReplyEvent::Block { turn: *turn, index: *index, block })
            }
            Self::TurnFinished { turn, stop } => {
                Class::Reply(ReplyEvent::Finished { turn: *turn, stop: *stop })
            }
            Self::Retrying { turn, failure } => Class::Reply(ReplyEvent::Retrying { turn: *turn, failure }),
            Self::ToolStarted { turn, call } => Class::Call(CallEvent::Started { turn: *turn, call }),
            Self::ToolFinished { turn, result, millis, denied } => {
                Class::Call(CallEvent::Finished { turn: *turn, result, millis: *millis, denied: *denied })
            }
            Self::DeviceWait { wait, .. } => Class::Call(CallEvent::DeviceWait { wait }),
            Self::ApprovalAsked { approval } => Class::Call(CallEvent::ApprovalAsked { approval }),
            Self::ApprovalSettled { .. } => Class::Call(CallEvent::ApprovalSettled),
            Self::NotRun { turn, call, why, text } => {
                Class::Loop(LoopEvent::NotRun { turn: *turn, call, why: *why, text })
            }
            Self::Notice { kind, .. } if kind.is_of_hub() => Class::HubNotice { kind: *kind },
            Self::Notice { turn, kind, text } => {
                Class::Loop(LoopEvent::Notice { turn: *turn, kind: *kind, text })
            }
            Self::Steered { turn, seq } => Class::Loop(LoopEvent::Steered { turn: *turn, seq: *seq }),
            Self::Digested { turn, upto } => {
                Class::Compaction(CompactionEvent::Digested { turn: *turn, upto })
            }
            Self::Clipped { turn, longest } => {
                Class::Compaction(CompactionEvent::Clipped { turn: *turn, longest: *longest })
            }
            Self::Summary { turn, by, upto, text } => {
                Class::Compaction(CompactionEvent::Summary { turn: *turn, by: *by, upto, text })
            }
            Self::Used { turn, usage, cost, aside, .. } => {
                Class::Used { turn: *turn, usage, cost: *cost, aside: *aside }
            }
            Self::Skin { version, by } => {
                Class::Agent(AgentEvent::Skin { version: *version, by: by.as_ref() })
            }
            Self::State { key, value, superseded } => {
                Class::Agent(AgentEvent::State { key, value, superseded: *superseded })
            }
            Self::ToolCreated { .. } => Class::Agent(AgentEvent::ToolCreated),
            Self::ToolDeleted { name } => Class::Agent(AgentEvent::ToolDeleted { name }),
            Self::Imported { .. } => Class::Agent(AgentEvent::Imported),
            Self::Permission { .. } => Class::Agent(AgentEvent::Permission),
            Self::PageErrors { .. } => Class::Agent(AgentEvent::PageErrors),
            Self::Schedule { .. } => Class::Agent(AgentEvent::Schedule),
            Self::Todo { .. } => Class::Agent(AgentEvent::Todo),
        }
    }
    /// The name of its kind, as it is sent and stored.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Message { .. } => "message",
            Self::RunStarted { .. } => "run_started",
            Self::Block { .. } => "block",
            Self::TurnFinished { .. } => "turn_finished",
            Self::ToolStarted { .. } => "tool_started",
            Self::ToolFinished { .. } => "tool_finished",
            Self::Used { .. } => "used",
            Self::RunFinished { .. } => "run_finished",
            Self::Skin { .. } => "skin",
            Self::Moved { .. } => "moved",
            Self::State { .. } => "state",
            Self::NotRun { .. } => "not_run",
            Self::Notice { .. } => "notice",
            Self::Steered { .. } => "steered",
            Self::Retrying { .. } => "retrying",
            Self::Digested { .. } => "digested",
            Self::Clipped { .. } => "clipped",
            Self::Summary { .. } => "summary",
            Self::ToolCreated { .. } => "tool_created",
            Self::ToolDeleted { .. } => "tool_deleted",
            Self::Permission { .. } => "permission",
            Self::PageErrors { .. } => "page_errors",
            Self::Imported { .. } => "imported",
            Self::DeviceWait { .. } => "device_wait",
            Self::ApprovalAsked { .. } => "approval_asked",
            Self::ApprovalSettled { .. } => "approval_settled",
            Self::Schedule { .. } => "schedule",
            Self::Todo { .. } => "todo",
        }
    }
}
