//! One live socket: the hub's link to it, and the end that the transport holds.

use super::catch_up::{self, Following, Fresh, Next};
use super::encode;
use super::page_calls::PageCalls;
use super::page_writes::PageWrites;
use crate::Hub;
use crate::access::{SessionLifetime, Via, Viewer};
use crate::clock::new_id;
use crate::error::{Error, Result};
use bytes::Bytes;
use protocol::agent::Ability;
use protocol::hub::HubFrame;
use protocol::{AgentId, DeviceId, TabId, TokenId, UserId};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::mpsc;

/// Frames that may wait for one tab.
const QUEUE: usize = 2048;

/// Names one socket within this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TabKey(pub(super) u64);

/// A frame on its way to a tab.
#[derive(Clone, Debug)]
pub(crate) enum Outgoing {
    /// To all that follow an agent: one for them all.
    Live(Arc<Event>),
    Direct(Bytes),
}

/// What happened to an agent, encoded; `seq` on durable entries.
#[derive(Debug)]
pub(crate) struct Event {
    pub(super) agent: AgentId,
    pub(super) seq: Option<u64>,
    pub(super) text: Bytes,
}

/// A frame for the transport to send: JSON text, and the `seq` of a durable entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    pub seq: Option<u64>,
    pub text: Bytes,
}

impl Frame {
    pub(super) fn of(frame: &HubFrame) -> Self {
        let seq = match frame {
            HubFrame::Entry { entry } => Some(entry.seq),
            _ => None,
        };
        Self { seq, text: encode(frame) }
    }
}

pub(super) type Queue = mpsc::Receiver<Outgoing>;

/// What a tab says of its device and of itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct TabAbilities {
    pub(crate) abilities: Vec<Ability>,
    /// Whether a person sees the tab.
    pub(crate) visible: bool,
}

pub(crate) struct TabLink {
    pub(crate) key: TabKey,
    pub(crate) id: TabId,
    pub(super) user: UserId,
    pub(crate) device: Option<DeviceId>,
    pub(super) token: Option<TokenId>,
    showing: Mutex<Option<AgentId>>,
    able: Mutex<TabAbilities>,
    active_at: AtomicU64,
    pub(crate) calls: PageCalls,
    pub(crate) writes: PageWrites,
    /// Nobody has to wait for it to come back.
    is_gone_for_good: AtomicBool,
    /// Gone once the tab has to close: what was queued before that is still sent.
    queue: Mutex<Option<mpsc::Sender<Outgoing>>>,
}

impl TabLink {
    pub(super) fn new(key: TabKey, id: TabId, viewer: &Viewer, activity: u64) -> (Self, Queue) {
        let (queue, receiver) = mpsc::channel(QUEUE);
        let token = match &viewer.via {
            Via::Token(token) => Some(token.clone()),
            Via::Device(_) | Via::Terminal => None,
        };
        let link = Self {
            key,
            id,
            user: viewer.me.id.clone(),
            device: viewer.device().cloned(),
            token,
            showing: Mutex::default(),
            able: Mutex::default(),
            active_at: AtomicU64::new(activity),
            calls: PageCalls::default(),
            writes: PageWrites::default(),
            is_gone_for_good: AtomicBool::new(false),
            queue: Mutex::new(Some(queue)),
        };
        (link, receiver)
    }

    pub(crate) fn send(&self, frame: &HubFrame) {
        self.queue(Outgoing::Direct(encode(frame)));
    }

    /// Queues a last frame and closes.
    pub(crate) fn end(&self, frame: &HubFrame) {
        self.send(frame);
        self.close();
    }

    pub(crate) fn able(&self) -> TabAbilities {
        self.able.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn set_able(&self, mut abilities: Vec<Ability>, visible: bool) {
        abilities.sort();
        abilities.dedup();
        *self.able.lock().unwrap_or_else(PoisonError::into_inner) = TabAbilities { abilities, visible };
    }

    /// The device was signed out, or the token revoked.
    pub(super) fn sign_out(&self) {
        self.go_for_good();
        self.end(&HubFrame::SignedOut);
    }

    pub(crate) fn go_for_good(&self) {
        self.is_gone_for_good.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_gone_for_good(&self) -> bool {
        self.is_gone_for_good.load(Ordering::Relaxed)
    }

    pub(crate) fn shows(&self, agent: &AgentId) -> bool {
        self.showing.lock().unwrap_or_else(PoisonError::into_inner).as_ref() == Some(agent)
    }

    pub(crate) fn active_at(&self) -> u64 {
        self.active_at.load(Ordering::Relaxed)
    }

    pub(crate) fn showing(&self) -> Option<AgentId> {
        self.showing.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn set_active(&self, showing: Option<AgentId>, activity: u64) {
        *self.showing.lock().unwrap_or_else(PoisonError::into_inner) = showing;
        self.active_at.store(activity, Ordering::Relaxed);
    }

    /// It did not answer: others come first until it says something of itself.
    pub(super) fn step_back(&self) {
        self.active_at.store(0, Ordering::Relaxed);
    }

    /// It has said something of itself since it last did not answer.
    pub(crate) fn is_awake(&self) -> bool {
        self.active_at() > 0
    }

    /// A tab that does not keep up is closed: it comes back and reads what it missed from the log.
    pub(super) fn queue(&self, outgoing: Outgoing) {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        if queue.as_ref().is_some_and(|queue| queue.try_send(outgoing).is_err()) {
            *queue = None;
        }
    }

    pub(super) fn close(&self) {
        *self.queue.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// The transport's end of a socket. Dropping it ends everything that hung on the tab.
pub struct Tab {
    hub: Hub,
    viewer: Viewer,
    link: Arc<TabLink>,
    queue: Queue,
    /// What is read from the log for this tab alone goes before anything live.
    following: Following,
    /// Looked up before anything is handed out: who was signed out while the tab was opened is not among
    /// those that were closed then.
    stay: Option<SessionLifetime>,
    /// Whether it can drive a run.
    drives: bool,
}

impl Hub {
    pub fn open_tab(&self, viewer: Viewer, id: TabId) -> Result<Tab> {
        if id.0.is_empty() || id.0.len() > 64 {
            return Err(Error::invalid("A tab's id is a text of 1 to 64 characters."));
        }
        let (link, queue) = self.live().open_tab(id, &viewer);
        let following = Following::default();
        Ok(Tab { hub: self.clone(), viewer, link, queue, following, stay: None, drives: true })
    }

    /// A tab for a page that another program shows: it says what the page says and hears what comes of it, and no run is
    /// driven there.
    pub fn open_page_elsewhere(&self, viewer: Viewer) -> Result<Tab> {
        let mut tab = self.open_tab(viewer, TabId(new_id()))?;
        tab.drives = false;
        Ok(tab)
    }
}

impl Tab {
    pub fn viewer(&self) -> &Viewer {
        &self.viewer
    }

    pub fn hub(&self) -> &Hub {
        &self.hub
    }

    pub(crate) fn link(&self) -> &Arc<TabLink> {
        &self.link
    }

    /// The tab in which a run begins for what its page says, if it can drive one.
    pub(crate) fn driver(&self) -> Option<TabKey> {
        self.drives.then_some(self.link.key)
    }

    /// Counts what the agent's page says, before it is kept.
    pub(crate) fn pass_bytes(&self, agent: &AgentId, bytes: usize) -> Result<()> {
        self.hub.live().page_bytes.pass(agent, bytes, self.hub.moment())
    }

    /// Follows an agent from `after` on: what is in the log first, then what is being streamed, then
    /// what comes. Whoever follows it already begins anew.
    pub async fn follow(&mut self, agent: &AgentId, after: u64) -> Result<()> {
        self.hub.for_viewer(&self.viewer).require_agent(agent).await?;
        self.hub.live().follow(self.link.key, agent);
        self.following.begin(agent, after);
        // What comes live from here on is behind what is read now, unless much has to be read first.
        if let Some((agent, seq)) = self.following.wanted() {
            self.catch_up(&agent, seq).await?;
        }
        Ok(())
    }

    pub fn unfollow(&mut self, agent: &AgentId) {
        self.hub.live().unfollow(self.link.key, agent);
        self.following.end(agent);
    }

    /// Queues a frame for this tab alone.
    pub fn send(&self, frame: &HubFrame) {
        self.link.send(frame);
    }

    /// The next frame; `None` when the tab has to close. What was queued before that is
    /// handed out first. Safe to cancel.
    pub async fn next(&mut self) -> Option<Frame> {
        let stay = match self.stay {
            Some(stay) => stay,
            None => self.look_up_stay().await,
        };
        loop {
            match self.following.next() {
                Next::Frame(frame) => return Some(frame),
                Next::Read(agent, seq) => {
                    if let Err(error) = self.catch_up(&agent, seq).await {
                        self.following.end(&agent);
                        self.link.end(&HubFrame::Refused { failure: error.into_failure() });
                    }
                    continue;
                }
                Next::Live => {}
            }
            let outgoing = tokio::select! {
                biased;
                () = over(&self.hub, stay), if !self.link.is_gone_for_good() => {
                    self.link.sign_out();
                    continue;
                }
                outgoing = self.queue.recv() => outgoing?,
            };
            if let Some(frame) = self.take(outgoing) {
                return Some(frame);
            }
        }
    }

    /// A tab of which that cannot be known is closed, and comes again.
    async fn look_up_stay(&mut self) -> SessionLifetime {
        match self.hub.stay_of(&self.viewer).await {
            Ok(stay) => *self.stay.insert(stay),
            Err(error) => {
                self.link.end(&HubFrame::Refused { failure: error.into_failure() });
                SessionLifetime::UntilRevoked
            }
        }
    }

    /// The next frame, if it is there already.
    pub fn next_ready(&mut self) -> Option<Frame> {
        loop {
            match self.following.next() {
                Next::Frame(frame) => return Some(frame),
                Next::Read(..) => return None,
                Next::Live => {}
            }
            let outgoing = self.queue.try_recv().ok()?;
            if let Some(frame) = self.take(outgoing) {
                return Some(frame);
            }
        }
    }

    fn take(&mut self, outgoing: Outgoing) -> Option<Frame> {
        let event = match outgoing {
            Outgoing::Direct(text) => return Some(Frame { seq: None, text }),
            Outgoing::Live(event) => event,
        };
        match self.following.note(&event.agent, event.seq) {
            Fresh::Yes => Some(Frame { seq: event.seq, text: event.text.clone() }),
            Fresh::No | Fresh::Behind => None,
        }
    }

    async fn catch_up(&mut self, agent: &AgentId, seq: u64) -> Result<()> {
        let part = catch_up::read(self.hub.store(), agent, seq).await?;
        let live = self.hub.live();
        self.following.take(agent, part, || live.partials(agent).iter().map(Frame::of).collect());
        Ok(())
    }
}

/// Returns when the session is over.
async fn over(hub: &Hub, stay: SessionLifetime) {
    match stay {
        SessionLifetime::Over => {}
        SessionLifetime::Until(end) => {
            hub.clock().until(hub.moment().plus_ms(hub.clock().left_ms(end, i64::MAX))).await
        }
        SessionLifetime::UntilRevoked => std::future::pending().await,
    }
}

impl Drop for Tab {
    fn drop(&mut self) {
        self.hub.live().close_tab(self.link.key, self.hub.moment());
        self.hub.running().tab_gone(&self.hub, &self.link);
    }
}
