//! What is live: tabs, what they follow, and the blocks that are being streamed. Nothing here is
//! durable; whoever falls behind reads the log again.

mod catch_up;
mod choice;
mod page_calls;
mod page_writes;
mod partial;
mod presence;
mod tab;
mod tab_call;
mod telling;
mod words;

use page_writes::PageBytes;
pub(crate) use presence::Presence;
use tab::{Event, Outgoing, TabAbilities};
pub use tab::{Frame, Tab};
pub(crate) use tab::{TabKey, TabLink};
pub(crate) use tab_call::{TabAnswer, TabCallError, TabCommand};
pub(crate) use words::tail_of;

use crate::Hub;
use crate::access::Viewer;
use crate::clock::Moment;
use crate::log::Observer;
use bytes::Bytes;
use choice::Candidate;
use partial::{Partial, Telling};
use presence::Departures;
use protocol::agent::Ability;
use protocol::hub::{CallProgress, HubFrame};
use protocol::log::{CallEvent, Class, Entry, ReplyEvent, RunEvent};
use protocol::model::BlockKind;
use protocol::{AgentId, CallId, ConversationId, DeviceId, RunId, TabId, UserId};
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tab_call::TabCalls;
use tokio::sync::watch;
use words::LastWords;

impl Hub {
    pub(crate) fn live(&self) -> &Live {
        &self.0.live
    }

    /// Shows a piece of the block of a reply that is being streamed: with those that come soon behind it, unless it is the
    /// first one for a while.
    pub(crate) fn show_piece(&self, agent: &AgentId, index: u32, text: &str) {
        let Some(at) = self.live().grow_block(agent, index, text, self.moment()) else { return };
        let (hub, agent) = (self.clone(), agent.clone());
        self.tasks().spawn(async move {
            tokio::select! {
                biased;
                () = hub.tasks().closing() => {}
                () = hub.clock().until(at) => {}
            }
            hub.live().tell_due(&agent, at);
        });
    }
}

#[derive(Default)]
pub(crate) struct Live {
    state: Mutex<State>,
    tab_calls: TabCalls,
    next_key: AtomicU64,
    /// Devices that stopped showing a page a moment ago.
    left: Departures,
    /// Counts what may change which tab performs a call.
    changes: watch::Sender<u64>,
    /// Orders what tabs did: larger is later.
    activity: AtomicU64,
    page_bytes: PageBytes,
    /// Events encoded so far; a test holds it to one for each event.
    encoded: AtomicU64,
}

#[derive(Default)]
struct State {
    tabs: HashMap<TabKey, Arc<TabLink>>,
    feeds: HashMap<AgentId, Feed>,
}

#[derive(Default)]
struct Feed {
    followers: HashSet<TabKey>,
    partial: Option<Partial>,
    /// How far calls under way are.
    calls: HashMap<CallId, HubFrame>,
    last_words: Option<LastWords>,
}

impl Observer for Live {
    fn committed(&self, entries: &[Entry]) {
        entries.iter().for_each(|entry| self.publish(entry));
    }
}

impl Live {
    pub(crate) fn open_tab(&self, id: TabId, viewer: &Viewer) -> (Arc<TabLink>, tab::Queue) {
        let key = TabKey(self.next_key.fetch_add(1, Ordering::Relaxed));
        let (link, queue) = TabLink::new(key, id, viewer, self.next_activity());
        let link = Arc::new(link);
        self.state().tabs.insert(key, Arc::clone(&link));
        (link, queue)
    }

    /// How many are connected.
    pub(crate) fn tabs(&self) -> u64 {
        self.state().tabs.len() as u64
    }

    pub(crate) fn close_tab(&self, key: TabKey, now: Moment) {
        let mut state = self.state();
        let closed = state.tabs.remove(&key);
        state.feeds.retain(|_, feed| {
            feed.followers.remove(&key);
            let is_at_work = feed.partial.is_some() || !feed.calls.is_empty() || feed.last_words.is_some();
            is_at_work || !feed.followers.is_empty()
        });
        drop(state);
        self.tab_calls.forget_tab(key);
        if let Some(closed) = closed {
            closed.calls.give_up();
            self.stopped_showing(&closed, None, now);
        }
        self.changed();
    }

    /// The person did something in a tab, which shows this agent's page.
    pub(crate) fn set_active(&self, tab: &TabLink, showing: Option<AgentId>, now: Moment) {
        self.stopped_showing(tab, showing.as_ref(), now);
        tab.set_active(showing, self.next_activity());
        self.changed();
    }

    pub(crate) fn set_able(&self, tab: &TabLink, abilities: Vec<Ability>, visible: bool) {
        tab.set_able(abilities, visible);
        self.changed();
    }

    fn stopped_showing(&self, tab: &TabLink, next: Option<&AgentId>, now: Moment) {
        if let Some(agent) = tab.showing().filter(|agent| Some(agent) != next) {
            self.left.note(agent, tab.device.clone(), tab.able().abilities, now);
        }
    }

    /// Says whenever another tab may perform a call than before.
    pub(crate) fn watch(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    fn changed(&self) {
        self.changes.send_modify(|count| *count = count.wrapping_add(1));
    }

    /// The tabs that a person has open.
    pub(crate) fn tabs_of(&self, person: &UserId) -> Vec<Arc<TabLink>> {
        let state = self.state();
        let own = state.tabs.values().filter(|tab| tab.user == *person && !tab.is_gone_for_good());
        own.cloned().collect()
    }

    /// Closes the sockets of a device that was signed out.
    pub(crate) fn end_device(&self, device: &DeviceId) {
        self.end_tabs(|tab| tab.device.as_ref() == Some(device));
    }

    /// Closes every socket of a personal token that was revoked.
    pub(crate) fn end_token(&self, token: &protocol::TokenId) {
        self.end_tabs(|tab| tab.token.as_ref() == Some(token));
    }

    /// Closes every socket of a person.
    pub(crate) fn end_person(&self, person: &UserId) {
        self.end_tabs(|tab| tab.user == *person);
    }

    /// Closes the sockets of all devices of a person. Their tokens go on.
    pub(crate) fn end_devices_of(&self, person: &UserId) {
        self.end_tabs(|tab| tab.user == *person && tab.device.is_some());
    }

    /// Closes every socket of a person, who connects anew: another node serves them.
    pub(crate) fn send_away(&self, person: &UserId) {
        self.state().tabs.values().filter(|tab| tab.user == *person).for_each(|tab| tab.close());
    }

    /// Closes every socket but those that follow one of these agents and those of these tabs: the hub is
    /// about to stop.
    pub(crate) fn end_all_but(&self, agents: &HashSet<AgentId>, tabs: &HashSet<TabKey>) {
        let state = self.state();
        let follows = |key: &TabKey| {
            agents.iter().filter_map(|agent| state.feeds.get(agent)).any(|feed| feed.followers.contains(key))
        };
        for (_, tab) in state.tabs.iter().filter(|(key, _)| !tabs.contains(key) && !follows(key)) {
            tab.close();
        }
    }

    /// Returns when no tab is left.
    pub(crate) async fn emptied(&self) {
        let mut changes = self.watch();
        while !self.state().tabs.is_empty() && changes.changed().await.is_ok() {}
    }

    /// All that are connected.
    pub(crate) fn tab_keys(&self) -> HashSet<TabKey> {
        self.state().tabs.keys().copied().collect()
    }

    /// Closes those of these sockets whose person this is said of, and whose device or token is none of these.
    pub(crate) fn end_without_session(
        &self,
        among: &HashSet<TabKey>,
        is_known: impl Fn(&UserId) -> bool,
        devices: &HashSet<DeviceId>,
        tokens: &HashSet<protocol::TokenId>,
    ) {
        self.end_tabs(|tab| {
            let is_gone = tab.device.as_ref().is_some_and(|device| !devices.contains(device))
                || tab.token.as_ref().is_some_and(|token| !tokens.contains(token));
            is_gone && among.contains(&tab.key) && is_known(&tab.user)
        });
    }

    fn end_tabs(&self, which: impl Fn(&TabLink) -> bool) {
        let ended: Vec<_> = self.state().tabs.values().filter(|tab| which(tab)).cloned().collect();
        for tab in ended {
            tab.sign_out();
        }
    }

    pub(crate) fn follow(&self, key: TabKey, agent: &AgentId) {
        self.state().feeds.entry(agent.clone()).or_default().followers.insert(key);
        self.changed();
    }

    pub(crate) fn unfollow(&self, key: TabKey, agent: &AgentId) {
        if let Some(feed) = self.state().feeds.get_mut(agent) {
            feed.followers.remove(&key);
        }
    }

    /// The blocks being streamed and how far calls are, for a tab that joins late.
    pub(crate) fn partials(&self, agent: &AgentId) -> Vec<HubFrame> {
        let state = self.state();
        let Some(feed) = state.feeds.get(agent) else { return Vec::new() };
        let mut frames = feed.partial.as_ref().map_or_else(Vec::new, |partial| partial.frames(agent));
        frames.extend(feed.calls.values().cloned());
        frames
    }

    pub(crate) fn tab(&self, key: TabKey) -> Option<Arc<TabLink>> {
        self.state().tabs.get(&key).cloned()
    }

    /// A live tab of this person by its own id.
    pub(crate) fn tab_named(&self, id: &TabId, viewer: &Viewer) -> Option<TabKey> {
        self.state().tabs.values().find(|tab| tab.id == *id && tab.user == viewer.me.id).map(|tab| tab.key)
    }

    /// The tab that calls to this agent's page go to first.
    pub(crate) fn stage(&self, agent: &AgentId) -> Option<Arc<TabLink>> {
        self.pages(agent, None).into_iter().next()
    }

    /// The tabs that show this agent's page and have the ability, if one is needed: in the order in
    /// which calls go to them. One that does not follow the agent would not know which version of the
    /// page it is asked to change.
    pub(crate) fn pages(&self, agent: &AgentId, needs: Option<Ability>) -> Vec<Arc<TabLink>> {
        let state = self.state();
        let Some(feed) = state.feeds.get(agent) else { return Vec::new() };
        let following = feed.followers.iter().filter_map(|key| state.tabs.get(key));
        let tabs: Vec<_> =
            following.filter(|tab| tab.shows(agent) && !tab.is_gone_for_good()).cloned().collect();
        drop(state);
        let candidates = tabs.into_iter().map(|tab| {
            let TabAbilities { abilities, visible } = tab.able();
            Candidate { abilities, active_at: tab.active_at(), visible, tab }
        });
        choice::in_order(candidates, needs)
    }

    /// Whether the person sees this agent in some tab, on whatever device.
    pub(crate) fn is_looked_at(&self, person: &UserId, agent: &AgentId) -> bool {
        let state = self.state();
        state.tabs.values().any(|tab| tab.user == *person && tab.shows(agent) && tab.able().visible)
    }

    fn next_activity(&self) -> u64 {
        self.activity.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Sends a committed entry to everyone who follows the agent.
    pub(crate) fn publish(&self, entry: &Entry) {
        let mut state = self.state();
        // Whoever has the pieces of a block may take nothing else from its entry.
        self.tell_rest(&mut state, &entry.agent);
        let Some(feed) = state.feeds.get_mut(&entry.agent) else { return };
        match entry.body.class() {
            Class::Reply(ReplyEvent::Block { turn, index, block }) => {
                if let Some(partial) = &mut feed.partial {
                    partial.finish(turn, index);
                }
                if let Some(words) = LastWords::of(entry, block) {
                    feed.last_words = Some(words);
                }
            }
            Class::Reply(ReplyEvent::Finished { .. } | ReplyEvent::Retrying { .. }) => feed.partial = None,
            Class::Run(RunEvent::Finished { .. }) => {
                feed.partial = None;
                feed.calls.clear();
                feed.last_words = None;
            }
            Class::Call(CallEvent::Finished { result, .. }) => {
                feed.calls.remove(&result.call);
            }
            Class::Run(RunEvent::Started { .. } | RunEvent::Moved)
            | Class::Said { .. }
            | Class::Call(_)
            | Class::Loop(_)
            | Class::Compaction(_)
            | Class::HubNotice { .. }
            | Class::Used { .. }
            | Class::Agent(_) => {}
        }
        self.send_all(&state, &entry.agent, Some(entry.seq), &HubFrame::Entry { entry: entry.clone() });
    }

    pub(crate) fn start_block(&self, agent: &AgentId, run: &RunId, turn: u32, index: u32, kind: &BlockKind) {
        let mut state = self.state();
        self.tell_rest(&mut state, agent);
        let partial = &mut state.feeds.entry(agent.clone()).or_default().partial;
        if partial.as_ref().is_none_or(|partial| partial.is_other(run, turn)) {
            *partial = Some(Partial::new(run.clone(), turn));
        }
        if let Some(partial) = partial {
            let frame = partial.start(agent, index, kind.clone());
            self.send_all(&state, agent, None, &frame);
        }
    }

    /// When the piece is to be told, if the caller is to come back for that.
    fn grow_block(&self, agent: &AgentId, index: u32, text: &str, now: Moment) -> Option<Moment> {
        let mut state = self.state();
        let feed = state.feeds.get_mut(agent)?;
        let partial = feed.partial.as_mut()?;
        if feed.followers.is_empty() {
            partial.pass(index, text);
            return None;
        }
        match partial.grow(index, text, now) {
            Telling::Now => self.tell_rest(&mut state, agent),
            Telling::At(at) => return Some(at),
            Telling::Awaited => {}
        }
        None
    }

    /// Tells what is due at `at`, if it was not told before.
    fn tell_due(&self, agent: &AgentId, at: Moment) {
        let mut state = self.state();
        let partial = state.feeds.get_mut(agent).and_then(|feed| feed.partial.as_mut());
        if partial.is_some_and(|partial| partial.is_due(at)) {
            self.tell_rest(&mut state, agent);
        }
    }

    /// Sends the pieces of the reply that wait.
    fn tell_rest(&self, state: &mut State, agent: &AgentId) {
        let partial = state.feeds.get_mut(agent).and_then(|feed| feed.partial.as_mut());
        for frame in partial.map_or_else(Vec::new, |partial| partial.untold(agent)) {
            self.send_all(state, agent, None, &frame);
        }
    }

    /// The reply that is being streamed was given up.
    pub(crate) fn void(&self, agent: &AgentId, run: &RunId, turn: u32) {
        let mut state = self.state();
        let Some(feed) = state.feeds.get_mut(agent) else { return };
        feed.partial = None;
        self.send_all(&state, agent, None, &HubFrame::Void { agent: agent.clone(), run: run.clone(), turn });
    }

    /// A call of this run is so far.
    pub(crate) fn progress(&self, agent: &AgentId, run: &RunId, call: &CallId, progress: CallProgress) {
        let mut state = self.state();
        let (agent, run, call) = (agent.clone(), run.clone(), call.clone());
        let frame = HubFrame::Progress { agent: agent.clone(), run, call: call.clone(), progress };
        state.feeds.entry(agent.clone()).or_default().calls.insert(call, frame.clone());
        self.send_all(&state, &agent, None, &frame);
    }

    /// Something is other than it was that stands in no entry.
    pub(crate) fn changed_beside_the_log(&self, agent: &AgentId) {
        self.send_all(&self.state(), agent, None, &HubFrame::Changed { agent: agent.clone() });
    }

    /// The same of what is the person's and of no agent of theirs. Whatever they do is done on the node on which they are,
    /// and so are their pages; a program lives by the feeds that it follows.
    pub(crate) fn changed_beside_agents(&self, person: &UserId) {
        self.tell_pages(person, &HubFrame::PersonChanged);
    }

    /// What the person writes in this conversation is other than it was: their pages are told, and no program.
    pub(crate) fn draft_changed(
        &self,
        person: &UserId,
        agent: &AgentId,
        conversation: &ConversationId,
        version: u64,
    ) {
        let frame =
            HubFrame::DraftChanged { agent: agent.clone(), conversation: conversation.clone(), version };
        self.tell_pages(person, &frame);
    }

    fn tell_pages(&self, person: &UserId, frame: &HubFrame) {
        let pages = self.tabs_of(person).into_iter().filter(|tab| tab.token.is_none());
        let text = encode(frame);
        for tab in pages {
            tab.queue(Outgoing::Direct(text.clone()));
        }
    }

    pub(crate) fn encoded(&self) -> u64 {
        self.encoded.load(Ordering::Relaxed)
    }

    /// Encodes once and queues for every follower.
    fn send_all(&self, state: &State, agent: &AgentId, seq: Option<u64>, frame: &HubFrame) {
        let Some(feed) = state.feeds.get(agent) else { return };
        if feed.followers.is_empty() {
            return;
        }
        let event = Arc::new(Event { agent: agent.clone(), seq, text: encode(frame) });
        self.encoded.fetch_add(1, Ordering::Relaxed);
        for tab in feed.followers.iter().filter_map(|key| state.tabs.get(key)) {
            tab.queue(Outgoing::Live(Arc::clone(&event)));
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(crate) fn encode(frame: &HubFrame) -> Bytes {
    Bytes::from(serde_json::to_vec(frame).expect("frames hold nothing that JSON cannot say"))
}
