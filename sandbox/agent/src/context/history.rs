//! The log, read as messages and turns. It takes the entries of a log and what a live run appends
//! in the same way, so that a resumed run knows exactly what the former one knew.

use super::messages::Messages;
use super::page;
use protocol::log::{Entry, EntryBody};
use protocol::model::{Block, ModelMessage, StopReason, ToolCall, ToolResult};
use protocol::{CallId, RunId};
use std::collections::{BTreeMap, BTreeSet};

/// A conversation as one run sees it.
#[derive(Clone, Debug)]
pub(crate) struct History {
    /// Everything before the open run.
    earlier: Messages,
    sealed: BTreeSet<RunId>,
    open: Option<OpenRun>,
}

#[derive(Clone, Debug)]
struct OpenRun {
    id: RunId,
    turns: BTreeMap<u32, Turn>,
    /// Said after the run began, which never saw it: it comes after the run.
    waiting: Vec<String>,
    finished: bool,
}

/// One model call and what came of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Turn {
    blocks: BTreeMap<u32, Block>,
    stop: Option<StopReason>,
    results: BTreeMap<CallId, ToolResult>,
}

impl History {
    /// Reads the log for `run`, which is the last one in it or about to begin.
    pub(crate) fn of(run: &RunId, entries: &[Entry]) -> Self {
        let mut history = Self { earlier: Messages::default(), sealed: BTreeSet::new(), open: None };
        for entry in entries {
            history.add(entry.run.as_ref(), &entry.body);
        }
        history.sealed.remove(run);
        history.open(run);
        history
    }

    pub(crate) fn add(&mut self, run: Option<&RunId>, body: &EntryBody) {
        if let EntryBody::Message { from, text } = body {
            let text = page::attribute(from, text);
            match &mut self.open {
                Some(open) => open.waiting.push(text),
                None => self.earlier.push_user(&text),
            }
            return;
        }
        let Some(open) = run.and_then(|run| self.open(run)) else {
            return;
        };
        match body {
            EntryBody::Block { turn, index, block } => {
                let blocks = &mut open.turn(*turn).blocks;
                blocks.entry(*index).or_insert_with(|| block.clone());
            }
            EntryBody::TurnFinished { turn, stop } => {
                open.turn(*turn).stop.get_or_insert(*stop);
            }
            EntryBody::ToolFinished { turn, result, .. } => {
                let results = &mut open.turn(*turn).results;
                results.entry(result.call.clone()).or_insert_with(|| result.clone());
            }
            EntryBody::ToolStarted { turn, .. } | EntryBody::Used { turn, .. } => {
                open.turn(*turn);
            }
            EntryBody::RunFinished { .. } => open.finished = true,
            EntryBody::Message { .. }
            | EntryBody::RunStarted { .. }
            | EntryBody::Skin { .. }
            | EntryBody::State { .. } => {}
        }
    }

    pub(crate) fn is_finished(&self) -> bool {
        self.open.as_ref().is_some_and(|open| open.finished)
    }

    /// The open run's last turn and its number.
    pub(crate) fn last_turn(&self) -> Option<(u32, &Turn)> {
        let (number, turn) = self.open.as_ref()?.turns.last_key_value()?;
        Some((*number, turn))
    }

    /// How many of the open run's entries are the loop's own.
    pub(crate) fn own_entries(&self) -> u32 {
        let turns = self.open.iter().flat_map(|open| open.turns.values());
        let entries = turns.map(|turn| turn.blocks.len() + usize::from(turn.stop.is_some()));
        u32::try_from(entries.sum::<usize>()).unwrap_or(u32::MAX)
    }

    /// What the open run sends to the model next.
    pub(crate) fn messages(&self) -> Vec<ModelMessage> {
        let mut messages = self.earlier.clone();
        for turn in self.open.iter().flat_map(|open| open.turns.values()) {
            turn.tell(&mut messages);
        }
        messages.finish()
    }

    /// The run, which ends the one before it. `None` if it has ended already: what comes late, a
    /// result for instance, cannot change what later requests begin with.
    fn open(&mut self, run: &RunId) -> Option<&mut OpenRun> {
        if self.open.as_ref().is_none_or(|open| open.id != *run) {
            if self.sealed.contains(run) {
                return None;
            }
            if let Some(former) = self.open.take() {
                self.sealed.insert(former.id.clone());
                former.seal(&mut self.earlier);
            }
            self.earlier.begin();
            self.open = Some(OpenRun {
                id: run.clone(),
                turns: BTreeMap::new(),
                waiting: Vec::new(),
                finished: false,
            });
        }
        self.open.as_mut()
    }
}

impl OpenRun {
    fn turn(&mut self, number: u32) -> &mut Turn {
        self.turns.entry(number).or_default()
    }

    fn seal(self, messages: &mut Messages) {
        for turn in self.turns.values() {
            turn.tell(messages);
        }
        for text in &self.waiting {
            messages.push_user(text);
        }
    }
}

impl Turn {
    pub(crate) fn stop(&self) -> Option<StopReason> {
        self.stop
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    pub(crate) fn has_calls(&self) -> bool {
        self.calls().next().is_some()
    }

    /// The calls that have no result yet.
    pub(crate) fn unanswered(&self) -> Vec<ToolCall> {
        self.calls().filter(|call| !self.results.contains_key(&call.id)).cloned().collect()
    }

    fn calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.blocks().filter_map(|block| match block {
            Block::ToolUse(call) => Some(call),
            Block::Text { .. } | Block::Reasoning { .. } => None,
        })
    }

    /// The blocks in order. A second call with the same id could not be told from the first, so it
    /// is none.
    fn blocks(&self) -> impl Iterator<Item = &Block> {
        let mut seen = BTreeSet::new();
        self.blocks.values().filter(move |block| match block {
            Block::ToolUse(call) => seen.insert(&call.id),
            Block::Text { .. } | Block::Reasoning { .. } => true,
        })
    }

    /// Of a turn that was cut off only the text counts: nothing was called. When the turn is made
    /// again, the text falls away like every reply that nobody answers.
    fn tell(&self, messages: &mut Messages) {
        if self.stop.is_none() {
            let blocks = self.blocks();
            let text = blocks.filter(|block| matches!(block, Block::Text { .. }));
            messages.push_reply(text.cloned().collect(), Vec::new());
            return;
        }
        let results = self.calls().map(|call| self.result(call)).collect();
        messages.push_reply(self.blocks().cloned().collect(), results);
    }

    fn result(&self, call: &ToolCall) -> ToolResult {
        let Some(result) = self.results.get(&call.id) else {
            return ToolResult {
                call: call.id.clone(),
                name: call.name.clone(),
                content: "not run: the run ended before this call had a result".to_owned(),
                media: Vec::new(),
                is_error: true,
            };
        };
        ToolResult { name: call.name.clone(), ..result.clone() }
    }
}
