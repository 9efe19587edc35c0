//! The conversation as its entries make it: a list of items in the order in which they were
//! committed, and behind them the blocks that are still being streamed. No signals, no browser.

mod item;
mod streaming;
#[cfg(test)]
mod tests;

pub use item::{Body, Change, DeviceWaitEnd, Item, Key, Note, Progress};

use crate::schedules;
use protocol::approval::{Approval, Asker, Settled};
use protocol::hub::HubFrame;
use protocol::log::{DeviceWait, DeviceWanted, Driver, Entry, EntryBody, NoticeKind, Outcome, Sender};
use protocol::model::{Block, ModelFailureKind, StopReason, ToolResult};
use protocol::schedule::News;
use protocol::view::{AgentPage, Home, Spent, Status, Today};
use protocol::{ApprovalId, CallId, LimitOf, RunId};
use std::collections::{BTreeSet, HashMap};
use streaming::Streaming;

const UNVERIFIED: &str =
    "A browser called the model and told the hub what it said. The hub did not hear it itself.";

/// Folds entries and live frames. Entries count once, in whatever batches they come.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Thread {
    /// The newest entry that is folded in.
    seq: u64,
    settled: Vec<Item>,
    /// Where in `settled` the calls of the run under way are.
    calls: HashMap<CallId, usize>,
    streaming: Streaming,
    /// What was said while a run goes on and it has not read: it stands behind the run.
    waiting: Vec<Item>,
    /// The messages that the run reads before the call of a turn, by turn and entry.
    steered: BTreeSet<(u32, u64)>,
    /// The turn of the run that is being made.
    turn: u32,
    run: Option<RunId>,
    /// Where the agent lives, and the tab that drives its run, if one does.
    home: Home,
    driver: Option<Driver>,
    retry: Option<Key>,
    /// The run under way thinks things over, and nobody waits for its answer.
    is_ambient: bool,
    repair: Option<Key>,
    /// Where in `settled` what waits for the person is.
    open: Vec<usize>,
    /// Where in `settled` calls that wait for a device are.
    waits: Vec<usize>,
    status: Status,
    spent: Spent,
    today: Option<Today>,
    /// Tokens of the newest request.
    request: u64,
}

impl Thread {
    pub fn of_page(page: &AgentPage) -> Self {
        let mut thread = Self::default();
        for entry in &page.entries {
            thread.take_entry(entry);
        }
        thread.seq = thread.seq.max(page.seq);
        thread.home = page.agent.home;
        thread.status = page.card.status;
        thread.spent = page.card.spent;
        thread.today = page.card.today;
        thread
    }

    pub fn seq(&self) -> u64 {
        self.seq
    }

    pub fn status(&self) -> Status {
        self.status
    }

    pub fn home(&self) -> Home {
        self.home
    }

    /// The tab that drives the run under way.
    pub fn driver(&self) -> Option<&Driver> {
        self.driver.as_ref()
    }

    pub fn spent(&self) -> Spent {
        self.spent
    }

    pub fn today(&self) -> Option<Today> {
        self.today
    }

    /// Tokens of the newest request, as the provider counted them.
    pub fn request_tokens(&self) -> u64 {
        self.request
    }

    /// What was said and done, then what is being streamed, then what waits for the run to end.
    pub fn items(&self) -> impl Iterator<Item = &Item> {
        self.settled.iter().chain(self.streaming.items()).chain(&self.waiting)
    }

    /// Whether a run goes on and no item shows it.
    pub fn is_quiet(&self) -> bool {
        let is_open = |item: &Item| {
            matches!(
                item.body,
                Body::Tool {
                    progress: Progress::Written | Progress::Asked | Progress::Waiting | Progress::Running,
                    ..
                }
            )
        };
        self.status == Status::Running
            && self.streaming.items().next().is_none()
            && !self.settled.last().is_some_and(is_open)
    }

    /// The item of this name; found at once where it is one of the last.
    pub fn newest(&self, key: &Key) -> Option<&Item> {
        self.streaming
            .items()
            .chain(&self.waiting)
            .chain(self.settled.iter().rev())
            .find(|item| item.key == *key)
    }

    /// Whether a run goes on, or waits for the person.
    pub fn is_at_work(&self) -> bool {
        self.run.is_some()
    }

    /// What waits for the person, the oldest first.
    pub fn open(&self) -> impl Iterator<Item = &Approval> {
        self.open.iter().filter_map(|place| match &self.settled[*place].body {
            Body::Approval { approval, .. } => Some(&**approval),
            _ => None,
        })
    }

    /// What calls of the run wait for, the oldest first.
    pub fn wanted(&self) -> impl Iterator<Item = &DeviceWanted> {
        self.waits.iter().filter_map(|place| match &self.settled[*place].body {
            Body::Device { wanted, .. } => Some(wanted),
            _ => None,
        })
    }

    /// The notice that offers a retry: the last run's, while no other run goes on.
    pub fn retry(&self) -> Option<&Key> {
        self.retry.as_ref()
    }

    /// The line that offers a repair of the page: the last one, until the agent is at work again.
    pub fn repair(&self) -> Option<&Key> {
        self.repair.as_ref()
    }

    /// Takes in a frame of the socket about this agent.
    pub fn take(&mut self, frame: &HubFrame) -> Vec<Change> {
        match frame {
            HubFrame::Entry { entry } => self.take_entry(entry),
            // What is still being streamed is sent again behind this frame.
            HubFrame::CaughtUp { .. } => self.order_if(Streaming::clear),
            HubFrame::Partial { run, turn, index, kind, text, .. } if self.run.as_ref() == Some(run) => {
                let mut changes = self.settle_read(*turn);
                let key = Key::Block { run: run.clone(), turn: *turn, index: *index };
                if self
                    .settled
                    .iter()
                    .rev()
                    .take_while(|item| item.key.is_of(run))
                    .any(|item| item.key == key)
                {
                    return changes;
                }
                changes.extend(self.streaming.put(key, kind, text));
                changes
            }
            HubFrame::Delta { run, turn, index, offset, text, .. } if self.run.as_ref() == Some(run) => {
                let key = Key::Block { run: run.clone(), turn: *turn, index: *index };
                self.streaming.grow(&key, *offset, text).into_iter().collect()
            }
            HubFrame::Void { run, turn, .. } => self.order_if(|streaming| streaming.void(run, *turn)),
            HubFrame::Partial { .. }
            | HubFrame::Delta { .. }
            | HubFrame::Welcome { .. }
            | HubFrame::SkinCall { .. }
            | HubFrame::SkinGo { .. }
            | HubFrame::Answered { .. }
            | HubFrame::Granted { .. }
            | HubFrame::Rejoined { .. }
            | HubFrame::Run { .. }
            | HubFrame::Refused { .. }
            | HubFrame::SignedOut
            | HubFrame::Pong => Vec::new(),
        }
    }

    pub fn take_entry(&mut self, entry: &Entry) -> Vec<Change> {
        if entry.seq <= self.seq {
            return Vec::new();
        }
        self.seq = entry.seq;
        match &entry.body {
            EntryBody::Message { from: Sender::Devices, text } => self.note(entry, Note::Devices, text),
            EntryBody::Message { from, text } => {
                let (key, body) = (Key::Entry(entry.seq), Body::Message(from.clone()));
                let item = Item { key, at: entry.at, body, text: text.clone() };
                let list = if self.run.is_some() { &mut self.waiting } else { &mut self.settled };
                list.push(item);
                vec![Change::Order]
            }
            EntryBody::RunStarted { driver, unverified, .. } => {
                self.driver.clone_from(driver);
                self.settled.append(&mut self.waiting);
                self.run.clone_from(&entry.run);
                self.status = Status::Running;
                self.retry = None;
                self.is_ambient = false;
                self.repair = None;
                self.calls.clear();
                self.steered.clear();
                self.turn = 0;
                let mut changes = self.order_if(Streaming::clear);
                if *unverified {
                    changes.extend(self.note(entry, Note::Unverified, UNVERIFIED));
                }
                changes
            }
            EntryBody::Block { turn, index, block } => self.settle_block(entry, *turn, *index, block),
            EntryBody::TurnFinished { turn, stop } => self.finish_turn(entry, *turn, *stop),
            EntryBody::ToolStarted { call, .. } => self.advance(&call.id, Progress::Running),
            EntryBody::ToolFinished { result, millis, .. } => {
                self.advance(&result.call, Progress::Finished { result: result.clone(), millis: *millis })
            }
            EntryBody::Used { usage, cost, aside, .. } => {
                let read = usage.prompt();
                if aside.is_none() {
                    self.request = read;
                }
                self.spent.input_tokens += read;
                self.spent.output_tokens += usage.output;
                if let Some(cost) = cost {
                    self.spent.cost.get_or_insert_default().0 += cost.0;
                    if let Some(today) = &mut self.today {
                        today.spent.0 += cost.0;
                    }
                }
                Vec::new()
            }
            EntryBody::RunFinished { outcome, stopped_by } => self.finish_run(entry, outcome, *stopped_by),
            EntryBody::Steered { turn, seq } => {
                self.steered.insert((*turn, *seq));
                self.reach(self.turn)
            }
            EntryBody::NotRun { call, text, .. } => self.refuse(call, text),
            EntryBody::Retrying { turn, failure } => {
                let mut changes = match &entry.run {
                    Some(run) => self.order_if(|streaming| streaming.void(run, *turn)),
                    None => Vec::new(),
                };
                changes.extend(self.note(entry, Note::Retrying, &failure.message));
                changes
            }
            EntryBody::Notice { kind, text, .. } => {
                self.is_ambient |= *kind == NoticeKind::Ambient;
                if *kind == NoticeKind::GivenUp {
                    self.status = Status::Idle;
                    self.retry = None;
                }
                self.note(entry, Note::Notice(*kind), text)
            }
            EntryBody::Summary { by, text, .. } => self.note(entry, Note::Summary(*by), text),
            EntryBody::Digested { .. } => {
                self.note(entry, Note::Digested, "The model is told of old results in a line each.")
            }
            EntryBody::Clipped { longest, .. } => {
                let text = format!("The model is told at most {longest} bytes of each text.");
                self.note(entry, Note::Clipped, &text)
            }
            EntryBody::ToolCreated { version, spec, code } => {
                let text = format!("{}, version {version}\n\n{}\n\n{code}", spec.name, spec.description);
                self.note(entry, Note::ToolCreated, &text)
            }
            EntryBody::ToolDeleted { name } => self.note(entry, Note::ToolDeleted, name),
            EntryBody::PageErrors { text } => {
                let key = Key::Entry(entry.seq);
                self.repair = Some(key.clone());
                self.settle(entry, key, Body::PageErrors, text.clone())
            }
            EntryBody::Moved { home, driver } => {
                self.home = *home;
                self.driver.clone_from(driver);
                let text = match (home, driver) {
                    (Home::Hub, _) => "It works on with no page open.".to_owned(),
                    (Home::Browser, Some(driver)) => format!("The run goes on in {}.", driver.device),
                    (Home::Browser, None) => "It works in the tab that it is talked to in.".to_owned(),
                };
                self.note(entry, Note::Moved(*home), &text)
            }
            EntryBody::Schedule { name, news, .. } => {
                let note =
                    if matches!(news, News::Idle { .. }) { Note::IdleSchedule } else { Note::Schedule };
                self.note(entry, note, &schedules::words::news(name, news))
            }
            EntryBody::Imported { name, notes } => {
                let text = format!("{name}\n\n{}", notes.join("\n"));
                self.note(entry, Note::Imported, text.trim_end())
            }
            EntryBody::ApprovalAsked { approval } => {
                let mut changes = Vec::new();
                if approval.asker == Asker::Model {
                    self.status = Status::Waiting;
                    changes = self.advance(&approval.call.id, Progress::Waiting);
                }
                self.open.push(self.settled.len());
                let body = Body::Approval { approval: Box::new(approval.clone()), settled: None };
                changes.extend(self.settle(entry, Key::Entry(entry.seq), body, String::new()));
                changes
            }
            EntryBody::ApprovalSettled { approval, settled } => self.settle_approval(approval, settled),
            EntryBody::DeviceWait { call, wait: DeviceWait::Begun { wanted, until }, .. } => {
                self.status = Status::Waiting;
                let mut changes = self.advance(call, Progress::Waiting);
                self.waits.push(self.settled.len());
                let (call, wanted) = (call.clone(), wanted.clone());
                let body = Body::Device { call, wanted, until: *until, ended: None };
                changes.extend(self.settle(entry, Key::Entry(entry.seq), body, String::new()));
                changes
            }
            EntryBody::DeviceWait { call, wait: DeviceWait::Ended { by }, .. } => {
                let end = by.clone().map_or(DeviceWaitEnd::Nobody, DeviceWaitEnd::Found);
                let is_it = |body: &Body| matches!(body, Body::Device { call: own, .. } if own == call);
                let mut changes = self.end_waits(is_it, &end);
                changes.extend(self.advance(call, Progress::Running));
                changes
            }
            EntryBody::Skin { .. } | EntryBody::State { .. } | EntryBody::Permission { .. } => Vec::new(),
        }
    }

    fn settle(&mut self, entry: &Entry, key: Key, body: Body, text: String) -> Vec<Change> {
        self.settled.push(Item { key, at: entry.at, body, text });
        vec![Change::Order]
    }

    fn note(&mut self, entry: &Entry, note: Note, text: &str) -> Vec<Change> {
        // A plan that could not be had says nothing.
        if text.is_empty() {
            return Vec::new();
        }
        self.settle(entry, Key::Entry(entry.seq), Body::Note(note), text.to_owned())
    }

    /// The run is at the call of `turn`: what it reads by then stands here.
    fn reach(&mut self, turn: u32) -> Vec<Change> {
        self.turn = self.turn.max(turn);
        self.settle_read(self.turn)
    }

    fn settle_read(&mut self, turn: u32) -> Vec<Change> {
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

    fn refuse(&mut self, call: &CallId, why: &str) -> Vec<Change> {
        let result = ToolResult {
            call: call.clone(),
            name: String::new(),
            content: why.to_owned(),
            media: Vec::new(),
            is_error: true,
        };
        self.advance(call, Progress::Finished { result, millis: 0 })
    }

    fn settle_approval(&mut self, id: &ApprovalId, ended: &Settled) -> Vec<Change> {
        let is_it = |place: &usize| matches!(&self.settled[*place].body, Body::Approval { approval, .. } if approval.id == *id);
        let Some(at) = self.open.iter().position(is_it) else { return Vec::new() };
        let place = self.open.remove(at);
        let item = &mut self.settled[place];
        let mut changes = vec![Change::Item(item.key.clone())];
        if let Body::Approval { approval, settled } = &mut item.body {
            *settled = Some(ended.clone());
            if approval.asker == Asker::Model {
                let call = approval.call.id.clone();
                changes.extend(self.advance(&call, Progress::Asked));
            }
        }
        self.go_on();
        changes
    }

    fn end_waits(&mut self, is_over: impl Fn(&Body) -> bool, end: &DeviceWaitEnd) -> Vec<Change> {
        let settled = &mut self.settled;
        let mut changes = Vec::new();
        self.waits.retain(|place| {
            let item = &mut settled[*place];
            let over = is_over(&item.body);
            if over && let Body::Device { ended, .. } = &mut item.body {
                *ended = Some(end.clone());
                changes.push(Change::Item(item.key.clone()));
            }
            !over
        });
        self.go_on();
        changes
    }

    /// The agent is at work again, unless something of its run waits.
    fn go_on(&mut self) {
        let is_asked = self.open().any(|approval| approval.asker == Asker::Model);
        if self.run.is_some() && self.waits.is_empty() && !is_asked {
            self.status = Status::Running;
        }
    }

    fn settle_block(&mut self, entry: &Entry, turn: u32, index: u32, block: &Block) -> Vec<Change> {
        let Some(run) = entry.run.clone() else { return Vec::new() };
        let key = Key::Block { run, turn, index };
        let moved = self.reach(turn);
        self.streaming.remove(&key);
        let (body, text) = match block {
            Block::Text { text } => (Body::Text { streaming: false }, text.clone()),
            Block::Reasoning { text, .. } => (Body::Reasoning { streaming: false }, text.clone()),
            Block::ToolUse(call) => {
                self.calls.insert(call.id.clone(), self.settled.len());
                let body = Body::Tool { name: call.name.clone(), progress: Progress::Asked };
                (body, item::input_text(&call.input))
            }
        };
        let mut changes = vec![Change::Item(key.clone())];
        changes.extend(moved);
        changes.extend(self.settle(entry, key, body, text));
        changes
    }

    fn finish_turn(&mut self, entry: &Entry, turn: u32, stop: StopReason) -> Vec<Change> {
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

    fn finish_run(&mut self, entry: &Entry, outcome: &Outcome, stopped_by: Option<LimitOf>) -> Vec<Change> {
        let mut changes = self.order_if(Streaming::clear);
        changes.extend(self.settle_read(u32::MAX));
        self.turn = 0;
        self.run = None;
        self.driver = None;
        self.status = match outcome {
            Outcome::Completed | Outcome::Stopped => Status::Idle,
            Outcome::Failed { failure } if failure.kind == ModelFailureKind::OverBudget => Status::Waiting,
            Outcome::RoundLimit | Outcome::Failed { .. } | Outcome::Interrupted { .. } => Status::Error,
        };
        changes.extend(self.end_waits(|_| true, &DeviceWaitEnd::Nobody));
        let mut open: Vec<usize> = self.calls.drain().map(|(_, place)| place).collect();
        open.sort_unstable();
        for place in open {
            if let Body::Tool {
                progress: progress @ (Progress::Asked | Progress::Waiting | Progress::Running),
                ..
            } = &mut self.settled[place].body
            {
                *progress = Progress::Dropped;
                changes.push(Change::Item(self.settled[place].key.clone()));
            }
        }
        match outcome {
            Outcome::Completed => {}
            Outcome::Stopped | Outcome::RoundLimit | Outcome::Failed { .. } | Outcome::Interrupted { .. } => {
                let key = Key::Entry(entry.seq);
                self.retry = (outcome.can_retry() && !self.is_ambient).then(|| key.clone());
                let body = Body::Ended { outcome: outcome.clone(), stopped_by };
                changes.extend(self.settle(entry, key, body, String::new()));
            }
        }
        if !self.waiting.is_empty() {
            self.settled.append(&mut self.waiting);
            changes.push(Change::Order);
        }
        changes
    }

    fn advance(&mut self, call: &CallId, next: Progress) -> Vec<Change> {
        let Some(item) = self.calls.get(call).map(|place| &mut self.settled[*place]) else {
            return Vec::new();
        };
        let Body::Tool { progress, .. } = &mut item.body else { return Vec::new() };
        match progress {
            Progress::Written | Progress::Asked | Progress::Waiting | Progress::Running => *progress = next,
            Progress::Finished { .. } | Progress::Dropped => return Vec::new(),
        }
        vec![Change::Item(item.key.clone())]
    }

    fn order_if(&mut self, change: impl FnOnce(&mut Streaming) -> bool) -> Vec<Change> {
        if change(&mut self.streaming) { vec![Change::Order] } else { Vec::new() }
    }
}
