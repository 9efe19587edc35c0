//! The blocks of a turn and the results of its calls, held as the messages that they mostly are told
//! as, so that what is told as it was is not copied.

use crate::taint;
use protocol::CallId;
use protocol::model::{Block, ModelMessage, ToolCall, ToolResult};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "ReplySnapshot", into = "ReplySnapshot")]
pub(super) struct Reply {
    /// The index of each block, from the least to the greatest.
    indices: Vec<u32>,
    blocks: Arc<ModelMessage>,
    results: Arc<ModelMessage>,
}

/// A reply as a snapshot keeps it.
#[derive(Serialize, Deserialize)]
struct ReplySnapshot {
    indices: Vec<u32>,
    blocks: Vec<Block>,
    results: Vec<ToolResult>,
}

impl From<ReplySnapshot> for Reply {
    fn from(ReplySnapshot { indices, blocks, results }: ReplySnapshot) -> Self {
        Self {
            indices,
            blocks: Arc::new(ModelMessage::Assistant { blocks }),
            results: Arc::new(ModelMessage::Tools { results }),
        }
    }
}

impl From<Reply> for ReplySnapshot {
    fn from(reply: Reply) -> Self {
        let (blocks, results) = (reply.all().to_vec(), reply.results().to_vec());
        Self { indices: reply.indices, blocks, results }
    }
}

impl Default for Reply {
    fn default() -> Self {
        Self {
            indices: Vec::new(),
            blocks: Arc::new(ModelMessage::Assistant { blocks: Vec::new() }),
            results: Arc::new(ModelMessage::Tools { results: Vec::new() }),
        }
    }
}

impl Reply {
    /// `false` if there is a block at this index.
    pub(super) fn put(&mut self, index: u32, block: &Block) -> bool {
        let Err(at) = self.indices.binary_search(&index) else {
            return false;
        };
        self.indices.insert(at, index);
        if let ModelMessage::Assistant { blocks } = Arc::make_mut(&mut self.blocks) {
            blocks.insert(at, block.clone());
        }
        true
    }

    /// `false` if the call has a result.
    pub(super) fn answer(&mut self, result: &ToolResult) -> bool {
        let is_new = self.result(&result.call).is_none();
        if let (true, ModelMessage::Tools { results }) = (is_new, Arc::make_mut(&mut self.results)) {
            results.push(result.clone());
        }
        is_new
    }

    pub(super) fn result(&self, call: &CallId) -> Option<&ToolResult> {
        self.results().iter().find(|result| result.call == *call)
    }

    /// All blocks, in order.
    pub(super) fn all(&self) -> &[Block] {
        match &*self.blocks {
            ModelMessage::Assistant { blocks } => blocks,
            ModelMessage::User { .. } | ModelMessage::Tools { .. } => &[],
        }
    }

    /// The blocks in order. A second call with the same id could not be told from the first, so it
    /// is none.
    pub(super) fn blocks(&self) -> impl Iterator<Item = &Block> {
        let all = self.all();
        let blocks = all.iter().enumerate().filter(|(at, block)| match block {
            Block::ToolUse(call) => {
                let mut former = all[..*at].iter();
                !former.any(|block| matches!(block, Block::ToolUse(former) if former.id == call.id))
            }
            Block::Text { .. } | Block::Reasoning { .. } => true,
        });
        blocks.map(|(_, block)| block)
    }

    /// The messages as they are, if each call has its one result, at the same place and under the same
    /// name, and nothing of it has to be left out or shortened.
    pub(super) fn as_told(
        &self,
        result_chars: usize,
    ) -> Option<(Arc<ModelMessage>, Option<Arc<ModelMessage>>)> {
        let is_plain = self.all().iter().all(|block| match block {
            Block::Text { text } => !text.trim().is_empty(),
            Block::Reasoning { .. } => false,
            Block::ToolUse(_) => true,
        });
        let calls = || {
            self.all().iter().filter_map(|block| match block {
                Block::ToolUse(call) => Some(call),
                Block::Text { .. } | Block::Reasoning { .. } => None,
            })
        };
        let fits = |(call, result): (&ToolCall, &ToolResult)| {
            call.id == result.call
                && call.name == result.name
                && result.content.len() <= result_chars
                && !taint::is_foreign(call, result)
        };
        let results = self.results();
        let is_answered = calls().count() == results.len() && calls().zip(results).all(fits);
        if !is_plain || !is_answered || self.all().is_empty() {
            return None;
        }
        Some((Arc::clone(&self.blocks), (!results.is_empty()).then(|| Arc::clone(&self.results))))
    }

    fn results(&self) -> &[ToolResult] {
        match &*self.results {
            ModelMessage::Tools { results } => results,
            ModelMessage::User { .. } | ModelMessage::Assistant { .. } => &[],
        }
    }
}
