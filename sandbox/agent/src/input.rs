//! What happened, as the loop is told. The effects that it answers with are the protocol's.

use protocol::hub::RunReply;
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
            RunReply::Tool { turn, result } => Some(Self::Tool { now, turn, result }),
            RunReply::Stop => Some(Self::Stop { now }),
            RunReply::Lost => None,
        }
    }
}
