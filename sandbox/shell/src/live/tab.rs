//! The tab's one connection: who follows which agent, what waits to be sent, and when to try again.

use super::abilities;
use super::activity::{self, Signs, is_offline};
use super::backoff::Backoff;
use super::followers::{Follower, Followers, FrameHandler};
use super::gathered::{BETWEEN_MS, Gathered};
use super::socket::{Socket, SocketEvent};
use crate::application::application;
use crate::{asks, storage};
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::agent::Ability;
use protocol::hub::{ClientFrame, HubFrame, Noun};
use protocol::view::shell::Connection;
use protocol::{AgentId, FailureKind, TabId, VERSION};
use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;
use std::time::Duration;

const PING: Duration = Duration::from_secs(20);
/// How long the hub has to answer anything at all after a ping.
const PONG: Duration = Duration::from_secs(10);
/// How long a socket has to open and be welcome.
const OPENING: Duration = Duration::from_secs(10);
/// Attempts that fail before the tab asks whether it is still signed in.
const FAILURES_BEFORE_SESSION_CHECK: i32 = 3;
/// What pages said while there was no connection; the oldest goes first.
const WAITING: usize = 256;

thread_local! {
    static TAB: RefCell<Tab> = RefCell::new(Tab::new());
    static CONNECTION: ArcRwSignal<Connection> = ArcRwSignal::new(Connection::Opening);
    static PERSON_CHANGES: ArcRwSignal<u32> = ArcRwSignal::new(0);
    static NOUN_CHANGES: RefCell<HashMap<Noun, ArcRwSignal<u32>>> = RefCell::default();
    static IS_SEEN: ArcRwSignal<bool> = ArcRwSignal::new(!document().hidden());
}

struct Tab {
    id: TabId,
    socket: Option<Socket>,
    /// Tells the sockets of this tab apart: news of an older one is not heard.
    generation: u64,
    is_welcome: bool,
    has_been_welcome: bool,
    has_started: bool,
    backoff: Backoff,
    retry: Option<TimeoutHandle>,
    /// Set while a ping has no answer.
    deadline: Option<TimeoutHandle>,
    followers: Followers,
    showing: Option<AgentId>,
    /// What the device can do, as far as the browser tells.
    abilities: Vec<Ability>,
    waiting: VecDeque<ClientFrame>,
    gathered: Gathered,
    /// When text was shown last, in milliseconds of the browser's clock.
    shown_at: f64,
    calls: Option<TabHandlers>,
}

/// Whoever hears what the hub asks of this tab.
#[derive(Clone, Copy)]
pub struct TabHandlers {
    pub hear: fn(HubFrame),
    /// The connection is gone.
    pub lost: fn(),
    /// There is one again.
    pub back: fn(),
    /// The page goes away: what is left to say is said now.
    pub leave: fn(),
}

/// The name of this tab, made when the page was loaded.
pub fn tab() -> TabId {
    TAB.with_borrow(|tab| tab.id.clone())
}

pub fn connection() -> ArcRwSignal<Connection> {
    CONNECTION.with(Clone::clone)
}

/// Counts the times at which something of the person's may be other than it was that no agent's feed tells of: when the
/// hub says so, and with each connection, for what was said while there was none.
pub fn person_changes() -> ArcRwSignal<u32> {
    start();
    PERSON_CHANGES.with(Clone::clone)
}

/// Counts the times at which the hub said that something of this noun is other than it was. What was said while there was no
/// connection counts as a change of the person's.
pub fn noun_changes(noun: Noun) -> ArcRwSignal<u32> {
    start();
    NOUN_CHANGES.with_borrow_mut(|all| all.entry(noun).or_default().clone())
}

/// Whether the person sees this tab.
pub fn is_seen() -> ArcRwSignal<bool> {
    start();
    IS_SEEN.with(Clone::clone)
}

pub fn hear_calls(calls: TabHandlers) {
    TAB.with_borrow_mut(|tab| tab.calls = Some(calls));
}

/// Hears everything about this agent that comes after `seq`.
pub fn follow(agent: AgentId, seq: u64, hear: impl Fn(&HubFrame) + 'static) -> Follower {
    let follower = TAB.with_borrow_mut(|tab| {
        let (follower, after) = tab.followers.add(&agent, seq, Rc::new(hear));
        tab.send_if_welcome(&ClientFrame::Subscribe { agent, after });
        follower
    });
    start();
    follower
}

pub fn unfollow(follower: Follower) {
    TAB.with_borrow_mut(|tab| {
        if let Some(agent) = tab.followers.remove(follower) {
            tab.send_if_welcome(&ClientFrame::Unsubscribe { agent });
        }
    });
}

/// This tab shows the agent's page.
pub fn show(agent: AgentId) {
    TAB.with_borrow_mut(|tab| tab.showing = Some(agent));
    act();
}

/// This tab no longer shows the agent's page.
pub fn hide(agent: &AgentId) {
    let was_shown = TAB.with_borrow_mut(|tab| {
        let was_shown = tab.showing.as_ref() == Some(agent);
        if was_shown {
            tab.showing = None;
        }
        was_shown
    });
    if was_shown {
        act();
    }
}

/// Sends a frame; what a page said waits for the next connection, anything else is lost without one.
pub fn send(frame: ClientFrame) -> bool {
    TAB.with_borrow_mut(|tab| {
        if tab.send_if_welcome(&frame) {
            return true;
        }
        let keeps = matches!(
            frame,
            ClientFrame::PageNotify { .. }
                | ClientFrame::PageAsk { .. }
                | ClientFrame::PageEmit { .. }
                | ClientFrame::SetState { .. }
        );
        if keeps {
            tab.waiting.push_back(frame);
            if tab.waiting.len() > WAITING {
                tab.waiting.pop_front();
            }
        }
        keeps
    })
}

/// The tab came into sight, or went out of it.
fn turn() {
    TAB.with_borrow(Tab::send_able);
    IS_SEEN.with(Clone::clone).set(!document().hidden());
}

/// The person does something here.
pub fn act() {
    TAB.with_borrow(|tab| {
        tab.send_if_welcome(&ClientFrame::Active { showing: tab.showing.clone() });
    });
}

/// The page goes away: nothing has to wait for it.
fn go() {
    let calls = TAB.with_borrow(|tab| tab.calls);
    if let Some(calls) = calls {
        (calls.leave)();
    }
    TAB.with_borrow(|tab| tab.send_if_welcome(&ClientFrame::Leave));
}

fn start() {
    let is_first = TAB.with_borrow_mut(|tab| !std::mem::replace(&mut tab.has_started, true));
    if !is_first {
        return;
    }
    activity::listen(Signs { wake, act, turn, go });
    spawn_local(async {
        let abilities = abilities::probe().await;
        TAB.with_borrow_mut(|tab| {
            tab.abilities = abilities;
            tab.send_able();
        });
    });
    set_interval(ping, PING);
    connect();
}

fn connect() {
    TAB.with_borrow_mut(|tab| {
        tab.generation += 1;
        let generation = tab.generation;
        tab.retry = None;
        tab.is_welcome = false;
        tab.socket = Socket::open(move |news| on_socket_event(generation, news));
        tab.heard();
        tab.deadline = set_timeout_with_handle(lose, OPENING).ok();
    });
    connection().update(|connection| {
        if let Connection::Offline { retry_at } = connection {
            *retry_at = None;
        }
    });
    if TAB.with_borrow(|tab| tab.socket.is_none()) {
        lose();
    }
}

fn on_socket_event(generation: u64, news: SocketEvent) {
    if TAB.with_borrow(|tab| tab.generation != generation) {
        return;
    }
    match news {
        SocketEvent::Opened => TAB.with_borrow(|tab| {
            tab.send(&ClientFrame::Hello { version: VERSION, tab: tab.id.clone() });
        }),
        SocketEvent::Frame(frame) => on_frame(*frame),
        SocketEvent::Closed => lose(),
        SocketEvent::HeldBack => lose_to(Loss::HeldBack),
    }
}

fn on_frame(frame: HubFrame) {
    let (frame, wait) = TAB.with_borrow_mut(|tab| {
        tab.heard();
        let is_first = tab.gathered.is_empty();
        let frame = tab.gathered.take(frame);
        let wait = (is_first && frame.is_none()).then(|| tab.shown_at + BETWEEN_MS - js_sys::Date::now());
        (frame, wait)
    });
    if let Some(wait) = wait {
        let wait = Duration::from_millis(wait.clamp(0.0, BETWEEN_MS) as u64);
        set_timeout(show_gathered, wait);
    }
    let Some(frame) = frame else {
        if TAB.with_borrow(|tab| tab.gathered.is_full()) {
            show_gathered();
        }
        return;
    };
    // What came before it is heard before it.
    show_gathered();
    act_on(frame);
}

/// Tells those who follow of the text that came.
fn show_gathered() {
    let frames = TAB.with_borrow_mut(|tab| {
        if !tab.gathered.is_empty() {
            tab.shown_at = js_sys::Date::now();
        }
        tab.gathered.drain()
    });
    for frame in frames {
        act_on(frame);
    }
}

fn act_on(frame: HubFrame) {
    match &frame {
        HubFrame::Welcome { version, .. } => welcome(*version),
        HubFrame::Subscribed { agent, after } => {
            TAB.with_borrow_mut(|tab| tab.followers.on_subscribed(agent, *after));
        }
        HubFrame::Entry { entry } => tell(&frame, |all| all.on_frame(&entry.agent, Some(entry.seq))),
        HubFrame::CaughtUp { agent, seq } => tell(&frame, |all| all.on_frame(agent, Some(*seq))),
        HubFrame::Partial { agent, .. }
        | HubFrame::Delta { agent, .. }
        | HubFrame::Void { agent, .. }
        | HubFrame::Progress { agent, .. } => tell(&frame, |all| all.on_frame(agent, None)),
        HubFrame::Changed { agent } | HubFrame::DraftChanged { agent, .. } => {
            tell(&frame, |all| all.on_hint(agent))
        }
        HubFrame::PersonChanged => note_person_change(),
        HubFrame::NounChanged { noun } => {
            noun_changes(*noun).update(|changes| *changes = changes.wrapping_add(1));
        }
        HubFrame::SkinCall { .. }
        | HubFrame::DeviceCall { .. }
        | HubFrame::SkinGo { .. }
        | HubFrame::Answered { .. }
        | HubFrame::Granted { .. }
        | HubFrame::Rejoined { .. }
        | HubFrame::Run { .. } => {
            if let Some(calls) = TAB.with_borrow(|tab| tab.calls) {
                (calls.hear)(frame);
            }
        }
        HubFrame::Refused { failure } => leptos::logging::warn!("The hub refused a frame: {failure}"),
        HubFrame::SignedOut => leave(),
        HubFrame::Pong => {}
    }
}

fn welcome(version: u32) {
    if version != VERSION {
        // This page cannot talk to the hub again before it is loaded anew.
        TAB.with_borrow_mut(|tab| {
            tab.generation += 1;
            tab.socket = None;
        });
        return connection().set(Connection::Outdated);
    }
    let missed = TAB.with_borrow_mut(|tab| {
        tab.is_welcome = true;
        tab.backoff.reset();
        let mut missed = Vec::new();
        for (agent, after) in tab.followers.on_connected() {
            tab.send(&ClientFrame::Subscribe { agent: agent.clone(), after });
            missed.push(agent);
        }
        tab.send(&ClientFrame::Active { showing: tab.showing.clone() });
        tab.send_able();
        for frame in std::mem::take(&mut tab.waiting) {
            tab.send(&frame);
        }
        if std::mem::replace(&mut tab.has_been_welcome, true) { missed } else { Vec::new() }
    });
    connection().set(Connection::Live);
    // No feed repeats what changed beside the log.
    for agent in missed {
        act_on(HubFrame::Changed { agent });
    }
    note_person_change();
    if let Some(calls) = TAB.with_borrow(|tab| tab.calls) {
        (calls.back)();
    }
}

fn note_person_change() {
    PERSON_CHANGES.with(Clone::clone).update(|changes| *changes = changes.wrapping_add(1));
}

fn tell(frame: &HubFrame, whom: impl FnOnce(&mut Followers) -> Vec<FrameHandler>) {
    let hears = TAB.with_borrow_mut(|tab| whom(&mut tab.followers));
    for hear in hears {
        hear(frame);
    }
}

/// How the connection went.
#[derive(Clone, Copy)]
enum Loss {
    Broken,
    HeldBack,
}

/// The connection is gone: says so, and tries again after a while.
fn lose() {
    lose_to(Loss::Broken);
}

fn lose_to(loss: Loss) {
    let (was_welcome, wait, failures, calls) = TAB.with_borrow_mut(|tab| {
        tab.generation += 1;
        tab.socket = None;
        tab.heard();
        let was_welcome = std::mem::replace(&mut tab.is_welcome, false);
        let wait = match loss {
            Loss::Broken => tab.backoff.next_ms(js_sys::Math::random()),
            Loss::HeldBack => Backoff::longest_ms(js_sys::Math::random()),
        };
        if let Some(earlier) = tab.retry.take() {
            earlier.clear();
        }
        tab.retry = set_timeout_with_handle(connect, Duration::from_millis(wait.into())).ok();
        (was_welcome, wait, tab.backoff.failures(), tab.calls)
    });
    let retry_at = js_sys::Date::now() as u64 + u64::from(wait);
    connection().set(match loss {
        Loss::Broken => Connection::Offline { retry_at: Some(retry_at) },
        Loss::HeldBack => Connection::HeldBack { retry_at },
    });
    if was_welcome && let Some(calls) = calls {
        (calls.lost)();
    }
    asks::lose();
    if failures == FAILURES_BEFORE_SESSION_CHECK {
        spawn_local(leave_if_signed_out());
    }
}

/// Something changed that may let a connection come about, or break it.
fn wake() {
    if TAB.with_borrow(|tab| tab.is_welcome) {
        ping();
        return;
    }
    if !is_offline() {
        TAB.with_borrow_mut(|tab| tab.backoff.reset());
        try_now();
    }
}

/// Tries to connect without waiting any longer.
pub fn try_now() {
    let waited = TAB.with_borrow_mut(|tab| tab.retry.take());
    if let Some(waited) = waited {
        waited.clear();
        connect();
    }
}

fn ping() {
    TAB.with_borrow_mut(|tab| {
        if tab.send_if_welcome(&ClientFrame::Ping) && tab.deadline.is_none() {
            tab.deadline = set_timeout_with_handle(lose, PONG).ok();
        }
    });
}

/// A socket that is refused does not say why: a session that has ended looks like a hub that is away. Where it has, the
/// page is asked for anew, so that whoever signs in comes back to it.
async fn leave_if_signed_out() {
    if let Err(failure) = (application().check_in)().await
        && failure.kind == FailureKind::Unauthenticated
        && let Err(error) = window().location().reload()
    {
        leptos::logging::error!("The browser refused to load the page again: {error:?}");
    }
}

/// The person signed this device out: nothing of the page is kept for who signs in next.
fn leave() {
    storage::forget_own();
    if let Err(error) = window().location().set_href("/sign-in") {
        leptos::logging::error!("The browser refused to go to the sign-in page: {error:?}");
    }
}

impl Tab {
    fn new() -> Self {
        Self {
            id: random_id(),
            socket: None,
            generation: 0,
            is_welcome: false,
            has_been_welcome: false,
            has_started: false,
            backoff: Backoff::default(),
            retry: None,
            deadline: None,
            followers: Followers::default(),
            showing: None,
            abilities: Vec::new(),
            waiting: VecDeque::new(),
            gathered: Gathered::default(),
            shown_at: 0.0,
            calls: None,
        }
    }

    fn heard(&mut self) {
        if let Some(deadline) = self.deadline.take() {
            deadline.clear();
        }
    }

    fn send_able(&self) {
        let visible = !document().hidden();
        self.send_if_welcome(&ClientFrame::Able { abilities: self.abilities.clone(), visible });
    }

    fn send(&self, frame: &ClientFrame) -> bool {
        self.socket.as_ref().is_some_and(|socket| socket.send(frame))
    }

    fn send_if_welcome(&self, frame: &ClientFrame) -> bool {
        self.is_welcome && self.send(frame)
    }
}

/// Not a secret: it only tells the tabs of one person apart.
fn random_id() -> TabId {
    let part = || (js_sys::Math::random() * f64::from(u32::MAX)) as u32;
    TabId(format!("{:x}-{:08x}{:08x}", js_sys::Date::now() as u64, part(), part()))
}
