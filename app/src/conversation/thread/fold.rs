//! Which frame and which entry changes what.

use super::streaming::Streaming;
use super::{Body, Change, Item, Key, Note, Progress, Thread};
use crate::prelude::{say, t};
use crate::schedules;
use protocol::Micros;
use protocol::agent::Home;
use protocol::hub::HubFrame;
use protocol::log::{DeviceWait, Entry, EntryBody, NoticeKind, Sender};
use protocol::model::Usage;
use protocol::schedule::ScheduleEvent;
use protocol::view::Status;
use std::borrow::Cow;

impl Thread {
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
            HubFrame::Progress { run, call, progress, .. } if self.run.as_ref() == Some(run) => {
                self.tell(call, progress)
            }
            HubFrame::Void { run, turn, .. } => self.order_if(|streaming| streaming.void(run, *turn)),
            HubFrame::Partial { .. }
            | HubFrame::Delta { .. }
            | HubFrame::Progress { .. }
            | HubFrame::Changed { .. }
            | HubFrame::PersonChanged
            | HubFrame::NounChanged { .. }
            | HubFrame::DraftChanged { .. }
            | HubFrame::Welcome { .. }
            | HubFrame::Subscribed { .. }
            | HubFrame::SkinCall { .. }
            | HubFrame::DeviceCall { .. }
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

    pub(super) fn spend(&mut self, usage: &Usage, cost: Option<Micros>) {
        self.spent.input_tokens += usage.prompt();
        self.spent.output_tokens += usage.output;
        if let Some(cost) = cost {
            self.spent.cost.get_or_insert_default().0 += cost.0;
            if let Some(today) = &mut self.today {
                today.spent.0 += cost.0;
            }
        }
    }

    pub fn take_entry(&mut self, entry: &Entry) -> Vec<Change> {
        if entry.seq <= self.seq {
            return Vec::new();
        }
        self.seq = entry.seq;
        if self.is_elsewhere(entry) {
            return self.take_elsewhere(entry);
        }
        self.branch(entry);
        match &entry.body {
            EntryBody::Message { from: Sender::Devices, text, .. } => self.note(entry, Note::Devices, text),
            EntryBody::Message { from: Sender::Todo, text, .. } => self.note(entry, Note::Todo, text),
            EntryBody::Message { from: Sender::Rating, text, .. } => self.note(entry, Note::Rating, text),
            // The inspector shows it; the talk goes on without.
            EntryBody::Message { from: Sender::Context { .. }, .. } => Vec::new(),
            EntryBody::Message { from, text, attachments } => {
                let (key, body) = (Key::Entry(entry.seq), Body::Message(from.clone()));
                let item = Item {
                    key,
                    seq: entry.seq,
                    at: entry.at,
                    body,
                    text: text.clone(),
                    attachments: attachments.clone(),
                    cut: self.cut_of(entry),
                };
                let list = if self.run.is_some() { &mut self.waiting } else { &mut self.settled };
                list.push(item);
                vec![Change::Order]
            }
            EntryBody::RunStarted { driver, unverified, .. } => {
                self.start_run(entry, driver.as_ref(), *unverified)
            }
            EntryBody::Block { turn, index, block } => self.settle_block(entry, *turn, *index, block),
            EntryBody::TurnFinished { turn, stop } => self.finish_turn(entry, *turn, *stop),
            EntryBody::ToolStarted { call, .. } => self.advance(&call.id, Progress::Running(None)),
            EntryBody::ToolFinished { result, millis, .. } => {
                if let Some(place) = self.calls.get(&result.call) {
                    let cut = self.cut_of(entry);
                    self.settled[*place].cut.extend(cut);
                }
                self.advance(&result.call, Progress::Finished { result: result.clone(), millis: *millis })
            }
            EntryBody::Used { usage, cost, aside, .. } => {
                if aside.is_none() {
                    self.request = usage.prompt();
                }
                self.spend(usage, *cost);
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
                changes.extend(self.note(entry, Note::Retrying, &language::sentence(&failure.message)));
                changes
            }
            // What answers link to, see `sources`.
            EntryBody::Notice { kind: NoticeKind::Sources, .. } => Vec::new(),
            EntryBody::Notice { kind, text, .. } => {
                self.is_ambient |= *kind == NoticeKind::Ambient;
                if *kind == NoticeKind::GivenUp {
                    self.status = Status::Idle;
                    self.retry = None;
                }
                self.note(entry, Note::Notice(*kind), &notice_words(*kind, text))
            }
            EntryBody::Summary { by, text, .. } => self.note(entry, Note::Summary(*by), text),
            EntryBody::Digested { .. } => {
                self.note(entry, Note::Digested, t("The model is told of old results in a line each."))
            }
            EntryBody::Clipped { longest, .. } => {
                let text = say!("The model is told at most {longest} bytes of each text.");
                self.note(entry, Note::Clipped, &text)
            }
            EntryBody::ToolCreated { version, spec, code } => {
                let head = say!("{name}, version {version}", name = spec.name);
                let text = [head, spec.description.clone(), code.clone()].join("\n\n");
                self.note(entry, Note::ToolCreated, &text)
            }
            EntryBody::ToolDeleted { name } => self.note(entry, Note::ToolDeleted, name),
            EntryBody::PageErrors { text } => {
                let key = Key::Entry(entry.seq);
                self.repair = Some(key.clone());
                self.settle(entry, key, Body::PageErrors, text.clone())
            }
            EntryBody::Moved { driver, only_run: true, .. } => {
                self.driver.clone_from(driver);
                let text = t("No browser was there. Only this run moved: the agent lives in the browser.");
                self.note(entry, Note::RunMoved, text)
            }
            EntryBody::Moved { home, driver, only_run: false } => {
                self.home = *home;
                self.driver.clone_from(driver);
                let text = match (home, driver) {
                    (Home::Hub, _) => t("It works on with no page open.").to_owned(),
                    (Home::Browser, Some(driver)) => {
                        say!("The run goes on in {device}.", device = driver.device)
                    }
                    (Home::Browser, None) => t("It works in the tab that it is talked to in.").to_owned(),
                };
                self.note(entry, Note::Moved(*home), &text)
            }
            EntryBody::Schedule { name, news, .. } => {
                let note = match news {
                    ScheduleEvent::Idle { .. } => Note::IdleSchedule,
                    ScheduleEvent::Broken { .. } => Note::BrokenSchedule,
                    ScheduleEvent::Made { .. }
                    | ScheduleEvent::Brought
                    | ScheduleEvent::Changed
                    | ScheduleEvent::Paused
                    | ScheduleEvent::Resumed
                    | ScheduleEvent::Deleted { .. }
                    | ScheduleEvent::Missed { .. } => Note::Schedule,
                };
                self.note(entry, note, &schedules::words::news(name, news))
            }
            EntryBody::Imported { name, notes } => {
                let text = format!("{name}\n\n{}", notes.join("\n"));
                self.note(entry, Note::Imported, text.trim_end())
            }
            EntryBody::ApprovalAsked { approval } => self.ask(entry, approval),
            EntryBody::ApprovalSettled { approval, settled } => self.settle_approval(approval, settled),
            EntryBody::DeviceWait { call, wait: DeviceWait::Begun { wanted, until }, .. } => {
                self.begin_wait(entry, call, wanted, *until)
            }
            EntryBody::DeviceWait { call, wait: DeviceWait::Ended { by }, .. } => {
                self.end_wait(call, by.as_deref())
            }
            EntryBody::Todo { list, .. } => {
                self.todo.clone_from(list);
                Vec::new()
            }
            EntryBody::Skin { .. } | EntryBody::State { .. } | EntryBody::Permission { .. } => Vec::new(),
        }
    }

    /// Puts the way to other branches before what they differ in.
    fn branch(&mut self, entry: &Entry) {
        let is_said = match &entry.body {
            EntryBody::Message {
                from:
                    Sender::Devices
                    | Sender::Todo
                    | Sender::Rating
                    | Sender::Context { .. }
                    | Sender::PageEmit { .. },
                ..
            } => return,
            EntryBody::Message { .. } => true,
            EntryBody::RunStarted { .. } => false,
            _ => return,
        };
        while self.branches.last().is_some_and(|point| point.at <= entry.seq) {
            let Some(point) = self.branches.pop() else { return };
            let item = Item {
                key: Key::Branches(point.at),
                seq: entry.seq,
                at: entry.at,
                body: Body::Branches { point, is_said },
                text: String::new(),
                attachments: Vec::new(),
                cut: Vec::new(),
            };
            let list = if self.run.is_some() { &mut self.waiting } else { &mut self.settled };
            list.push(item);
        }
    }
}

/// What stands in a notice. Those that the model reads stay as it reads them.
fn notice_words(kind: NoticeKind, text: &str) -> Cow<'_, str> {
    match kind {
        NoticeKind::NoSummary
        | NoticeKind::CutShort
        | NoticeKind::Limit
        | NoticeKind::GivenUp
        | NoticeKind::Fallback
        | NoticeKind::KeyWanted => language::sentence(text),
        // What calls brought follows in lines of its own.
        NoticeKind::Unanswered => match text.split_once('\n') {
            Some((head, lines)) => format!("{}\n{lines}", language::sentence(head)).into(),
            None => language::sentence(text),
        },
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
        | NoticeKind::Ambient
        | NoticeKind::Sources => Cow::Borrowed(text),
    }
}
