//! One call in an answer at most, for programs that asked for it: not every provider can be told, and not
//! every one that was keeps to it.

use protocol::model::{Block, BlockKind, ModelEvent};

#[derive(Clone, Debug, Default)]
pub(super) struct OneCall {
    pub(super) is_asked: bool,
    first: Option<u32>,
    /// Blocks of further calls.
    left_out: Vec<u32>,
}

impl OneCall {
    pub(super) fn new(is_asked: bool) -> Self {
        Self { is_asked, ..Self::default() }
    }

    /// Whether the event is a part of the answer.
    pub(super) fn lets(&mut self, event: &ModelEvent) -> bool {
        if !self.is_asked {
            return true;
        }
        match event {
            ModelEvent::BlockStarted { index, kind: BlockKind::ToolUse { .. } }
            | ModelEvent::BlockFinished { index, block: Block::ToolUse(_) } => {
                if *self.first.get_or_insert(*index) == *index {
                    return true;
                }
                self.left_out.push(*index);
                false
            }
            ModelEvent::Delta { index, .. } => !self.left_out.contains(index),
            ModelEvent::BlockStarted { kind: BlockKind::Text | BlockKind::Reasoning, .. }
            | ModelEvent::BlockFinished { block: Block::Text { .. } | Block::Reasoning { .. }, .. }
            | ModelEvent::Usage { .. }
            | ModelEvent::Stopped { .. }
            | ModelEvent::Failed { .. }
            | ModelEvent::Unknown { .. } => true,
        }
    }
}
