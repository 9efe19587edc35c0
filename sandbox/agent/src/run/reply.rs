//! The reply that is being streamed: which of its blocks are open, and the text so far.

use protocol::model::{Block, BlockKind};
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default)]
pub(super) struct Reply {
    pieces: BTreeMap<u32, ReplyBlock>,
    was_seen: bool,
}

#[derive(Clone, Debug)]
enum ReplyBlock {
    Text(String),
    /// Half a tool call or half a thought is of no use, so its content is not kept.
    Other,
    Finished,
}

impl Reply {
    pub(super) fn start(&mut self, index: u32, kind: &BlockKind) {
        self.pieces.entry(index).or_insert_with(|| match kind {
            BlockKind::Text => ReplyBlock::Text(String::new()),
            BlockKind::Reasoning | BlockKind::ToolUse { .. } => ReplyBlock::Other,
        });
    }

    pub(super) fn add(&mut self, index: u32, more: &str) {
        self.was_seen |= !more.is_empty();
        if let Some(ReplyBlock::Text(text)) = self.pieces.get_mut(&index) {
            text.push_str(more);
        }
    }

    /// `false` if it was finished before.
    pub(super) fn finish(&mut self, index: u32) -> bool {
        let former = self.pieces.insert(index, ReplyBlock::Finished);
        self.was_seen = true;
        !matches!(former, Some(ReplyBlock::Finished))
    }

    /// Whether a person may have seen some of it.
    pub(super) fn was_seen(&self) -> bool {
        self.was_seen
    }

    pub(super) fn is_open(&self) -> bool {
        let mut pieces = self.pieces.values();
        pieces.any(|piece| !matches!(piece, ReplyBlock::Finished))
    }

    /// The text of the open blocks that have any.
    pub(super) fn take_text(&mut self) -> Vec<(u32, Block)> {
        let pieces = std::mem::take(&mut self.pieces).into_iter();
        pieces
            .filter_map(|(index, piece)| match piece {
                ReplyBlock::Text(text) if !text.is_empty() => Some((index, Block::Text { text })),
                ReplyBlock::Text(_) | ReplyBlock::Other | ReplyBlock::Finished => None,
            })
            .collect()
    }
}
