//! What the hub itself streamed for a run: the only thing that a loop may append as the model's.

use crate::error::{Error, Result};
use protocol::RunId;
use protocol::log::{Class, Entry, ReplyEvent};
use protocol::model::{Block, BlockKind, ModelEvent, ModelFailure, ModelFailureKind, StopReason, ToolCall};
use std::collections::BTreeMap;

/// The model call of one turn, as far as it has come.
#[derive(Debug, Default)]
pub(super) struct Streamed {
    pub(super) turn: u32,
    has_begun: bool,
    blocks: BTreeMap<u32, StreamedBlock>,
    pub(super) stop: Option<StopReason>,
    pub(super) failure: Option<ModelFailure>,
    /// Bytes of text that a browser told.
    pub(super) told: usize,
    /// Its driver gave the call up.
    pub(super) is_closed: bool,
}

#[derive(Debug)]
enum StreamedBlock {
    Open { kind: BlockKind, text: String },
    Finished(Block),
}

impl Streamed {
    /// What the log keeps of it: the last turn of this run.
    pub(super) fn of(run: &RunId, entries: &[Entry]) -> Self {
        let mut streamed = Self::default();
        for entry in entries.iter().filter(|entry| entry.run.as_ref() == Some(run)) {
            let Class::Reply(event) = entry.body.class() else { continue };
            match event {
                ReplyEvent::Block { turn, index, block } => {
                    streamed.reach(turn);
                    streamed.blocks.insert(index, StreamedBlock::Finished(block.clone()));
                }
                ReplyEvent::Finished { turn, stop } => {
                    streamed.reach(turn);
                    streamed.stop = Some(stop);
                }
                ReplyEvent::Retrying { turn, .. } => streamed.reach(turn),
            }
        }
        streamed.is_closed = true;
        streamed
    }

    pub(super) fn is_at(&self, turn: u32) -> bool {
        self.has_begun && turn == self.turn
    }

    /// A call of this turn is made. Turns of a run count up.
    pub(super) fn begin(&mut self, turn: u32) -> Result<()> {
        if self.has_begun && turn <= self.turn {
            return Err(Error::invalid("Turns of a run count up."));
        }
        *self = Self { turn, has_begun: true, ..Self::default() };
        Ok(())
    }

    fn reach(&mut self, turn: u32) {
        if !self.has_begun || turn > self.turn {
            *self = Self { turn, has_begun: true, ..Self::default() };
        }
    }

    pub(super) fn note(&mut self, event: &ModelEvent) {
        match event {
            ModelEvent::BlockStarted { index, kind } => {
                self.blocks.insert(*index, StreamedBlock::Open { kind: kind.clone(), text: String::new() });
            }
            ModelEvent::Delta { index, text: more } => {
                if let Some(StreamedBlock::Open { text, .. }) = self.blocks.get_mut(index) {
                    text.push_str(more);
                }
            }
            ModelEvent::BlockFinished { index, block } => {
                self.blocks.insert(*index, StreamedBlock::Finished(block.clone()));
            }
            ModelEvent::Stopped { reason } => self.stop = Some(*reason),
            ModelEvent::Failed { failure } => self.failure = Some(failure.clone()),
            ModelEvent::Usage { .. } | ModelEvent::Cited { .. } | ModelEvent::Unknown { .. } => {}
        }
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_closed || self.stop.is_some() || self.failure.is_some()
    }

    /// How many blocks have begun.
    pub(super) fn len(&self) -> usize {
        self.blocks.len()
    }

    /// A block that is being streamed, as far as it has come.
    pub(super) fn open(&self, index: u32) -> Option<(&BlockKind, &str)> {
        match self.blocks.get(&index)? {
            StreamedBlock::Open { kind, text } => Some((kind, text)),
            StreamedBlock::Finished(_) => None,
        }
    }

    /// Whether this block is what was streamed: a finished one, or the text so far of one that was
    /// given up.
    pub(super) fn vouches_for(&self, turn: u32, index: u32, block: &Block) -> bool {
        if turn != self.turn {
            return false;
        }
        match (self.blocks.get(&index), block) {
            (Some(StreamedBlock::Finished(streamed)), block) => streamed == block,
            (Some(StreamedBlock::Open { kind: BlockKind::Text, text: streamed }), Block::Text { text }) => {
                streamed.starts_with(text.as_str())
            }
            _ => false,
        }
    }

    /// Whether the call of this turn failed like that. A reply that ended in the middle of a block, or
    /// that nobody could read, failed in the loop's eyes only.
    pub(super) fn failed_with(&self, turn: u32, failure: &ModelFailure) -> bool {
        turn == self.turn
            && match &self.failure {
                Some(seen) => seen == failure,
                None => {
                    let kinds = [ModelFailureKind::Cut, ModelFailureKind::Malformed];
                    self.stop.is_some() && kinds.contains(&failure.kind)
                }
            }
    }

    pub(super) fn asked_for(&self, turn: u32, call: &ToolCall) -> bool {
        turn == self.turn
            && self
                .blocks
                .values()
                .any(|piece| matches!(piece, StreamedBlock::Finished(Block::ToolUse(asked)) if asked == call))
    }
}
