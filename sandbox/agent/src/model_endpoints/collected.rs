//! What a model said so far.

use protocol::model::{Block, ModelEvent, StopReason, Usage};

#[derive(Debug, Default)]
pub(super) struct CollectedReply {
    pub(super) blocks: Vec<Block>,
    pub(super) usage: Usage,
    pub(super) stop: Option<StopReason>,
}

impl CollectedReply {
    pub(super) fn take(&mut self, event: ModelEvent) {
        match event {
            ModelEvent::BlockFinished { block, .. } => self.blocks.push(block),
            ModelEvent::Usage { usage } => self.usage = usage,
            ModelEvent::Stopped { reason } => self.stop = Some(reason),
            ModelEvent::BlockStarted { .. }
            | ModelEvent::Delta { .. }
            | ModelEvent::Failed { .. }
            | ModelEvent::Cited { .. }
            | ModelEvent::Unknown { .. } => {}
        }
    }
}

/// A named event of a stream.
pub(super) fn event(name: &str, data: &serde_json::Value) -> String {
    format!("event: {name}\ndata: {data}\n\n")
}
