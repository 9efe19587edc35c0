//! What happened, as the loop is told. The effects that it answers with are the protocol's.

use protocol::Attachment;
use protocol::log::Sender;
use protocol::model::Purpose;
use protocol::model::{ModelEvent, ToolResult};
use protocol::run::RunReply;

/// Something that happened. When it did is not the loop's to know.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// The driver is ready. Comes first, once.
    Resumed,
    Model {
        turn: u32,
        event: ModelEvent,
    },
    Tool {
        turn: u32,
        result: ToolResult,
        /// A person or a policy said no.
        denied: bool,
    },
    /// What came of [`Effect::Prefetch`](crate::Effect::Prefetch) in time.
    Prefetched {
        turn: u32,
        results: Vec<ToolResult>,
    },
    /// The message with this number in the log came while the run was under way. One that the run
    /// knows already is passed over.
    Steer {
        seq: u64,
        from: Sender,
        text: String,
        attachments: Vec<Attachment>,
    },
    /// The time of [`Effect::Arm`](crate::Effect::Arm) has come.
    Timer {
        timer: u32,
    },
    /// What came of [`Effect::Aside`](crate::Effect::Aside).
    Aside {
        turn: u32,
        purpose: Purpose,
        text: Option<String>,
    },
    /// A person pressed Stop.
    Stop,
}

impl Input {
    /// `None` when the lease is lost: the driver drops the run, and whoever holds it next resumes.
    pub fn from_reply(reply: RunReply) -> Option<Self> {
        match reply {
            RunReply::Model { turn, event } => Some(Self::Model { turn, event }),
            RunReply::Tool { turn, result, denied } => Some(Self::Tool { turn, result, denied }),
            RunReply::Prefetched { turn, results } => Some(Self::Prefetched { turn, results }),
            RunReply::Steer { seq, from, text, attachments } => {
                Some(Self::Steer { seq, from, text, attachments })
            }
            RunReply::Timer { timer } => Some(Self::Timer { timer }),
            RunReply::Aside { turn, purpose, text } => Some(Self::Aside { turn, purpose, text }),
            RunReply::Stop => Some(Self::Stop),
            // For whoever makes the call, not for the loop that wants it.
            RunReply::Held { .. } | RunReply::Lost => None,
        }
    }
}
