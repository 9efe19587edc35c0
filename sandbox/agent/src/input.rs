//! What happened, as the loop is told. The effects that it answers with are the protocol's.

use protocol::hub::{Purpose, RunReply};
use protocol::log::Sender;
use protocol::model::{ModelEvent, ToolResult};

/// Something that happened. `now` is the driver's clock in Unix milliseconds.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// The driver is ready. Comes first, once.
    Resumed {
        now: i64,
    },
    Model {
        now: i64,
        turn: u32,
        event: ModelEvent,
    },
    Tool {
        now: i64,
        turn: u32,
        result: ToolResult,
        /// A person or a policy said no.
        denied: bool,
    },
    /// What came of [`Effect::Prefetch`](crate::Effect::Prefetch) in time.
    Prefetched {
        now: i64,
        turn: u32,
        results: Vec<ToolResult>,
    },
    /// The message with this number in the log came while the run was under way. One that the run
    /// knows already is passed over.
    Steer {
        now: i64,
        seq: u64,
        from: Sender,
        text: String,
    },
    /// The time of [`Effect::Arm`](crate::Effect::Arm) has come.
    Timer {
        now: i64,
        timer: u32,
    },
    /// What came of [`Effect::Aside`](crate::Effect::Aside).
    Aside {
        now: i64,
        turn: u32,
        purpose: Purpose,
        text: Option<String>,
    },
    /// A person pressed Stop.
    Stop {
        now: i64,
    },
}

impl Input {
    /// `None` when the lease is lost: the driver drops the run, and whoever holds it next resumes.
    pub fn from_reply(now: i64, reply: RunReply) -> Option<Self> {
        match reply {
            RunReply::Model { turn, event } => Some(Self::Model { now, turn, event }),
            RunReply::Tool { turn, result, denied } => Some(Self::Tool { now, turn, result, denied }),
            RunReply::Prefetched { turn, results } => Some(Self::Prefetched { now, turn, results }),
            RunReply::Steer { seq, from, text } => Some(Self::Steer { now, seq, from, text }),
            RunReply::Timer { timer } => Some(Self::Timer { now, timer }),
            RunReply::Aside { turn, purpose, text } => Some(Self::Aside { now, turn, purpose, text }),
            RunReply::Stop => Some(Self::Stop { now }),
            // For whoever makes the call, not for the loop that wants it.
            RunReply::Held { .. } | RunReply::Lost => None,
        }
    }
}
