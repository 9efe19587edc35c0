//! The thread as signals: one for the order of rows, and for each item one for its text and one for
//! the rest, so that a word that arrives touches only the line it stands in.

use super::artifact;
use super::sources::Sources;
use super::thread::{Body, Change, Item, Key, Thread, branch_points};
use crate::prelude::*;
use protocol::agent::Home;
use protocol::approval::Approval;
use protocol::hub::HubFrame;
use protocol::log::{DeviceWanted, Driver, Entry};
use protocol::todo::TodoList;
use protocol::view::{AgentPage, Spent, Status, Today};
use protocol::{Attachment, ConversationId};
use std::collections::HashMap;

/// An item of the conversation, ready to be shown.
#[derive(Clone)]
pub struct RenderedItem {
    pub key: Key,
    /// The entry that it began with; 0 where it was streamed here.
    pub seq: u64,
    pub at: i64,
    pub body: ArcRwSignal<Body>,
    pub text: ArcRwSignal<String>,
    /// Files of a message.
    pub attachments: Vec<Attachment>,
    /// The entries of it that are cut off here.
    pub cut: Vec<u64>,
}

/// What stands on its own in the list.
#[derive(Clone)]
pub enum Row {
    One(RenderedItem),
    /// Thoughts and tool calls that follow each other.
    Steps {
        first: Key,
        steps: ArcRwSignal<Vec<RenderedItem>>,
    },
}

impl Row {
    pub fn key(&self) -> Key {
        match self {
            Self::One(shown) => shown.key.clone(),
            Self::Steps { first, .. } => first.clone(),
        }
    }
}

/// A conversation on the screen.
#[derive(Clone, Copy)]
pub struct Transcript {
    state: StoredValue<State>,
    pub rows: RwSignal<Vec<Row>>,
    pub status: RwSignal<Status>,
    /// Another conversation, in which the agent is at work.
    pub elsewhere: RwSignal<Option<ConversationId>>,
    /// Where the agent lives, and the tab that drives its run, if one does.
    pub home: RwSignal<Home>,
    pub driver: RwSignal<Option<Driver>>,
    pub spent: RwSignal<Spent>,
    /// Absent: the agent has no limit for a day.
    pub today: RwSignal<Option<Today>>,
    /// Tokens of the newest request.
    pub request_tokens: RwSignal<u64>,
    /// A run goes on, and no row shows it.
    pub is_quiet: RwSignal<bool>,
    /// A run goes on, or waits for the person.
    pub is_at_work: RwSignal<bool>,
    /// What waits for the person, the oldest first.
    pub open: RwSignal<Vec<Approval>>,
    /// What calls of the run wait for, the oldest first.
    pub wanted: RwSignal<Vec<DeviceWanted>>,
    /// What there is to do.
    pub todo: RwSignal<TodoList>,
    /// The notice that offers a retry.
    pub retry: RwSignal<Option<Key>>,
    /// The notice of an answer that was cut off, if nothing came after it.
    pub cut: RwSignal<Option<Key>>,
    /// The line that offers a repair of the page.
    pub repair: RwSignal<Option<Key>>,
    /// Where what is said here may come from.
    pub sources: RwSignal<Sources>,
    /// The entry that the rows begin with, if others come before.
    pub earlier: RwSignal<Option<u64>>,
}

#[derive(Default)]
struct State {
    thread: Thread,
    /// What the thread was made of, to make it anew with more of the past.
    entries: Vec<Entry>,
    shown: HashMap<Key, RenderedItem>,
    steps: HashMap<Key, ArcRwSignal<Vec<RenderedItem>>>,
}

impl Transcript {
    pub fn new(page: &AgentPage) -> Self {
        Self::of(Thread::of_page(page), page)
    }

    /// A part of the past.
    pub fn of_past(page: &AgentPage) -> Self {
        Self::of(Thread::of_past(page), page)
    }

    fn of(thread: Thread, page: &AgentPage) -> Self {
        let mut state = State { thread, entries: page.entries.clone(), ..State::default() };
        let rows = state.rows();
        Self {
            rows: RwSignal::new(rows),
            status: RwSignal::new(state.thread.status()),
            elsewhere: RwSignal::new(state.thread.elsewhere().cloned()),
            home: RwSignal::new(state.thread.home()),
            driver: RwSignal::new(state.thread.driver().cloned()),
            spent: RwSignal::new(state.thread.spent()),
            today: RwSignal::new(state.thread.today()),
            request_tokens: RwSignal::new(state.thread.request_tokens()),
            is_quiet: RwSignal::new(state.thread.is_quiet()),
            is_at_work: RwSignal::new(state.thread.is_at_work()),
            open: RwSignal::new(state.thread.open().cloned().collect()),
            wanted: RwSignal::new(state.thread.wanted().cloned().collect()),
            todo: RwSignal::new(state.thread.todo().clone()),
            retry: RwSignal::new(state.thread.retry().cloned()),
            cut: RwSignal::new(state.thread.cut().cloned()),
            repair: RwSignal::new(state.thread.repair().cloned()),
            sources: RwSignal::new(Sources::of(&page.entries)),
            earlier: RwSignal::new(page.earlier),
            state: StoredValue::new(state),
        }
    }

    /// The newest entry that is on the screen.
    pub fn seq(&self) -> u64 {
        self.state.with_value(|state| state.thread.seq())
    }

    /// Reads the entries that this was made of.
    pub fn with_entries<T>(&self, read: impl FnOnce(&[Entry]) -> T) -> T {
        self.state.with_value(|state| read(&state.entries))
    }

    /// The entry that an item began with, wherever it was streamed.
    pub fn entry_of(&self, key: &Key) -> Option<u64> {
        let find = |state: &State| state.thread.newest(key).map(|item| item.seq);
        self.state.with_value(find).filter(|seq| *seq > 0)
    }

    /// Takes in a page that ends where this begins.
    pub fn reach_back(&self, page: &AgentPage) {
        let rows = self.state.try_update_value(|state| {
            state.reach_back(page);
            state.rows()
        });
        if let Some(rows) = rows {
            self.rows.set(rows);
            self.earlier.set(page.earlier);
            self.state.with_value(|state| set_if_other(self.sources, Sources::of(&state.entries)));
        }
    }

    /// Lets go of what stands far above the end, if that has become much. It comes again as what came before the page does.
    pub fn let_go(&self) {
        let stays = self.state.try_update_value(|state| {
            let first = state.let_go()?;
            Some((state.rows(), first))
        });
        if let Some((rows, first)) = stays.flatten() {
            self.rows.set(rows);
            self.earlier.set(Some(first));
        }
    }

    pub fn take(&self, frame: &HubFrame) {
        if let HubFrame::Entry { entry } = frame
            && self.state.with_value(|state| !state.thread.is_elsewhere(entry))
        {
            self.sources.maybe_update(|sources| sources.take(entry));
        }
        let rows = self.state.try_update_value(|state| {
            state.keep(frame);
            let changes = state.thread.take(frame);
            for change in &changes {
                state.show(change);
            }
            changes.contains(&Change::Order).then(|| state.rows())
        });
        if let Some(Some(rows)) = rows {
            self.rows.set(rows);
        }
        self.state.with_value(|state| {
            set_if_other(self.status, state.thread.status());
            set_if_other(self.elsewhere, state.thread.elsewhere().cloned());
            set_if_other(self.home, state.thread.home());
            set_if_other(self.driver, state.thread.driver().cloned());
            set_if_other(self.spent, state.thread.spent());
            set_if_other(self.today, state.thread.today());
            set_if_other(self.request_tokens, state.thread.request_tokens());
            set_if_other(self.is_quiet, state.thread.is_quiet());
            set_if_other(self.is_at_work, state.thread.is_at_work());
            set_if_other(self.open, state.thread.open().cloned().collect());
            set_if_other(self.wanted, state.thread.wanted().cloned().collect());
            if self.todo.with_untracked(|shown| shown != state.thread.todo()) {
                self.todo.set(state.thread.todo().clone());
            }
            set_if_other(self.retry, state.thread.retry().cloned());
            set_if_other(self.cut, state.thread.cut().cloned());
            set_if_other(self.repair, state.thread.repair().cloned());
        });
    }
}

impl State {
    fn keep(&mut self, frame: &HubFrame) {
        if let HubFrame::Entry { entry } = frame
            && entry.seq > self.thread.seq()
            && !self.thread.is_elsewhere(entry)
        {
            self.entries.push(entry.clone());
        }
    }

    fn reach_back(&mut self, page: &AgentPage) {
        self.entries.extend(page.entries.iter().cloned());
        self.entries.sort_by_key(|entry| entry.seq);
        self.entries.dedup_by_key(|entry| entry.seq);
        self.thread = self.thread.reaching_back(&self.entries, &page.cut, branch_points(page));
        self.update_shown();
    }

    /// Gives the first entry that stays.
    fn let_go(&mut self) -> Option<u64> {
        let first = self.thread.first_to_stay(&self.entries)?;
        self.entries.retain(|entry| entry.seq >= first);
        self.thread = self.thread.beginning_with(&self.entries);
        self.update_shown();
        Some(first)
    }

    fn update_shown(&self) {
        for item in self.thread.items() {
            if let Some(shown) = self.shown.get(&item.key) {
                shown.update(item);
            }
        }
    }

    fn show(&self, change: &Change) {
        match change {
            Change::Order => {}
            Change::Item(key) => {
                let Some(shown) = self.shown.get(key) else { return };
                if let Some(item) = self.thread.newest(key) {
                    shown.update(item);
                }
            }
            Change::Grew { key, text } => {
                if let Some(shown) = self.shown.get(key) {
                    shown.text.update(|whole| whole.push_str(text));
                }
            }
        }
    }

    fn rows(&mut self) -> Vec<Row> {
        let mut shown = HashMap::with_capacity(self.shown.len());
        let mut rows: Vec<Row> = Vec::new();
        let mut group: Vec<RenderedItem> = Vec::new();
        let mut steps = HashMap::new();
        for item in self.thread.items() {
            let one = self.shown.get(&item.key).cloned().unwrap_or_else(|| RenderedItem::new(item));
            shown.insert(item.key.clone(), one.clone());
            match item.body {
                Body::Tool { ref name, .. } if name == artifact::TOOL => {
                    rows.extend(self.close(&mut group, &mut steps));
                    rows.push(Row::One(one));
                }
                Body::Reasoning { .. } | Body::Tool { .. } | Body::Note(_) => group.push(one),
                Body::Message(_)
                | Body::Text { .. }
                | Body::CutOff(_)
                | Body::Ended { .. }
                | Body::PageErrors
                | Body::Device { .. }
                | Body::Branches { .. }
                | Body::Approval { .. } => {
                    rows.extend(self.close(&mut group, &mut steps));
                    rows.push(Row::One(one));
                }
            }
        }
        rows.extend(self.close(&mut group, &mut steps));
        (self.shown, self.steps) = (shown, steps);
        rows
    }

    /// The steps collected so far as a row, told only if there are others than before.
    fn close(
        &self,
        group: &mut Vec<RenderedItem>,
        steps: &mut HashMap<Key, ArcRwSignal<Vec<RenderedItem>>>,
    ) -> Option<Row> {
        let first = group.first()?.key.clone();
        let group = std::mem::take(group);
        let signal = match self.steps.get(&first) {
            Some(signal) => {
                let is_same =
                    signal.with_untracked(|old| old.iter().map(|s| &s.key).eq(group.iter().map(|s| &s.key)));
                if !is_same {
                    signal.set(group);
                }
                signal.clone()
            }
            None => ArcRwSignal::new(group),
        };
        steps.insert(first.clone(), signal.clone());
        Some(Row::Steps { first, steps: signal })
    }
}

impl RenderedItem {
    fn new(item: &Item) -> Self {
        Self {
            key: item.key.clone(),
            seq: item.seq,
            at: item.at,
            body: ArcRwSignal::new(item.body.clone()),
            text: ArcRwSignal::new(item.text.clone()),
            attachments: item.attachments.clone(),
            cut: item.cut.clone(),
        }
    }

    fn update(&self, item: &Item) {
        if self.body.with_untracked(|body| *body != item.body) {
            self.body.set(item.body.clone());
        }
        if self.text.with_untracked(|text| *text != item.text) {
            self.text.set(item.text.clone());
        }
    }
}

fn set_if_other<T: PartialEq + Send + Sync + 'static>(signal: RwSignal<T>, value: T) {
    if signal.with_untracked(|old| *old != value) {
        signal.set(value);
    }
}
