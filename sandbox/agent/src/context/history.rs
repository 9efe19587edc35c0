//! The log, read as exchanges. It takes the entries of a log and what a live run appends in the same
//! way, so that a resumed run knows exactly what the former one knew.

use super::exchange::{Exchange, Turn};
use super::head::Head;
use super::message::Message;
use super::rendering::Rendering;
use super::size;
use crate::tools;
use protocol::log::{
    CallEvent, Class, CompactionEvent, EntryBody, LoopEvent, Mark, NoticeKind, ReplyEvent, Sender, Summariser,
};
use protocol::model::{Media, ToolSpec};
use protocol::run::RunSpec;
use protocol::{Attachment, RunId};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

/// Runs that ended last, and notes that came last: what comes late of a run or comes twice is of one of
/// these.
const LATE: usize = 64;

/// A conversation as one run sees it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct History {
    #[serde(with = "shared")]
    past: Vec<Arc<Exchange>>,
    sealed: VecDeque<RunId>,
    /// Said since the last run, if none is open.
    lead: Vec<Message>,
    /// Whether the last of it was only told.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    lead_ends_told: bool,
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
    /// Of what the hub said by itself. It may overtake a message or be overtaken.
    notes: BTreeSet<u64>,
    /// What was told so far; `None` if it has to be told anew.
    #[serde(skip)]
    told: Option<Rendering>,
    /// What stands before it; `None` if it has to be made anew.
    #[serde(skip)]
    head: Option<Head>,
    /// How many of the open run's entries are the loop's own.
    own: u32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Waiting {
    seq: u64,
    whose: MessageSource,
    text: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    media: Vec<Media>,
    /// The page said it and woke nobody.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    emitted: bool,
}

impl Waiting {
    /// It woke nobody.
    fn is_told(&self) -> bool {
        self.emitted || self.whose == MessageSource::Hub
    }
}

impl From<Waiting> for Message {
    fn from(Waiting { text, media, .. }: Waiting) -> Self {
        Self { text, media }
    }
}

/// Whose words wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum MessageSource {
    Person,
    Page,
    /// Under the name of what it spoke of first.
    #[serde(rename = "Devices")]
    Hub,
}

impl MessageSource {
    fn of(sender: &Sender) -> Self {
        match sender {
            Sender::Person | Sender::Program { relays: false, .. } => Self::Person,
            Sender::Devices | Sender::Todo | Sender::Rating | Sender::Context { .. } => Self::Hub,
            // Not a person's words, so they are quoted as a page's are.
            Sender::Program { relays: true, .. }
            | Sender::PageNotify { .. }
            | Sender::PageAsk
            | Sender::PageEmit { .. }
            | Sender::PageErrors
            | Sender::Rule { .. }
            | Sender::Schedule { .. }
            | Sender::Trigger { .. }
            | Sender::Job { .. }
            | Sender::Agent { .. } => Self::Page,
        }
    }
}

/// What a person said, and the turns that answered it.
pub(super) struct Before<'a> {
    pub(super) said: Vec<&'a str>,
    pub(super) turns: Vec<&'a Turn>,
}

impl History {
    /// Read for `run`, which is the last one in the log or about to begin.
    pub(super) fn seen_by(mut self, run: &RunId) -> Self {
        self.sealed.retain(|sealed| sealed != run);
        self.open(run);
        self
    }

    /// Takes in a message. One that is known already is passed over.
    pub(crate) fn add_message(&mut self, seq: u64, from: &Sender, text: &str, attachments: &[Attachment]) {
        if MessageSource::of(from) == MessageSource::Hub {
            if !self.notes.insert(seq) {
                return;
            }
            if self.notes.len() > LATE {
                self.notes.pop_first();
            }
        } else if seq <= self.last_seq {
            return;
        } else {
            self.last_seq = seq;
        }
        let message = Message::new(from, text, attachments);
        let (whose, emitted) = (MessageSource::of(from), matches!(from, Sender::PageEmit { .. }));
        let is_told = emitted || whose == MessageSource::Hub;
        match &self.open {
            None => {
                let ends_told = self.lead.is_empty() || self.lead_ends_told;
                let place = place_in(self.lead.len(), is_told, ends_told);
                self.lead_ends_told = is_told && ends_told;
                self.lead.insert(place, message);
            }
            Some(_) => {
                let ends_told = self.waiting.last().is_none_or(Waiting::is_told);
                let place = place_in(self.waiting.len(), is_told, ends_told);
                let Message { text, media } = message;
                self.waiting.insert(place, Waiting { seq, whose, text, media, emitted });
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
        if is_new && body.class().is_of_loop() {
            self.own = self.own.saturating_add(1);
        }
        match body.class() {
            Class::Reply(ReplyEvent::Finished { .. }) if is_new => {
                self.since_summary = self.since_summary.map(|turns| turns.saturating_add(1));
            }
            Class::Call(CallEvent::Finished { turn, .. }) if is_new => self.learn(turn),
            Class::Loop(LoopEvent::Steered { turn, seq }) => self.steer(turn, seq),
            Class::Loop(LoopEvent::Notice { kind: NoticeKind::NoSummary, .. }) => {
                self.since_summary = Some(0);
            }
            Class::Compaction(event) => self.shorten(event),
            Class::Said { .. }
            | Class::Run(_)
            | Class::Reply(_)
            | Class::Call(_)
            | Class::Loop(_)
            | Class::HubNotice { .. }
            | Class::Used { .. }
            | Class::Agent(_) => {}
        }
    }

    fn shorten(&mut self, event: CompactionEvent<'_>) {
        match event {
            CompactionEvent::Digested { upto, .. } => {
                self.told = None;
                self.digested = Some(upto.clone());
            }
            CompactionEvent::Clipped { longest, .. } => {
                self.told = None;
                self.longest = usize::try_from(longest).ok();
            }
            CompactionEvent::Summary { by, upto, text, .. } => {
                if let Summariser::Model = by {
                    self.since_summary = Some(0);
                }
                self.cut(upto, text);
            }
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
        self.waiting_of(MessageSource::Person)
    }

    /// What the hub said and no run reads yet, as sequence numbers.
    pub(crate) fn unread_notes(&self) -> Vec<u64> {
        self.waiting_of(MessageSource::Hub)
    }

    fn waiting_of(&self, whose: MessageSource) -> Vec<u64> {
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

    /// Tells the model what it was not told yet.
    pub(super) fn render(&mut self, spec: &RunSpec, result_chars: usize) {
        let told = self.told.take();
        let telling = told.unwrap_or_else(|| self.tell_past(spec, result_chars, self.digested.as_ref()));
        self.told = Some(self.tell_open(telling));
    }

    /// What the open run has told, once it has.
    pub(super) fn rendered(&self) -> Option<&Rendering> {
        self.told.as_ref()
    }

    /// All of it as if results before that place were digests.
    pub(super) fn told_digested(&self, spec: &RunSpec, result_chars: usize, until: &Mark) -> Rendering {
        self.tell_open(self.tell_past(spec, result_chars, Some(until)))
    }

    fn tell_past(&self, spec: &RunSpec, result_chars: usize, digested: Option<&Mark>) -> Rendering {
        let mut exchanges = self.exchanges();
        let digest_until = digested.filter(|mark| exchanges.any(|exchange| exchange.id == mark.run));
        let longest = self.longest.unwrap_or(usize::MAX);
        let mut telling = Rendering::new(longest, result_chars, digest_until.cloned());
        telling.most_of_text = size::most_of_text(spec.context_tokens);
        if let Some(summary) = &self.summary {
            telling.messages.push_user(summary, &[]);
        }
        for exchange in self.past.iter().filter(|exchange| !exchange.is_idle()) {
            telling.keep_reasoning = exchange.model.as_deref().is_none_or(|made_by| made_by == spec.model);
            exchange.render(&mut telling);
            telling.pass(&exchange.id);
        }
        telling.keep_reasoning = true;
        telling
    }

    fn tell_open(&self, mut telling: Rendering) -> Rendering {
        if let Some(open) = &self.open {
            let end = Mark { run: open.id.clone(), turn: open.after_whole() };
            if telling.marks.last().is_some_and(|(mark, _)| mark.run == open.id) {
                telling.marks.pop();
            }
            open.render(&mut telling);
            telling.mark(end);
        }
        telling.measure();
        telling
    }

    /// What `upto` leaves behind, for a summary.
    pub(super) fn before(&self, upto: &Mark) -> Vec<Before<'_>> {
        let mut before = Vec::new();
        for exchange in self.exchanges() {
            let ends_here = exchange.id == upto.run;
            let until = if ends_here { upto.turn } else { u32::MAX };
            // A turn that was made again is the later one.
            let last = exchange.last_turn().map(|(number, _)| number);
            let counts = |number: u32, turn: &Turn| turn.stop().is_some() || last == Some(number);
            let turns = exchange
                .unsummarised_turns()
                .filter(|(number, turn)| **number < until && counts(**number, turn));
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

    fn exchanges(&self) -> impl Iterator<Item = &Exchange> {
        self.past.iter().map(Arc::as_ref).chain(&self.open)
    }

    /// Whole turns that are told as they were.
    pub(super) fn whole_turns_told(&self) -> usize {
        self.exchanges()
            .flat_map(Exchange::unsummarised_turns)
            .filter(|(_, turn)| turn.stop().is_some())
            .count()
    }

    pub(crate) fn summary(&self) -> Option<&str> {
        self.summary.as_deref()
    }

    /// Begins anew, unless a run is under way. What nobody has read yet stays.
    pub(super) fn clear(&mut self) {
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
            self.sealed.push_back(former.id.clone());
            if self.sealed.len() > LATE {
                self.sealed.pop_front();
            }
            self.past.push(Arc::new(former));
            if let Some(last) = self.waiting.last() {
                self.lead_ends_told = last.is_told();
            }
            self.lead.extend(self.waiting.drain(..).map(Message::from));
        }
        self.told = None;
    }

    fn steer(&mut self, turn: u32, seq: u64) {
        let Some(at) = self.waiting.iter().position(|waiting| waiting.seq == seq) else {
            return;
        };
        let waiting = self.waiting.remove(at);
        if let Some(open) = &mut self.open {
            open.steer(turn, waiting.into());
        }
    }

    fn cut(&mut self, upto: &Mark, text: &str) {
        if !self.exchanges().any(|exchange| exchange.id == upto.run) {
            return;
        }
        let first = self.past.iter().position(|exchange| exchange.id == upto.run);
        self.past.drain(..first.unwrap_or(self.past.len()));
        if let Some(exchange) = self.past.first_mut().map(Arc::make_mut).or(self.open.as_mut()) {
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
            self.lead_ends_told = false;
            self.open = Some(Exchange::new(run.clone(), std::mem::take(&mut self.lead)));
        }
        self.open.as_mut()
    }
}

/// Where among so many a message goes that comes next. What is only told stands in the log behind the words that woke
/// the agent, and is read before them; otherwise what came first is read first.
fn place_in(count: usize, is_told: bool, ends_told: bool) -> usize {
    if is_told && !ends_told { count.saturating_sub(1) } else { count }
}

/// What is over is shared between a history and its copies, and written as if it were not.
mod shared {
    use super::{Arc, Deserialize, Exchange};
    use serde::{Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(past: &[Arc<Exchange>], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(past.iter().map(Arc::as_ref))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Arc<Exchange>>, D::Error> {
        Ok(Vec::<Exchange>::deserialize(from)?.into_iter().map(Arc::new).collect())
    }
}

/// A tool that was taken away, by whomever, is not declared any more.
fn take_away(made: &mut Vec<ToolSpec>, head: &mut Option<Head>, name: &str) {
    if made.iter().any(|tool| tool.name == name) {
        made.retain(|tool| tool.name != name);
        *head = None;
    }
}
