//! Results of tools that are given again within a run, as long as nothing wrote what they read: in memory, for as
//! long as the tool declares. Few are kept, so they are simply looked through.

use super::Caller;
use crate::clock::Moment;
use crate::log::Observer;
use agent::tools::access::Resource;
use agent::tools::{Cache, ResolvedCall, Signature};
use protocol::log::{AgentEvent, Class, Entry, RunEvent};
use protocol::{AgentId, RunId, UserId};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Results of all tools together, and their bytes.
const MAX_RESULTS: usize = 512;
const MAX_RESULT_BYTES: usize = 16 * 1024 * 1024;

#[derive(Default)]
pub(super) struct Results(Mutex<State>);

#[derive(Default)]
struct State {
    kept: Vec<CachedResult>,
    /// Calls under way whose result will be kept, unless something writes what they read.
    readings: Vec<(u64, Read)>,
    /// Counts what was done: larger is later.
    ticks: u64,
}

/// A call that may be answered by what an earlier one brought.
#[derive(Clone)]
pub(super) struct Read {
    person: UserId,
    agent: AgentId,
    run: RunId,
    call: ResolvedCall,
    cache: Cache,
    signature: Signature,
}

struct CachedResult {
    read: Read,
    content: String,
    until: Moment,
    used: u64,
}

pub(super) enum CacheLookup<'a> {
    Content(String),
    Not(PendingRead<'a>),
}

/// A call that is about to be made, to keep what comes of it.
pub(super) struct PendingRead<'a> {
    results: &'a Results,
    id: u64,
}

impl Read {
    /// `None` if the tool's results are not kept.
    pub(super) fn of(caller: &Caller<'_>, call: &ResolvedCall) -> Option<Self> {
        let cache = call.tool()?.cache.filter(|_| call.is_read_only())?;
        let run = caller.run()?.clone();
        let (person, agent, signature) = (caller.owner.clone(), caller.agent.clone(), call.signature());
        Some(Self { person, agent, run, call: call.clone(), cache, signature })
    }

    fn is_same_shelf(&self, other: &Self) -> bool {
        self.call.name() == other.call.name() && self.run == other.run
    }
}

impl Observer for Results {
    fn committed(&self, entries: &[Entry]) {
        let mut state = self.state();
        if state.is_empty() {
            return;
        }
        for entry in entries {
            state.wrote(&entry.agent, Resource::Log, None);
            match entry.body.class() {
                Class::Agent(AgentEvent::State { key, .. }) => {
                    state.wrote(&entry.agent, Resource::State, Some(key));
                }
                Class::Agent(AgentEvent::Skin { .. }) => state.wrote(&entry.agent, Resource::Page, None),
                Class::Agent(AgentEvent::ToolCreated | AgentEvent::ToolDeleted { .. }) => {
                    state.wrote(&entry.agent, Resource::Tools, None);
                }
                Class::Run(RunEvent::Finished { .. }) => {
                    state.forget(|read| entry.run.as_ref() == Some(&read.run));
                }
                Class::Agent(
                    AgentEvent::Imported
                    | AgentEvent::Permission
                    | AgentEvent::PageErrors
                    | AgentEvent::Schedule
                    | AgentEvent::Todo,
                )
                | Class::Run(RunEvent::Started { .. } | RunEvent::Moved)
                | Class::Said { .. }
                | Class::Reply(_)
                | Class::Call(_)
                | Class::Loop(_)
                | Class::Compaction(_)
                | Class::HubNotice { .. }
                | Class::Used { .. } => {}
            }
        }
    }
}

impl Results {
    pub(super) fn look_up(&self, read: Read, now: Moment) -> CacheLookup<'_> {
        let mut state = self.state();
        state.ticks += 1;
        let tick = state.ticks;
        let known = state.kept.iter_mut().find(|kept| {
            kept.read.signature == read.signature && kept.read.run == read.run && now < kept.until
        });
        if let Some(kept) = known {
            kept.used = tick;
            return CacheLookup::Content(kept.content.clone());
        }
        state.readings.push((tick, read));
        CacheLookup::Not(PendingRead { results: self, id: tick })
    }

    /// A call that may have changed something was made.
    pub(super) fn called(&self, agent: &AgentId, call: &ResolvedCall) {
        self.state().forget(|read| read.agent == *agent && call.may_change(&read.call));
    }

    /// Something was written that leaves no entry. Without a `part` it was the whole resource.
    pub(super) fn wrote(&self, agent: &AgentId, of: Resource, part: Option<&str>) {
        self.state().wrote(agent, of, part);
    }

    pub(super) fn forget_all(&self) {
        self.state().forget(|_| true);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PendingRead<'_> {
    /// Keeps the result of a call that went well, if nothing wrote what it read in the meantime.
    pub(super) fn keep(self, content: &str, now: Moment) {
        let mut state = self.results.state();
        let Some(at) = state.readings.iter().position(|(id, _)| *id == self.id) else { return };
        let (_, read) = state.readings.swap_remove(at);
        if content.len() <= super::RESULT {
            state.keep(read, content.to_owned(), now);
        }
    }
}

impl Drop for PendingRead<'_> {
    fn drop(&mut self) {
        self.results.state().readings.retain(|(id, _)| *id != self.id);
    }
}

impl State {
    fn is_empty(&self) -> bool {
        self.kept.is_empty() && self.readings.is_empty()
    }

    fn wrote(&mut self, agent: &AgentId, of: Resource, part: Option<&str>) {
        self.forget(|read| read.agent == *agent && read.call.reads(of, part));
    }

    fn forget(&mut self, is_stale: impl Fn(&Read) -> bool) {
        self.kept.retain(|kept| !is_stale(&kept.read));
        self.readings.retain(|(_, read)| !is_stale(read));
    }

    fn keep(&mut self, read: Read, content: String, now: Moment) {
        let Ok(ttl) = i64::try_from(read.cache.ttl_ms) else { return };
        self.kept.retain(|kept| {
            let is_same = kept.read.signature == read.signature && kept.read.run == read.run;
            now < kept.until && !is_same
        });
        let shelf = |kept: &CachedResult| kept.read.is_same_shelf(&read);
        while self.kept.iter().filter(|kept| shelf(kept)).count() >= read.cache.entries.max(1) {
            self.drop_oldest(shelf);
        }
        while self.kept.len() >= MAX_RESULTS || self.bytes() + content.len() > MAX_RESULT_BYTES {
            let Some(greedy) = self.greediest() else { break };
            self.drop_oldest(|kept| kept.read.person == greedy);
        }
        self.ticks += 1;
        self.kept.push(CachedResult { read, content, until: now.plus_ms(ttl), used: self.ticks });
    }

    /// Drops the one of these that was unused for longest.
    fn drop_oldest(&mut self, of: impl Fn(&CachedResult) -> bool) {
        let some = self.kept.iter().enumerate().filter(|(_, kept)| of(kept));
        if let Some((at, _)) = some.min_by_key(|(_, kept)| kept.used) {
            self.kept.swap_remove(at);
        }
    }

    /// Whose results take most room: those make room for others.
    fn greediest(&self) -> Option<UserId> {
        let mut room: HashMap<&UserId, usize> = HashMap::new();
        for kept in &self.kept {
            *room.entry(&kept.read.person).or_default() +=
                kept.content.len() + MAX_RESULT_BYTES / MAX_RESULTS;
        }
        room.into_iter().max_by_key(|(_, bytes)| *bytes).map(|(person, _)| person.clone())
    }

    fn bytes(&self) -> usize {
        self.kept.iter().map(|kept| kept.content.len()).sum()
    }
}

#[cfg(test)]
mod tests;
