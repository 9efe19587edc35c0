//! The page of the agent that this tab shows: brought into its frame, called by the hub, and heard.

mod stuck;

pub use stuck::{freeze, is_stuck, knock, reload, share_fate, wait};

use super::asks;
use super::frames::{self, FrameId, News, Role};
use super::place::Place;
use super::pulse::Pulse;
use super::services;
use super::stage::Stage;
use super::state;
use crate::agents::api::{get_skin, get_state};
use crate::live;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::AgentId;
use protocol::frame::{Answer, FromSkin, SkinCommand, SkinDone, SkinPage, ToSkin, TypedField};
use protocol::hub::ClientFrame;
use protocol::log::{Entry, EntryBody, Skin as Drawn};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use web_sys::HtmlElement;

/// How long a call waits for the page to be there.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long a frame's document may take to come up.
const START: Duration = Duration::from_secs(15);

/// How often a page is fetched that grows old on its way.
const ATTEMPTS: u32 = 4;

/// The one page that is shown. The hub knows the newest version of it; nothing here is the last word.
struct Skin {
    agent: AgentId,
    title: String,
    place: Place,
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
    let Some(place) = Place::new(place) else { return };
    SKIN.set(Some(Skin {
        agent,
        title: format!("Skin of {name}"),
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
pub fn hear_entry(entry: &Entry) {
    services::hear_entry(entry);
    if !shows(&entry.agent) {
        return;
    }
    match &entry.body {
        EntryBody::Skin { version, by } => {
            let is_own = by.as_ref() == Some(&live::tab());
            let is_behind = with(|skin| {
                skin.newest = skin.newest.max(*version);
                match &mut skin.load {
                    Load::Shown { version: shown } if is_own => {
                        *shown = (*shown).max(*version);
                        false
                    }
                    Load::Shown { version: shown } => *version > *shown,
                    Load::Opening | Load::Fetching { .. } => false,
                }
            });
            if is_behind == Some(true) {
                stuck::renew(&entry.agent);
            }
        }
        EntryBody::State { key, value } => {
            with(|skin| match &mut skin.load {
                Load::Opening => {}
                Load::Fetching { changes } => changes.push((key.clone(), value.clone())),
                Load::Shown { .. } => skin.post(&ToSkin::State { key: key.clone(), value: value.clone() }),
            });
        }
        EntryBody::Message { .. }
        | EntryBody::RunStarted { .. }
        | EntryBody::Block { .. }
        | EntryBody::TurnFinished { .. }
        | EntryBody::ToolStarted { .. }
        | EntryBody::ToolFinished { .. }
        | EntryBody::Used { .. }
        | EntryBody::NotRun { .. }
        | EntryBody::Notice { .. }
        | EntryBody::Steered { .. }
        | EntryBody::Retrying { .. }
        | EntryBody::Digested { .. }
        | EntryBody::Clipped { .. }
        | EntryBody::Summary { .. }
        | EntryBody::ToolCreated { .. }
        | EntryBody::Moved { .. }
        | EntryBody::ToolDeleted { .. }
        | EntryBody::Imported { .. }
        | EntryBody::Permission { .. }
        | EntryBody::DeviceWait { .. }
        | EntryBody::ApprovalAsked { .. }
        | EntryBody::ApprovalSettled { .. }
        | EntryBody::Schedule { .. }
        | EntryBody::PageErrors { .. }
        | EntryBody::RunFinished { .. } => {}
    }
}

/// Performs a call that the hub let through, as soon as the page is there.
pub fn perform(request: u64, agent: AgentId, command: SkinCommand) {
    if !shows(&agent) {
        return refuse(agent, vec![request], "This tab does not show the page any more.");
    }
    let has_frame = with(|skin| {
        match skin.load {
            Load::Shown { .. } => skin.call(request, command),
            Load::Opening | Load::Fetching { .. } => skin.waiting.push((request, command)),
        }
        skin.frame.is_some()
    });
    if has_frame != Some(true) {
        return give_up(request);
    }
    set_timeout(move || give_up(request), PATIENCE);
}

fn open_frame() {
    let Some(title) = with(|skin| skin.title.clone()) else { return };
    let Some(frame) = frames::open(Role::Skin, &title, hear) else {
        return break_off("The browser could not make a frame for it.");
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
                break_off("Its frame did not start.");
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
        skin.set_stage(Stage::Broken { why: why.to_owned() });
        skin.agent.clone()
    });
    if let Some(agent) = agent {
        live::hide(&agent);
    }
}

fn hear(frame: FrameId, news: News) {
    match news {
        News::Opened => renew(frame),
        News::Text(text) => match serde_json::from_str(&text) {
            Ok(message) => hear_page(frame, message),
            Err(_) => frames::count_bad(frame),
        },
        News::Removed { why } => {
            if with_frame(frame, |_| ()).is_some() {
                break_off(why);
            }
        }
    }
}

/// The frame has another document: nothing that the last one was asked will be answered.
fn renew(frame: FrameId) {
    asks::forget(frame);
    services::renew(Some(frame));
    let dropped = with_frame(frame, |skin| {
        skin.document += 1;
        skin.load = Load::Opening;
        let calls: Vec<u64> = std::mem::take(&mut skin.performing).into_iter().collect();
        (skin.agent.clone(), calls)
    });
    if let Some((agent, calls)) = dropped {
        refuse(agent, calls, "The page loaded itself anew before it answered.");
    }
}

fn hear_page(frame: FrameId, message: FromSkin) {
    if with_frame(frame, |_| ()).is_none() {
        return;
    }
    in_turn(frame, message, take);
}

/// Has `take` take the message, as soon as all that the page wrote before it is on its way.
pub(super) fn in_turn(frame: FrameId, message: FromSkin, take: fn(FrameId, FromSkin)) {
    match message {
        FromSkin::Performed { .. } => {
            state::flush(frame);
            take(frame, message);
        }
        FromSkin::Notify { .. }
        | FromSkin::Ask { .. }
        | FromSkin::CallTool { .. }
        | FromSkin::Snapshot { .. }
        | FromSkin::Emit { .. }
        | FromSkin::Problems { .. } => state::say(frame, message, take),
        FromSkin::Ready
        | FromSkin::SetState { .. }
        | FromSkin::Request { .. }
        | FromSkin::Withdraw { .. }
        | FromSkin::Taken { .. }
        | FromSkin::Pong
        | FromSkin::Typed { .. } => take(frame, message),
    }
}

fn take(frame: FrameId, message: FromSkin) {
    let Some(agent) = with_frame(frame, |skin| skin.agent.clone()) else { return };
    match message {
        FromSkin::Ready => {
            let is_new = with_frame(frame, |skin| {
                let is_new = matches!(skin.load, Load::Opening);
                if is_new {
                    skin.load = Load::Fetching { changes: Vec::new() };
                }
                is_new.then_some(skin.document)
            });
            if let Some(Some(document)) = is_new {
                spawn_local(fetch(agent, frame, document));
            }
        }
        FromSkin::Performed { request, done } => {
            let is_asked = with_frame(frame, |skin| skin.take_done(request, &done));
            if is_asked == Some(true) {
                live::send(ClientFrame::SkinDone { request, done });
            } else {
                frames::count_bad(frame);
            }
        }
        FromSkin::Notify { name, data } => {
            live::send(ClientFrame::PageNotify { agent, name, data });
        }
        FromSkin::Ask { id, text } => {
            let own = asks::expect_answer(frame, id);
            live::send(ClientFrame::PageAsk { agent, id: own, text });
        }
        FromSkin::Pong => stuck::hear_pulse(frame),
        FromSkin::Typed { fields, typing } => stuck::make_room(frame, fields, typing),
        FromSkin::SetState { key, value } => state::set(frame, agent, key, value, take),
        FromSkin::Request { id, want } => {
            if !services::request(frame, id, want) {
                frames::count_bad(frame);
            }
        }
        FromSkin::Withdraw { id } => services::withdraw(frame, id),
        FromSkin::Taken { id } => services::taken(frame, id),
        FromSkin::CallTool { id, name, input } => {
            let own = asks::expect_answer(frame, id);
            if !live::send(ClientFrame::PageCall { agent, id: own, name, input }) {
                let message = "The hub cannot be reached at the moment.".to_owned();
                asks::answer(own, Answer::Error { message });
            }
        }
        FromSkin::Snapshot { page } => {
            let version = with_frame(frame, |skin| skin.take_snapshot(&page));
            if let Some(Some(version)) = version {
                // A page changes itself under a person's hand, and that is in this tab.
                live::act();
                live::send(ClientFrame::PageSnapshot { agent, version, page });
            }
        }
        FromSkin::Emit { name, data } => {
            live::send(ClientFrame::PageEmit { agent, name, data });
        }
        FromSkin::Problems { problems } => {
            live::send(ClientFrame::PageProblems { agent, problems });
        }
    }
}

/// Fetches page and state until they are as new as what the log has told meanwhile, and shows them.
async fn fetch(agent: AgentId, frame: FrameId, document: u64) {
    let is_current =
        |skin: &mut Skin| skin.document == document && matches!(skin.load, Load::Fetching { .. });
    for attempt in 1.. {
        let fetched = match (get_skin(agent.clone()).await, get_state(agent.clone()).await) {
            (Ok(drawn), Ok(state)) => {
                Ok((drawn.unwrap_or(Drawn { version: 0, page: SkinPage::default() }), state))
            }
            (Err(error), _) | (_, Err(error)) => Err(error),
        };
        if with_frame(frame, is_current) != Some(true) {
            return;
        }
        let (drawn, state) = match fetched {
            Ok(fetched) => fetched,
            Err(error) => {
                leptos::logging::warn!("The page of agent {agent} could not be fetched: {error}");
                return break_off("It could not be fetched from the hub.");
            }
        };
        if attempt < ATTEMPTS && with_frame(frame, |skin| skin.newest > drawn.version) == Some(true) {
            continue;
        }
        with_frame(frame, |skin| skin.show(drawn, state));
        return;
    }
}

/// Answers a call that nobody has performed so far.
fn give_up(request: u64) {
    let agent = with(|skin| {
        let place = skin.waiting.iter().position(|(waiting, _)| *waiting == request)?;
        skin.waiting.remove(place);
        Some(skin.agent.clone())
    });
    if let Some(Some(agent)) = agent {
        refuse(agent, vec![request], "The page is not ready, so nothing was done. Try again in a moment.");
    }
}

/// Answers calls with an error. The answer carries the page as it is stored: without knowing that,
/// silence is better than a page that would replace it.
fn refuse(agent: AgentId, requests: Vec<u64>, why: &'static str) {
    if requests.is_empty() {
        return;
    }
    let known = with(|skin| if skin.agent == agent { skin.page.clone() } else { None }).flatten();
    spawn_local(async move {
        let page = match known {
            Some(page) => page,
            None => match get_skin(agent).await {
                Ok(drawn) => drawn.map(|drawn| drawn.page).unwrap_or_default(),
                Err(_) => return,
            },
        };
        for request in requests {
            let done = SkinDone { result: json!({ "error": why }), is_error: true, page: page.clone() };
            live::send(ClientFrame::SkinDone { request, done });
        }
    });
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
