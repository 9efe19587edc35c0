//! What is written for good: items in the order of their entries, and messages where the run reads them.

use super::streaming::Streaming;
use super::{Body, Change, Item, Key, Note, Progress, Thread, input_text};
use protocol::log::Entry;
use protocol::model::{Block, StopReason};

impl Thread {
    pub(super) fn settle(&mut self, entry: &Entry, key: Key, body: Body, text: String) -> Vec<Change> {
        let cut = self.cut_of(entry);
        self.settled.push(Item {
            key,
            seq: entry.seq,
            at: entry.at,
            body,
            text,
            attachments: Vec::new(),
            cut,
        });
        vec![Change::Order]
    }

    pub(super) fn cut_of(&self, entry: &Entry) -> Vec<u64> {
        self.cut.get(&entry.seq).copied().into_iter().collect()
    }

    pub(super) fn note(&mut self, entry: &Entry, note: Note, text: &str) -> Vec<Change> {
        // A plan that could not be had says nothing.
        if text.is_empty() {
            return Vec::new();
        }
        self.settle(entry, Key::Entry(entry.seq), Body::Note(note), text.to_owned())
    }

    /// The run is at the call of `turn`: what it reads by then stands here.
    pub(super) fn reach(&mut self, turn: u32) -> Vec<Change> {
        self.turn = self.turn.max(turn);
        self.settle_read(self.turn)
    }

    pub(super) fn settle_read(&mut self, turn: u32) -> Vec<Change> {
        let mut changes = Vec::new();
        while let Some(&(read, seq)) = self.steered.first().filter(|(read, _)| *read <= turn) {
            self.steered.remove(&(read, seq));
            if let Some(place) = self.waiting.iter().position(|item| item.key == Key::Entry(seq)) {
                let item = self.waiting.remove(place);
                self.settled.push(item);
                changes = vec![Change::Order];
            }
        }
        changes
    }

    pub(super) fn settle_block(
        &mut self,
        entry: &Entry,
        turn: u32,
        index: u32,
        block: &Block,
    ) -> Vec<Change> {
        let Some(run) = entry.run.clone() else { return Vec::new() };
        let key = Key::Block { run, turn, index };
        let moved = self.reach(turn);
        self.streaming.remove(&key);
        let (body, text) = match block {
            Block::Text { text } => (Body::Text { streaming: false, ends: None }, text.clone()),
            Block::Reasoning { text, .. } => (Body::Reasoning { streaming: false }, text.clone()),
            Block::ToolUse(call) => {
                self.calls.insert(call.id.clone(), self.settled.len());
                let body = Body::Tool { name: call.name.clone(), progress: Progress::Asked };
                (body, input_text(&call.input))
            }
        };
        let mut changes = vec![Change::Item(key.clone())];
        changes.extend(moved);
        changes.extend(self.settle(entry, key, body, text));
        changes
    }

    pub(super) fn finish_turn(&mut self, entry: &Entry, turn: u32, stop: StopReason) -> Vec<Change> {
        let mut changes = match &entry.run {
            Some(run) => self.order_if(|streaming| streaming.void(run, turn)),
            None => Vec::new(),
        };
        match stop {
            StopReason::MaxTokens | StopReason::Refusal | StopReason::ContextFull => {
                changes.extend(self.settle(entry, Key::Entry(entry.seq), Body::CutOff(stop), String::new()));
            }
            StopReason::EndTurn | StopReason::ToolUse | StopReason::StopSequence | StopReason::Other => {}
        }
        changes.extend(self.reach(turn.saturating_add(1)));
        changes
    }

    pub(super) fn order_if(&mut self, change: impl FnOnce(&mut Streaming) -> bool) -> Vec<Change> {
        if change(&mut self.streaming) { vec![Change::Order] } else { Vec::new() }
    }
}
