//! The page of the agent that this tab shows: brought into its frame, called by the hub, and heard.

mod calls;
mod messages;
mod stuck;

pub(crate) use calls::perform;
pub(crate) use messages::in_turn;
pub use stuck::{freeze, reload, wait};
pub(crate) use stuck::{is_stuck, knock, share_fate};

use super::asks;
use super::frames::{self, FrameId, Role};
use super::layout_observer::LayoutObserver;
use super::pulse::Pulse;
use super::services;
use super::state;
use crate::live;
use calls::refuse;
use language::{key, say, t};
use leptos::prelude::*;
use messages::on_frame_event;
use protocol::AgentId;
use protocol::frame::{ToSkin, TypedField};
use protocol::log::{AgentEvent, Class, Entry, Skin as Drawn};
use protocol::page::{SkinCommand, SkinDone, SkinPage};
use protocol::view::shell::Stage;
use serde_json::Value;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use web_sys::HtmlElement;

/// How long a call waits for the page to be there.
const PAGE_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a frame's document may take to come up.
const START: Duration = Duration::from_secs(15);

/// How often a page is fetched that grows old on its way.
const ATTEMPTS: u32 = 4;

/// How often in so many milliseconds a page may put another document in its place.
const ANEW: u32 = 5;
const ANEW_MS: f64 = 30_000.0;

/// The one page that is shown. The hub knows the newest version of it; nothing here is the last word.
struct Skin {
    agent: AgentId,
    title: String,
    place: LayoutObserver,
    stage: RwSignal<Stage>,
    frame: Option<FrameId>,
    /// Counts the documents that the frame has had.
    document: u64,
    load: Load,
    /// The newest version that is known to be stored.
    newest: u64,
    /// The page as it was last shown or sent back.
    page: Option<SkinPage>,
    /// Calls that wait for the page to be there.
    waiting: Vec<(u64, SkinCommand)>,
    /// Calls that the page has and has not answered.
    performing: BTreeSet<u64>,
    pulse: Pulse,
    /// It has not answered for too long.
    is_stuck: bool,
    /// There is a newer page, which comes when this one answers or is given up: since then, in
    /// milliseconds.
    old_since: Option<f64>,
    /// What the person had typed into the document before.
    typed: Vec<TypedField>,
    /// How often the page has put another document in its place, and since when.
    anew: (f64, u32),
}

enum Load {
    /// The document is not up yet.
    Opening,
    /// State that changed since what is being fetched may be older.
    Fetching {
        changes: Vec<(String, Value)>,
    },
    Shown {
        version: u64,
    },
}

thread_local! {
    static SKIN: RefCell<Option<Skin>> = const { RefCell::new(None) };
}

/// Shows the agent's page over `place`; `version` is the newest that the caller knows of.
pub fn open(agent: AgentId, name: &str, version: u64, place: HtmlElement, stage: RwSignal<Stage>) {
    let previous = SKIN.with_borrow(|skin| skin.as_ref().map(|skin| skin.agent.clone()));
    if let Some(previous) = previous {
        close(&previous);
    }
    let Some(place) = LayoutObserver::new(place) else { return };
    SKIN.set(Some(Skin {
        agent,
        title: say!("Page of {name}"),
        place,
        stage,
        frame: None,
        document: 0,
        load: Load::Opening,
        newest: version,
        page: None,
        waiting: Vec::new(),
        performing: BTreeSet::new(),
        pulse: Pulse::default(),
        is_stuck: false,
        old_since: None,
        typed: Vec::new(),
        anew: (f64::NEG_INFINITY, 0),
    }));
    stuck::feel_pulse();
    open_frame();
}

/// Takes the page away, if it is this agent's that is shown.
pub fn close(agent: &AgentId) {
    if shows(agent) {
        close_frame("The page was closed.");
        services::end(agent);
        SKIN.set(None);
    }
}

/// Follows what others did to the page and its state.
pub(crate) fn hear_entry(entry: &Entry) {
    services::hear_entry(entry);
    if !shows(&entry.agent) {
        return;
    }
    let Class::Agent(event) = entry.body.class() else { return };
    match event {
        AgentEvent::Skin { version, by } => {
            let is_own = by == Some(&live::tab());
            let is_behind = with(|skin| {
                skin.newest = skin.newest.max(version);
                match &mut skin.load {
                    Load::Shown { version: shown } if is_own => {
                        *shown = (*shown).max(version);
                        false
                    }
                    Load::Shown { version: shown } => version > *shown,
                    Load::Opening | Load::Fetching { .. } => false,
                }
            });
            if is_behind == Some(true) {
                stuck::renew(&entry.agent);
            }
        }
        AgentEvent::State { key, value, superseded: false } => {
            with(|skin| match &mut skin.load {
                Load::Opening => {}
                Load::Fetching { changes } => changes.push((key.to_owned(), value.clone())),
                Load::Shown { .. } => {
                    skin.post(&ToSkin::State { key: key.to_owned(), value: value.clone() });
                }
            });
        }
        AgentEvent::State { superseded: true, .. }
        | AgentEvent::ToolCreated
        | AgentEvent::ToolDeleted { .. }
        | AgentEvent::Imported
        | AgentEvent::Permission
        | AgentEvent::PageErrors
        | AgentEvent::Schedule
        | AgentEvent::Todo => {}
    }
}

fn open_frame() {
    let Some(title) = with(|skin| skin.title.clone()) else { return };
    let Some(frame) = frames::open(Role::Skin, &title, on_frame_event) else {
        return break_off(key!("The browser could not make a frame for it."));
    };
    with(|skin| {
        skin.frame = Some(frame);
        skin.load = Load::Opening;
        skin.place.set_frame(Some(frame));
        skin.set_stage(if skin.newest > 0 { Stage::Shown } else { Stage::Empty });
    });
    set_timeout(
        move || {
            let is_late = with_frame(frame, |skin| matches!(skin.load, Load::Opening) && skin.document == 0);
            if is_late == Some(true) {
                break_off(key!("Its frame did not start."));
            }
        },
        START,
    );
}

/// Makes the frame anew, with the newest page.
fn renew_frame() {
    close_frame("The page was loaded anew before it answered. What the call did may be lost.");
    open_frame();
}

/// The page has put another document in its place, in which nothing of ours may be: the frame is made anew.
fn replace_document() {
    let now = js_sys::Date::now();
    let times = with(|skin| {
        let (since, times) = skin.anew;
        skin.anew = if now - since < ANEW_MS { (since, times + 1) } else { (now, 1) };
        skin.anew.1
    });
    match times {
        Some(times) if times > ANEW => break_off(key!("It replaced itself again and again.")),
        Some(_) => {
            close_frame("The page loaded itself anew before it answered.");
            open_frame();
        }
        None => {}
    }
}

/// Takes the frame out and answers every call that it leaves behind.
fn close_frame(why: &'static str) {
    if let Some(Some(frame)) = with(|skin| skin.frame) {
        state::flush(frame);
    }
    let closed = with(|skin| {
        skin.load = Load::Opening;
        skin.pulse = Pulse::default();
        skin.is_stuck = false;
        skin.old_since = None;
        skin.document = 0;
        skin.place.set_frame(None);
        (skin.frame.take(), skin.agent.clone(), skin.drop_calls())
    });
    let Some((frame, agent, calls)) = closed else { return };
    services::renew(None);
    if let Some(frame) = frame {
        asks::forget(frame);
        state::forget(frame);
        frames::close(frame);
    }
    refuse(agent, calls, why);
}

fn break_off(why: &'static str) {
    close_frame(why);
    let agent = with(|skin| {
        skin.set_stage(Stage::Broken { why: t(why).to_owned() });
        skin.agent.clone()
    });
    if let Some(agent) = agent {
        live::hide(&agent);
    }
}

pub fn shows(agent: &AgentId) -> bool {
    SKIN.with_borrow(|skin| skin.as_ref().is_some_and(|skin| skin.agent == *agent))
}

fn with<T>(look: impl FnOnce(&mut Skin) -> T) -> Option<T> {
    SKIN.with_borrow_mut(|skin| skin.as_mut().map(look))
}

fn with_frame<T>(frame: FrameId, look: impl FnOnce(&mut Skin) -> T) -> Option<T> {
    SKIN.with_borrow_mut(|skin| skin.as_mut().filter(|skin| skin.frame == Some(frame)).map(look))
}

impl Skin {
    fn post(&self, message: &ToSkin) {
        if let Some(frame) = self.frame {
            frames::post(frame, message);
        }
    }

    fn show(&mut self, drawn: Drawn, state: BTreeMap<String, Value>) {
        let Drawn { version, page } = drawn;
        let changes = match std::mem::replace(&mut self.load, Load::Shown { version }) {
            Load::Fetching { changes } => changes,
            Load::Opening | Load::Shown { .. } => Vec::new(),
        };
        self.newest = self.newest.max(version);
        self.page = Some(page.clone());
        self.set_stage(if version > 0 { Stage::Shown } else { Stage::Empty });
        let typed = std::mem::take(&mut self.typed);
        self.post(&ToSkin::Show { version, page, state, typed });
        for (key, value) in changes {
            self.post(&ToSkin::State { key, value });
        }
        self.post(&ToSkin::Ping);
        for (request, command) in std::mem::take(&mut self.waiting) {
            self.call(request, command);
        }
    }

    fn call(&mut self, request: u64, command: SkinCommand) {
        self.set_stage(Stage::Shown);
        self.performing.insert(request);
        self.post(&ToSkin::Perform { request, command });
    }

    /// Whether the page was asked for this.
    fn take_done(&mut self, request: u64, done: &SkinDone) -> bool {
        let was_asked = self.performing.remove(&request);
        if was_asked {
            self.page = Some(done.page.clone());
            self.set_stage(self.stage_of_page());
        }
        was_asked
    }

    /// The version that the page made this of, unless a call is at work on it.
    fn take_snapshot(&mut self, page: &SkinPage) -> Option<u64> {
        let Load::Shown { version } = self.load else { return None };
        if !self.performing.is_empty() {
            return None;
        }
        self.page = Some(page.clone());
        Some(version)
    }

    fn stage_of_page(&self) -> Stage {
        let is_blank = self.page.as_ref().is_none_or(|page| page.body.trim().is_empty());
        if self.newest == 0 && is_blank { Stage::Empty } else { Stage::Shown }
    }

    fn drop_calls(&mut self) -> Vec<u64> {
        let waiting = std::mem::take(&mut self.waiting).into_iter().map(|(request, _)| request);
        waiting.chain(std::mem::take(&mut self.performing)).collect()
    }

    fn set_stage(&self, stage: Stage) {
        self.place.set_away(stage != Stage::Shown);
        // The page that shows the stage may be gone already.
        let _ = self.stage.try_set(stage);
    }
}
