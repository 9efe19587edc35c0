//! Results of tools that are given again, as long as nothing wrote what they read: in memory, for as
//! long and for whom the tool declares. Few are kept, so they are simply looked through.

use super::Caller;
use agent::tools::access::{self, Resource};
use agent::tools::{self, Cache, Scope, Signature, Tool};
use protocol::log::{Entry, EntryBody};
use protocol::model::ToolCall;
use protocol::{AgentId, RunId, UserId};
use serde_json::Value;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Results of all tools together, and their bytes.
const MOST: usize = 512;
const BYTES: usize = 16 * 1024 * 1024;

#[derive(Default)]
pub(crate) struct Results(Mutex<State>);

#[derive(Default)]
struct State {
    kept: Vec<Kept>,
    /// Calls under way whose result will be kept, unless something writes what they read.
    readings: Vec<(u64, Read)>,
    /// Counts what was done: larger is later.
    ticks: u64,
}

/// A call that may be answered by what an earlier one brought.
#[derive(Clone)]
pub(super) struct Read {
    agent: AgentId,
    whose: Whose,
    tool: &'static Tool,
    cache: Cache,
    input: Value,
    signature: Signature,
}

/// Who may be given a result again.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Whose {
    Run(RunId),
    Agent(AgentId),
    Person(UserId),
}

struct Kept {
    read: Read,
    content: String,
    until: i64,
    used: u64,
}

pub(super) enum Known<'a> {
    Content(String),
    Not(Reading<'a>),
}

/// A call that is about to be made, to keep what comes of it.
pub(super) struct Reading<'a> {
    results: &'a Results,
    id: u64,
}

impl Read {
    /// `None` if the tool's results are not kept. `call` has the tool's own name.
    pub(super) fn of(caller: &Caller<'_>, call: &ToolCall) -> Option<Self> {
        let tool = tools::find(&call.name)?;
        let cache = tool.cache.filter(|_| access::is_read_only(Some(tool), &call.input))?;
        let whose = match cache.scope {
            Scope::Run => Whose::Run(caller.run()?.clone()),
            Scope::Agent => Whose::Agent(caller.agent.clone()),
            Scope::Person => Whose::Person(caller.owner.clone()),
        };
        let (agent, input) = (caller.agent.clone(), call.input.clone());
        Some(Self { agent, whose, tool, cache, input, signature: Signature::of(call) })
    }

    /// What a person's agents share may be about any of them.
    fn is_about(&self, agent: &AgentId) -> bool {
        self.agent == *agent || matches!(self.whose, Whose::Person(_))
    }

    fn is_same_shelf(&self, other: &Self) -> bool {
        self.tool.name == other.tool.name && self.whose == other.whose
    }
}

impl Results {
    pub(super) fn look_up(&self, read: Read, now: i64) -> Known<'_> {
        let mut state = self.state();
        state.ticks += 1;
        let tick = state.ticks;
        let known = state.kept.iter_mut().find(|kept| {
            kept.read.signature == read.signature && kept.read.whose == read.whose && now < kept.until
        });
        if let Some(kept) = known {
            kept.used = tick;
            return Known::Content(kept.content.clone());
        }
        state.readings.push((tick, read));
        Known::Not(Reading { results: self, id: tick })
    }

    /// A call that may have changed something was made.
    pub(super) fn called(&self, agent: &AgentId, tool: Option<&Tool>, input: &Value) {
        self.state().forget(|read| {
            read.is_about(agent) && access::changes((tool, input), (Some(read.tool), &read.input))
        });
    }

    /// These entries were committed.
    pub(crate) fn appended(&self, entries: &[Entry]) {
        let mut state = self.state();
        if state.is_empty() {
            return;
        }
        for entry in entries {
            state.wrote(&entry.agent, Resource::Log, None);
            match &entry.body {
                EntryBody::State { key, .. } => state.wrote(&entry.agent, Resource::State, Some(key)),
                EntryBody::Skin { .. } => state.wrote(&entry.agent, Resource::Page, None),
                EntryBody::ToolCreated { .. } | EntryBody::ToolDeleted { .. } => {
                    state.wrote(&entry.agent, Resource::Tools, None);
                }
                EntryBody::RunFinished { .. } => {
                    state.forget(
                        |read| matches!(&read.whose, Whose::Run(run) if entry.run.as_ref() == Some(run)),
                    );
                }
                EntryBody::Message { .. }
                | EntryBody::RunStarted { .. }
                | EntryBody::Block { .. }
                | EntryBody::TurnFinished { .. }
                | EntryBody::ToolStarted { .. }
                | EntryBody::ToolFinished { .. }
                | EntryBody::NotRun { .. }
                | EntryBody::Notice { .. }
                | EntryBody::Steered { .. }
                | EntryBody::Retrying { .. }
                | EntryBody::Digested { .. }
                | EntryBody::Clipped { .. }
                | EntryBody::Summary { .. }
                | EntryBody::Used { .. }
                | EntryBody::Permission { .. }
                | EntryBody::DeviceWait { .. }
                | EntryBody::ApprovalAsked { .. }
                | EntryBody::ApprovalSettled { .. }
                | EntryBody::Moved { .. }
                | EntryBody::Imported { .. }
                | EntryBody::Schedule { .. }
                | EntryBody::PageErrors { .. } => {}
            }
        }
    }

    /// Something was written that leaves no entry. Without a `part` it was the whole resource.
    pub(crate) fn wrote(&self, agent: &AgentId, of: Resource, part: Option<&str>) {
        self.state().wrote(agent, of, part);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reading<'_> {
    /// Keeps the result of a call that went well, if nothing wrote what it read in the meantime.
    pub(super) fn keep(self, content: &str, now: i64) {
        let mut state = self.results.state();
        let Some(at) = state.readings.iter().position(|(id, _)| *id == self.id) else { return };
        let (_, read) = state.readings.swap_remove(at);
        if content.len() <= super::RESULT {
            state.keep(read, content.to_owned(), now);
        }
    }
}

impl Drop for Reading<'_> {
    fn drop(&mut self) {
        self.results.state().readings.retain(|(id, _)| *id != self.id);
    }
}

impl State {
    fn is_empty(&self) -> bool {
        self.kept.is_empty() && self.readings.is_empty()
    }

    fn wrote(&mut self, agent: &AgentId, of: Resource, part: Option<&str>) {
        self.forget(|read| read.is_about(agent) && access::reads(read.tool, &read.input, of, part));
    }

    fn forget(&mut self, is_stale: impl Fn(&Read) -> bool) {
        self.kept.retain(|kept| !is_stale(&kept.read));
        self.readings.retain(|(_, read)| !is_stale(read));
    }

    fn keep(&mut self, read: Read, content: String, now: i64) {
        let Ok(ttl) = i64::try_from(read.cache.ttl_ms) else { return };
        self.kept.retain(|kept| {
            let is_same = kept.read.signature == read.signature && kept.read.whose == read.whose;
            now < kept.until && !is_same
        });
        let shelf = |kept: &Kept| kept.read.is_same_shelf(&read);
        while self.kept.iter().filter(|kept| shelf(kept)).count() >= read.cache.entries.max(1) {
            self.drop_oldest(shelf);
        }
        while self.kept.len() >= MOST || self.bytes() + content.len() > BYTES {
            self.drop_oldest(|_| true);
        }
        self.ticks += 1;
        self.kept.push(Kept { read, content, until: now.saturating_add(ttl), used: self.ticks });
    }

    /// Drops the one of these that was unused for longest.
    fn drop_oldest(&mut self, of: impl Fn(&Kept) -> bool) {
        let some = self.kept.iter().enumerate().filter(|(_, kept)| of(kept));
        if let Some((at, _)) = some.min_by_key(|(_, kept)| kept.used) {
            self.kept.swap_remove(at);
        }
    }

    fn bytes(&self) -> usize {
        self.kept.iter().map(|kept| kept.content.len()).sum()
    }
}

#[cfg(test)]
mod tests;
