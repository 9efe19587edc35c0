//! The conversation as its entries make it: a list of items in the order in which they were
//! committed, and behind them the blocks that are still being streamed. No signals, no browser.

mod calls;
mod elsewhere;
mod fold;
mod item;
mod let_go;
mod read;
mod run;
mod settle;
mod streaming;
#[cfg(test)]
mod tests;
mod waits;

pub use item::{Body, Change, DeviceWaitEnd, Item, Key, Note, Progress, input_text};

use protocol::agent::Home;
use protocol::log::{Driver, Entry};
use protocol::todo::TodoList;
use protocol::view::{AgentPage, BranchPoint, Spent, Status, Today};
use protocol::{CallId, ConversationId, RunId};
use std::collections::{BTreeSet, HashMap};
use streaming::Streaming;

/// Folds entries and live frames. Entries count once, in whatever batches they come.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Thread {
    /// The newest entry that is folded in.
    seq: u64,
    /// Absent: entries of any.
    conversation: Option<ConversationId>,
    /// Another one, in which the agent is at work.
    elsewhere: Option<ConversationId>,
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
    /// What there is to do.
    todo: TodoList,
    /// Where in `settled` what waits for the person is.
    open: Vec<usize>,
    /// Where in `settled` calls that wait for a device are.
    waits: Vec<usize>,
    status: Status,
    spent: Spent,
    today: Option<Today>,
    /// Tokens of the newest request.
    request: u64,
    /// Entries of which long texts are cut off.
    cut: BTreeSet<u64>,
    /// Places that are still to come from which on there are several branches, the first one last.
    branches: Vec<BranchPoint>,
}

impl Thread {
    pub fn of_page(page: &AgentPage) -> Self {
        let mut thread =
            Self::of_entries(&page.entries, page.cut.iter().copied().collect(), branch_points(page));
        thread.seq = thread.seq.max(page.seq);
        thread.conversation = Some(page.conversation.id.clone());
        thread.elsewhere = page.elsewhere.as_ref().map(|other| other.id.clone());
        thread.home = page.agent.home;
        thread.status = page.card.status;
        thread.spent = page.card.spent;
        thread.today = page.card.today;
        thread
    }

    fn of_entries(entries: &[Entry], cut: BTreeSet<u64>, branches: Vec<BranchPoint>) -> Self {
        let mut thread = Self { cut, branches, ..Self::default() };
        for entry in entries {
            thread.take_entry(entry);
        }
        thread
    }

    /// The same conversation, of which more of the past is known: of these entries, `cut` among them.
    pub fn reaching_back(&self, entries: &[Entry], cut: &[u64], branches: Vec<BranchPoint>) -> Self {
        let cut = self.cut.iter().chain(cut).copied().collect();
        let mut thread = Self::of_entries(entries, cut, branches);
        thread.streaming = self.streaming.clone();
        if let Some(turn) = thread.streaming.turn() {
            thread.settle_read(turn);
        }
        Self {
            seq: self.seq,
            conversation: self.conversation.clone(),
            elsewhere: self.elsewhere.clone(),
            home: self.home,
            driver: self.driver.clone(),
            status: self.status,
            spent: self.spent,
            today: self.today,
            request: self.request,
            todo: self.todo.clone(),
            ..thread
        }
    }

    /// A part of the past, in which nothing goes on and nothing waits.
    pub fn of_past(page: &AgentPage) -> Self {
        Self {
            home: page.agent.home,
            ..Self::of_entries(&page.entries, page.cut.iter().copied().collect(), branch_points(page)).past()
        }
    }

    fn past(&self) -> Self {
        Self {
            run: None,
            retry: None,
            repair: None,
            open: Vec::new(),
            waits: Vec::new(),
            todo: TodoList::default(),
            status: Status::Idle,
            ..self.clone()
        }
    }
}

/// Where what the page shows, or what comes after it, has several branches.
pub fn branch_points(page: &AgentPage) -> Vec<BranchPoint> {
    let is_shown = |point: &&BranchPoint| page.earlier.is_none_or(|first| point.at >= first);
    page.branches.iter().filter(is_shown).rev().cloned().collect()
}
