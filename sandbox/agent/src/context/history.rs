//! The log, read as exchanges. It takes the entries of a log and what a live run appends in the same
//! way, so that a resumed run knows exactly what the former one knew.

use super::exchange::{Exchange, Turn};
use super::head::Head;
use super::page;
use super::telling::Telling;
use crate::tools;
use protocol::RunId;
use protocol::hub::RunSpec;
use protocol::log::{Entry, EntryBody, Mark, NoticeKind, Sender, Summariser};
use protocol::model::ToolSpec;
use std::collections::BTreeSet;

/// A conversation as one run sees it.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    past: Vec<Exchange>,
    sealed: BTreeSet<RunId>,
    /// Said since the last run, if none is open.
    lead: Vec<String>,
    open: Option<Exchange>,
    /// Said while the open run was under way, which did not read it.
    waiting: Vec<Waiting>,
    summary: Option<String>,
    digested: Option<Mark>,
    longest: Option<usize>,
    /// Whole turns since somebody last tried to write a summary.
    since_summary: Option<u32>,
    /// Names of tools that were found, and tools that were made, in this order.
    found: Vec<String>,
    made: Vec<ToolSpec>,
    /// Of the last message.
    last_seq: u64,
    /// Of what the hub said of devices. It may overtake a message or be overtaken.
    notes: BTreeSet<u64>,
    /// What was told so far; `None` if it has to be told anew.
    told: Option<Telling>,
    /// What stands before it; `None` if it has to be made anew.
    head: Option<Head>,
    /// How many of the open run's entries are the loop's own.
    own: u32,
}

#[derive(Clone, Debug)]
struct Waiting {
    seq: u64,
    whose: Whose,
    text: String,
}

/// Whose words wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    Person,
    Page,
    Devices,
}

impl Whose {
    fn of(sender: &Sender) -> Self {
        match sender {
            Sender::Person | Sender::Program { relays: false, .. } => Self::Person,
            Sender::Devices => Self::Devices,
            // Not a person's words, so they are quoted as a page's are.
            Sender::Program { relays: true, .. }
            | Sender::PageNotify { .. }
            | Sender::PageAsk
            | Sender::PageEmit { .. }
            | Sender::PageErrors
            | Sender::Rule { .. }
            | Sender::Schedule { .. } => Self::Page,
        }
    }
}

/// What a person said, and the turns that answered it.
pub(super) struct Before<'a> {
    pub(super) said: Vec<&'a str>,
    pub(super) turns: Vec<&'a Turn>,
}

impl History {
    /// Reads the log for `run`, which is the last one in it or about to begin. What was said before a
    /// rest of `clear_after_ms` is left out.
    pub(crate) fn of(run: &RunId, clear_after_ms: Option<u64>, entries: &[Entry]) -> Self {
        let mut history = Self::default();
        let mut last = None;
        for entry in entries {
            let rested = last.replace(entry.at).map(|last| entry.at.saturating_sub(last));
            match &entry.body {
                EntryBody::Message { from, text } => {
                    let rested = rested.and_then(|rested| u64::try_from(rested).ok());
                    if clear_after_ms.is_some_and(|longest| rested.is_some_and(|rested| rested >= longest)) {
                        history.clear();
                    }
                    history.hear(entry.seq, from, text);
                }
                body => history.add(entry.run.as_ref(), body),
            }
        }
        history.sealed.remove(run);
        history.open(run);
        history
    }

    /// Takes in a message. One that is known already is passed over.
    pub(crate) fn hear(&mut self, seq: u64, from: &Sender, text: &str) {
        if *from == Sender::Devices {
            if !self.notes.insert(seq) {
                return;
            }
        } else if seq <= self.last_seq {
            return;
        } else {
            self.last_seq = seq;
        }
        let text = page::attribute(from, text);
        // What the page told stands behind the words that woke the agent, and is read before them.
        let skipped = usize::from(matches!(from, Sender::PageEmit { .. } | Sender::Devices));
        match &self.open {
            None => self.lead.insert(self.lead.len().saturating_sub(skipped), text),
            Some(_) => {
                let place = self.waiting.len().saturating_sub(skipped);
                self.waiting.insert(place, Waiting { seq, whose: Whose::of(from), text });
            }
        }
    }

    pub(crate) fn add(&mut self, run: Option<&RunId>, body: &EntryBody) {
        if let EntryBody::ToolDeleted { name } = body {
            take_away(&mut self.made, &mut self.head, name);
        }
        let Some(run) = run else {
            return;
        };
        let Some(open) = self.open(run) else {
            return;
        };
        let is_new = open.take(body);
        if is_new && is_own(body) {
            self.own = self.own.saturating_add(1);
        }
        match body {
            EntryBody::TurnFinished { .. } if is_new => {
                self.since_summary = self.since_summary.map(|turns| turns.saturating_add(1));
            }
            EntryBody::Steered { turn, seq } => self.steer(*turn, *seq),
            EntryBody::Notice { kind: NoticeKind::NoSummary, .. } => self.since_summary = Some(0),
            EntryBody::Digested { upto, .. } => {
                self.told = None;
                self.digested = Some(upto.clone());
            }
            EntryBody::Clipped { longest, .. } => {
                self.told = None;
                self.longest = usize::try_from(*longest).ok();
            }
            EntryBody::Summary { by, upto, text, .. } => {
                if let Summariser::Model = by {
                    self.since_summary = Some(0);
                }
                self.cut(upto, text);
            }
            EntryBody::ToolFinished { turn, .. } if is_new => self.learn(*turn),
            EntryBody::Message { .. }
            | EntryBody::RunStarted { .. }
            | EntryBody::Block { .. }
            | EntryBody::TurnFinished { .. }
            | EntryBody::ToolStarted { .. }
            | EntryBody::ToolFinished { .. }
            | EntryBody::NotRun { .. }
            | EntryBody::Notice { .. }
            | EntryBody::Retrying { .. }
            | EntryBody::Used { .. }
            | EntryBody::RunFinished { .. }
            | EntryBody::Skin { .. }
            | EntryBody::Moved { .. }
            | EntryBody::State { .. }
            | EntryBody::ToolCreated { .. }
            | EntryBody::ToolDeleted { .. }
            | EntryBody::Imported { .. }
            | EntryBody::Permission { .. }
            | EntryBody::DeviceWait { .. }
            | EntryBody::ApprovalAsked { .. }
            | EntryBody::ApprovalSettled { .. }
            | EntryBody::Schedule { .. }
            | EntryBody::PageErrors { .. } => {}
        }
    }

    /// The open run.
    pub(crate) fn run(&self) -> Option<&Exchange> {
        self.open.as_ref()
    }

    pub(crate) fn own_entries(&self) -> u32 {
        self.own
    }

    /// The persons' messages that no run reads yet, as sequence numbers.
    pub(crate) fn unread(&self) -> Vec<u64> {
        self.waiting_of(Whose::Person)
    }

    /// What the hub said of devices and no run reads yet, as sequence numbers.
    pub(crate) fn unread_notes(&self) -> Vec<u64> {
        self.waiting_of(Whose::Devices)
    }

    fn waiting_of(&self, whose: Whose) -> Vec<u64> {
        self.waiting.iter().filter(|waiting| waiting.whose == whose).map(|waiting| waiting.seq).collect()
    }

    pub(crate) fn since_summary(&self) -> Option<u32> {
        self.since_summary
    }

    pub(crate) fn longest(&self) -> Option<usize> {
        self.longest
    }

    pub(crate) fn digested(&self) -> Option<&Mark> {
        self.digested.as_ref()
    }

    /// What stands before the messages.
    pub(super) fn prepare(&mut self, spec: &RunSpec) -> &Head {
        let more = if self.head.is_none() { self.more_tools(&spec.deferred) } else { Vec::new() };
        self.head.get_or_insert_with(|| Head::of(spec, more))
    }

    /// Its size, once it was prepared.
    pub(super) fn head_bytes(&self) -> usize {
        self.head.as_ref().map_or(0, |head| head.bytes)
    }

    /// The tools that this conversation found or made, of those that may be found.
    fn more_tools(&self, deferred: &[ToolSpec]) -> Vec<ToolSpec> {
        let found = self.found.iter().filter_map(|name| deferred.iter().find(|tool| tool.name == *name));
        found.chain(&self.made).cloned().collect()
    }

    /// Tells `model` what it was not told yet.
    pub(super) fn tell(&mut self, model: &str, result_chars: usize) {
        let told = self.told.take();
        let telling = told.unwrap_or_else(|| self.tell_past(model, result_chars, self.digested.as_ref()));
        self.told = Some(self.tell_open(telling));
    }

    /// What the open run has told, once it has.
    pub(super) fn told(&self) -> Option<&Telling> {
        self.told.as_ref()
    }

    /// All of it as if results before that place were digests.
    pub(super) fn told_digested(&self, model: &str, result_chars: usize, until: &Mark) -> Telling {
        self.tell_open(self.tell_past(model, result_chars, Some(until)))
    }

    fn tell_past(&self, model: &str, result_chars: usize, digested: Option<&Mark>) -> Telling {
        let mut exchanges = self.past.iter().chain(&self.open);
        let digest_until = digested.filter(|mark| exchanges.any(|exchange| exchange.id == mark.run));
        let longest = self.longest.unwrap_or(usize::MAX);
        let mut telling = Telling::new(longest, result_chars, digest_until.cloned());
        if let Some(summary) = &self.summary {
            telling.messages.push_user(summary);
        }
        for exchange in self.past.iter().filter(|exchange| !exchange.is_idle()) {
            telling.keep_reasoning = exchange.model.as_deref().is_none_or(|made_by| made_by == model);
            exchange.tell(&mut telling);
            telling.pass(&exchange.id);
        }
        telling.keep_reasoning = true;
        telling
    }

    fn tell_open(&self, mut telling: Telling) -> Telling {
        if let Some(open) = &self.open {
            let end = Mark { run: open.id.clone(), turn: open.after_whole() };
            if telling.marks.last().is_some_and(|(mark, _)| mark.run == open.id) {
                telling.marks.pop();
            }
            open.tell(&mut telling);
            telling.mark(end);
        }
        telling.measure();
        telling
    }

    /// What `upto` leaves behind, for a summary.
    pub(super) fn before(&self, upto: &Mark) -> Vec<Before<'_>> {
        let mut before = Vec::new();
        for exchange in self.past.iter().chain(&self.open) {
            let ends_here = exchange.id == upto.run;
            let until = if ends_here { upto.turn } else { u32::MAX };
            // A turn that was made again is the later one.
            let last = exchange.last_turn().map(|(number, _)| number);
            let counts = |number: u32, turn: &Turn| turn.stop().is_some() || last == Some(number);
            let turns = exchange.told().filter(|(number, turn)| **number < until && counts(**number, turn));
            before.push(Before {
                said: exchange.said(until).collect(),
                turns: turns.map(|(_, turn)| turn).collect(),
            });
            if ends_here {
                break;
            }
        }
        before
    }

    /// Whole turns that are told as they were.
    pub(super) fn whole_turns_told(&self) -> usize {
        let exchanges = self.past.iter().chain(&self.open);
        exchanges.flat_map(Exchange::told).filter(|(_, turn)| turn.stop().is_some()).count()
    }

    pub(crate) fn summary(&self) -> Option<&str> {
        self.summary.as_deref()
    }

    /// Begins anew, unless a run is under way. What nobody has read yet stays.
    fn clear(&mut self) {
        if self.open.as_ref().is_some_and(|open| !open.is_finished) {
            return;
        }
        self.seal();
        self.past.clear();
        self.summary = None;
        self.digested = None;
        self.longest = None;
        self.since_summary = None;
    }

    /// Ends the open run for good.
    fn seal(&mut self) {
        if let Some(former) = self.open.take() {
            self.sealed.insert(former.id.clone());
            self.past.push(former);
            self.lead.extend(self.waiting.drain(..).map(|waiting| waiting.text));
        }
        self.told = None;
    }

    fn steer(&mut self, turn: u32, seq: u64) {
        let Some(at) = self.waiting.iter().position(|waiting| waiting.seq == seq) else {
            return;
        };
        let waiting = self.waiting.remove(at);
        if let Some(open) = &mut self.open {
            open.steer(turn, waiting.text);
        }
    }

    fn cut(&mut self, upto: &Mark, text: &str) {
        let exchanges = || self.past.iter().chain(&self.open);
        if !exchanges().any(|exchange| exchange.id == upto.run) {
            return;
        }
        let first = self.past.iter().position(|exchange| exchange.id == upto.run);
        self.past.drain(..first.unwrap_or(self.past.len()));
        if let Some(exchange) = self.past.first_mut().or(self.open.as_mut()) {
            exchange.cut(upto.turn);
        }
        self.summary = Some(text.to_owned());
        self.told = None;
    }

    /// Tools that a call has found or made can be called from now on.
    fn learn(&mut self, turn: u32) {
        let Some(turn) = self.open.as_ref().and_then(|open| open.turns.get(&turn)) else {
            return;
        };
        for (call, result) in turn.answered() {
            for name in tools::found_by(call, result) {
                if !self.found.contains(&name) {
                    self.found.push(name);
                    self.head = None;
                }
            }
            if let Some(tool) = tools::made_by(call, result) {
                self.made.retain(|made| made.name != tool.name);
                self.made.push(tool);
                self.head = None;
            }
            if let Some(name) = tools::deleted_by(call, result) {
                take_away(&mut self.made, &mut self.head, name);
            }
        }
    }

    /// The run, which ends the one before it. `None` if it has ended already: what comes late, a
    /// result for instance, cannot change what later requests begin with.
    fn open(&mut self, run: &RunId) -> Option<&mut Exchange> {
        if self.open.as_ref().is_none_or(|open| open.id != *run) {
            if self.sealed.contains(run) {
                return None;
            }
            self.seal();
            self.own = 0;
            self.open = Some(Exchange::new(run.clone(), std::mem::take(&mut self.lead)));
        }
        self.open.as_mut()
    }
}

/// A tool that was taken away, by whomever, is not declared any more.
fn take_away(made: &mut Vec<ToolSpec>, head: &mut Option<Head>, name: &str) {
    if made.iter().any(|tool| tool.name == name) {
        made.retain(|tool| tool.name != name);
        *head = None;
    }
}

/// Whether the loop writes it.
fn is_own(body: &EntryBody) -> bool {
    match body {
        EntryBody::Notice {
            kind: NoticeKind::Fallback | NoticeKind::Limit | NoticeKind::GivenUp | NoticeKind::KeyWanted,
            ..
        } => false,
        EntryBody::Block { .. }
        | EntryBody::TurnFinished { .. }
        | EntryBody::NotRun { .. }
        | EntryBody::Notice { .. }
        | EntryBody::Steered { .. }
        | EntryBody::Retrying { .. }
        | EntryBody::Digested { .. }
        | EntryBody::Clipped { .. }
        | EntryBody::Summary { .. } => true,
        EntryBody::Message { .. }
        | EntryBody::RunStarted { .. }
        | EntryBody::ToolStarted { .. }
        | EntryBody::ToolFinished { .. }
        | EntryBody::Used { .. }
        | EntryBody::RunFinished { .. }
        | EntryBody::Skin { .. }
        | EntryBody::Moved { .. }
        | EntryBody::State { .. }
        | EntryBody::ToolCreated { .. }
        | EntryBody::ToolDeleted { .. }
        | EntryBody::Imported { .. }
        | EntryBody::Permission { .. }
        | EntryBody::DeviceWait { .. }
        | EntryBody::ApprovalAsked { .. }
        | EntryBody::ApprovalSettled { .. }
        | EntryBody::Schedule { .. }
        | EntryBody::PageErrors { .. } => false,
    }
}
