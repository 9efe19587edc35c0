//! No more calls in an answer than the program wants: none, or one. Not every provider can be told, and not
//! every one that was keeps to it.

use protocol::model::{Block, BlockKind, ModelEvent, ModelRequest, StopReason, ToolChoice};

#[derive(Clone, Debug)]
pub(super) struct CallFilter {
    most: CallLimit,
    first: Option<u32>,
    /// Blocks of calls that are too many.
    left_out: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CallLimit {
    None,
    One,
    Any,
}

impl CallFilter {
    pub(super) fn of(request: &ModelRequest) -> Self {
        let most = match request.tool_choice {
            ToolChoice::None => CallLimit::None,
            ToolChoice::Auto | ToolChoice::Required if request.sampling.one_call => CallLimit::One,
            ToolChoice::Auto | ToolChoice::Required => CallLimit::Any,
        };
        Self { most, first: None, left_out: Vec::new() }
    }

    /// The event, if it is a part of the answer.
    pub(super) fn keep(&mut self, event: ModelEvent) -> Option<ModelEvent> {
        let is_kept = match &event {
            ModelEvent::BlockStarted { index, kind: BlockKind::ToolUse { .. } }
            | ModelEvent::BlockFinished { index, block: Block::ToolUse(_) } => self.lets(*index),
            ModelEvent::Delta { index, .. } => !self.left_out.contains(index),
            ModelEvent::Stopped { reason: StopReason::ToolUse } if self.has_none() => {
                return Some(ModelEvent::Stopped { reason: StopReason::EndTurn });
            }
            ModelEvent::BlockStarted { kind: BlockKind::Text | BlockKind::Reasoning, .. }
            | ModelEvent::BlockFinished { block: Block::Text { .. } | Block::Reasoning { .. }, .. }
            | ModelEvent::Usage { .. }
            | ModelEvent::Stopped { .. }
            | ModelEvent::Failed { .. }
            | ModelEvent::Cited { .. }
            | ModelEvent::Unknown { .. } => true,
        };
        is_kept.then_some(event)
    }

    fn lets(&mut self, index: u32) -> bool {
        let lets = match self.most {
            CallLimit::Any => true,
            CallLimit::One => *self.first.get_or_insert(index) == index,
            CallLimit::None => false,
        };
        if !lets && !self.left_out.contains(&index) {
            self.left_out.push(index);
        }
        lets
    }

    /// Whether all that were made are left out.
    fn has_none(&self) -> bool {
        self.most == CallLimit::None && !self.left_out.is_empty()
    }
}
