//! One run and the messages that it answers.

use super::message::Message;
use super::rendering::{Cursor, Rendering};
use super::reply::Reply;
use super::{counter, result_text};
use protocol::log::{
    CallEvent, Class, CompactionEvent, EntryBody, LoopEvent, Mark, NoticeKind, ReplyEvent, RunEvent,
};
use protocol::model::{Block, Media, ModelFailure, StopReason, ToolCall, ToolResult, Usage};
use protocol::{CallId, RunId};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Exchange {
    pub(crate) id: RunId,
    pub(crate) model: Option<String>,
    rounds: Option<u32>,
    /// Said before the run.
    pub(crate) lead: Vec<Message>,
    pub(crate) turns: BTreeMap<u32, Turn>,
    whole: u32,
    /// Said during the run, each before the call of its turn.
    notes: BTreeMap<u32, Vec<Note>>,
    counts: BTreeMap<NoticeKind, usize>,
    /// What comes before this turn is in a summary.
    cut: u32,
    /// The last turn that a compaction is for.
    pub(crate) compacted: Option<u32>,
    pub(crate) is_finished: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Note {
    /// `None`: a person's own words.
    pub(crate) kind: Option<NoticeKind>,
    pub(crate) text: String,
    /// What came with a person's words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) media: Vec<Media>,
}

/// One model call and what came of it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Turn {
    reply: Reply,
    stop: Option<StopReason>,
    denied: BTreeSet<CallId>,
    not_run: BTreeMap<CallId, (NoticeKind, String)>,
    pub(crate) usage: Option<Usage>,
    pub(crate) retrying: Option<ModelFailure>,
}

impl Exchange {
    pub(super) fn new(id: RunId, lead: Vec<Message>) -> Self {
        Self {
            id,
            model: None,
            rounds: None,
            lead,
            turns: BTreeMap::new(),
            whole: 0,
            notes: BTreeMap::new(),
            counts: BTreeMap::new(),
            cut: 0,
            compacted: None,
            is_finished: false,
        }
    }

    /// Takes in an entry of this run; `false` if it says nothing new.
    pub(super) fn take(&mut self, body: &EntryBody) -> bool {
        match body.class() {
            Class::Run(RunEvent::Started { model, rounds }) => {
                self.model = model.cloned();
                self.rounds = rounds;
            }
            Class::Run(RunEvent::Finished { .. }) => self.is_finished = true,
            Class::Reply(ReplyEvent::Block { turn, index, block }) => {
                return self.turn(turn).reply.put(index, block);
            }
            Class::Reply(ReplyEvent::Finished { turn, stop }) => {
                let former = &mut self.turn(turn).stop;
                if former.is_some() {
                    return false;
                }
                *former = Some(stop);
                self.whole = self.whole.saturating_add(1);
            }
            Class::Reply(ReplyEvent::Retrying { turn, failure }) => {
                self.turn(turn).retrying = Some(failure.clone());
            }
            Class::Call(CallEvent::Started { turn, .. }) => {
                self.turn(turn);
            }
            Class::Call(CallEvent::Finished { turn, result, denied, .. }) => {
                let turn = self.turn(turn);
                if !turn.reply.answer(result) {
                    return false;
                }
                if denied {
                    turn.denied.insert(result.call.clone());
                }
            }
            Class::Loop(LoopEvent::NotRun { turn, call, why, text }) => {
                self.turn(turn).not_run.insert(call.clone(), (why, text.to_owned()));
            }
            Class::Loop(LoopEvent::Notice { turn, kind, text }) => {
                let note = Note { kind: Some(kind), text: text.to_owned(), media: Vec::new() };
                self.notes.entry(turn).or_default().push(note);
                *self.counts.entry(kind).or_default() += 1;
            }
            Class::Compaction(
                CompactionEvent::Digested { turn, .. }
                | CompactionEvent::Clipped { turn, .. }
                | CompactionEvent::Summary { turn, .. },
            ) => self.compacted = Some(turn),
            Class::Used { turn, usage, aside: None, .. } => {
                self.turn(turn).usage = Some(*usage);
            }
            Class::Said { .. }
            | Class::Run(RunEvent::Moved)
            | Class::Call(
                CallEvent::DeviceWait { .. } | CallEvent::ApprovalAsked { .. } | CallEvent::ApprovalSettled,
            )
            | Class::Loop(LoopEvent::Steered { .. })
            | Class::HubNotice { .. }
            | Class::Used { aside: Some(_), .. }
            | Class::Agent(_) => {}
        }
        true
    }

    pub(super) fn steer(&mut self, turn: u32, Message { text, media }: Message) {
        self.notes.entry(turn).or_default().push(Note { kind: None, text, media });
    }

    pub(super) fn cut(&mut self, turn: u32) {
        self.cut = self.cut.max(turn);
    }

    pub(crate) fn last_turn(&self) -> Option<(u32, &Turn)> {
        self.turns.last_key_value().map(|(number, turn)| (*number, turn))
    }

    /// The whole turns, in order.
    pub(crate) fn whole(&self) -> impl DoubleEndedIterator<Item = (u32, &Turn)> {
        self.turns.iter().filter(|(_, turn)| turn.stop.is_some()).map(|(number, turn)| (*number, turn))
    }

    /// The whole turns from `first` on and before `end`.
    pub(crate) fn whole_between(&self, first: u32, end: u32) -> impl Iterator<Item = (u32, &Turn)> {
        let turns = self.turns.range(first.min(end)..end);
        turns.filter(|(_, turn)| turn.stop.is_some()).map(|(number, turn)| (*number, turn))
    }

    /// What was said after the last whole turn and before the next call.
    pub(crate) fn pending(&self) -> impl Iterator<Item = &Note> {
        self.notes.range(self.after_whole()..).flat_map(|(_, notes)| notes)
    }

    /// The number of the turn behind the last whole one.
    pub(super) fn after_whole(&self) -> u32 {
        self.whole().next_back().map_or(0, |(number, _)| number.saturating_add(1))
    }

    /// What a person said before the call of `until`, as far as it is in no summary.
    pub(super) fn said(&self, until: u32) -> impl Iterator<Item = &str> {
        let notes = self.notes.range(self.cut.min(until)..until).flat_map(|(_, notes)| notes);
        let lead = self.lead.iter().map(|message| message.text.as_str());
        lead.chain(notes.filter(|note| note.kind.is_none()).map(|note| note.text.as_str()))
    }

    /// How many notices of this kind the run has had.
    pub(crate) fn count(&self, kind: NoticeKind) -> usize {
        self.counts.get(&kind).copied().unwrap_or(0)
    }

    pub(crate) fn whole_turns(&self) -> u32 {
        self.whole
    }

    /// The failures since the last whole turn after which the model was called again.
    pub(crate) fn failures(&self) -> impl Iterator<Item = (u32, &ModelFailure)> {
        let since = self.turns.iter().rev().take_while(|(_, turn)| turn.stop.is_none());
        since.filter_map(|(number, turn)| Some((*number, turn.retrying.as_ref()?)))
    }

    /// Whether nobody asked for it and nothing came of it.
    pub(super) fn is_idle(&self) -> bool {
        self.lead.is_empty() && self.whole == 0 && self.count(NoticeKind::Ambient) > 0
    }

    /// The turns that are not in a summary.
    pub(super) fn unsummarised_turns(&self) -> impl Iterator<Item = (&u32, &Turn)> {
        self.turns.range(self.cut..)
    }

    /// Tells what was not told yet.
    pub(super) fn render(&self, telling: &mut Rendering) {
        if !telling.cursor.has_begun {
            for Message { text, media } in &self.lead {
                telling.messages.push_user(text, media);
            }
            telling.messages.begin();
            let whole = self.turns.range(..self.cut).filter(|(_, turn)| turn.stop.is_some()).count();
            telling.cursor = Cursor { has_begun: true, turn: self.cut, whole, notes: 0 };
        }
        for (number, turn) in self.turns.range(telling.cursor.turn..) {
            self.tell_notes(*number, telling);
            if turn.stop.is_some() {
                telling.mark(Mark { run: self.id.clone(), turn: self.first_try(*number) });
            }
            turn.tell(telling);
            telling.cursor.turn = number.saturating_add(1);
            if turn.stop.is_some() {
                telling.cursor.whole += 1;
                if let (true, Some(rounds)) = (turn.has_calls(), self.rounds) {
                    telling.messages.push_user(&counter(telling.cursor.whole, rounds), &[]);
                }
            }
        }
        self.tell_notes(u32::MAX, telling);
    }

    /// The number of the first call that was made for this turn: what was said before that call was
    /// said before the turn.
    fn first_try(&self, number: u32) -> u32 {
        let mut former = self.turns.range(..number).rev();
        former.find(|(_, turn)| turn.stop.is_some()).map_or(0, |(former, _)| former.saturating_add(1))
    }

    fn tell_notes(&self, until: u32, telling: &mut Rendering) {
        let notes = self.notes.range(self.cut..=until.max(self.cut)).flat_map(|(_, notes)| notes);
        for note in notes.skip(telling.cursor.notes) {
            telling.cursor.notes += 1;
            if note.kind.is_none_or(is_told) {
                telling.messages.push_user(&note.text, &note.media);
            }
        }
    }

    /// The number of the turn to come. Something was said before that turn, so none is made up
    /// before it.
    pub(crate) fn end(&self) -> u32 {
        let made = self.turns.last_key_value().map_or(0, |(number, _)| number.saturating_add(1));
        self.notes.last_key_value().map_or(made, |(number, _)| made.max(*number))
    }

    fn turn(&mut self, number: u32) -> &mut Turn {
        self.turns.entry(number).or_default()
    }
}

/// Whether the model reads notices of this kind.
fn is_told(kind: NoticeKind) -> bool {
    match kind {
        NoticeKind::NoSummary
        | NoticeKind::CutShort
        | NoticeKind::Unanswered
        | NoticeKind::Limit
        | NoticeKind::GivenUp
        | NoticeKind::Fallback
        | NoticeKind::KeyWanted
        | NoticeKind::Sources => false,
        NoticeKind::FinalAnswer
        | NoticeKind::Empty
        | NoticeKind::Inaction
        | NoticeKind::OutputLimit
        | NoticeKind::CallLimit
        | NoticeKind::Duplicate
        | NoticeKind::Repeated
        | NoticeKind::Disabled
        | NoticeKind::RepeatedSearch
        | NoticeKind::Denied
        | NoticeKind::Malformed
        | NoticeKind::Injection
        | NoticeKind::Context
        | NoticeKind::Hook
        | NoticeKind::Continue
        | NoticeKind::Hint
        | NoticeKind::Plan
        | NoticeKind::Prefetch
        | NoticeKind::Autonomous
        | NoticeKind::Ambient => true,
    }
}

impl Turn {
    pub(crate) fn stop(&self) -> Option<StopReason> {
        self.stop
    }

    /// Whether the reply neither says nor calls anything.
    pub(crate) fn is_empty(&self) -> bool {
        !self.has_calls() && self.text().trim().is_empty()
    }

    /// What the reply says, blocks one after the other.
    pub(crate) fn text(&self) -> String {
        let blocks = self.reply.all().iter();
        blocks
            .filter_map(|block| match block {
                Block::Text { text } => Some(text.as_str()),
                Block::Reasoning { .. } | Block::ToolUse(_) => None,
            })
            .collect()
    }

    pub(crate) fn has_calls(&self) -> bool {
        self.calls().next().is_some()
    }

    pub(crate) fn calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.reply.blocks().filter_map(|block| match block {
            Block::ToolUse(call) => Some(call),
            Block::Text { .. } | Block::Reasoning { .. } => None,
        })
    }

    /// The calls that the gateway answered, with their results.
    pub(crate) fn answered(&self) -> impl Iterator<Item = (&ToolCall, &ToolResult)> {
        self.calls().filter_map(|call| Some((call, self.reply.result(&call.id)?)))
    }

    pub(crate) fn denied(&self) -> impl Iterator<Item = &ToolCall> {
        self.calls().filter(|call| self.denied.contains(&call.id))
    }

    /// Whether a call of it was not run for this reason.
    pub(crate) fn was_refused(&self, why: NoticeKind) -> bool {
        self.not_run.values().any(|(kind, _)| *kind == why)
    }

    pub(crate) fn is_answered(&self, call: &CallId) -> bool {
        self.reply.result(call).is_some() || self.not_run.contains_key(call)
    }

    /// Of a turn that was cut off only the text counts: nothing was called. When the turn is made
    /// again, the text falls away like every reply that nobody answers.
    fn tell(&self, telling: &mut Rendering) {
        if self.stop.is_some()
            && telling.takes_as_is()
            && let Some((reply, results)) = self.reply.as_told(telling.result_chars)
        {
            let at = telling.messages.push_shared(reply, results);
            telling.counted = self.usage.map(|usage| (at, usage)).or(telling.counted);
            return;
        }
        let keeps = |block: &&Block| match block {
            Block::Text { .. } => true,
            Block::Reasoning { .. } => self.stop.is_some() && telling.keep_reasoning,
            Block::ToolUse(_) => self.stop.is_some(),
        };
        let blocks = self.reply.blocks().filter(keeps).cloned().collect();
        if self.stop.is_none() {
            telling.messages.push_reply(blocks, Vec::new());
            return;
        }
        let results = self.calls().map(|call| self.result(call, telling)).collect();
        let at = telling.messages.push_reply(blocks, results);
        if let (Some(at), Some(usage)) = (at, self.usage) {
            telling.counted = Some((at, usage));
        }
    }

    fn result(&self, call: &ToolCall, telling: &Rendering) -> ToolResult {
        if let Some(result) = self.reply.result(&call.id) {
            return result_text::render(call, result, telling);
        }
        let not_run = self.not_run.get(&call.id).map(|(_, text)| text.as_str());
        ToolResult {
            call: call.id.clone(),
            name: call.name.clone(),
            content: not_run.unwrap_or("not run: the run ended before this call had a result").to_owned(),
            media: Vec::new(),
            is_error: true,
        }
    }
}
