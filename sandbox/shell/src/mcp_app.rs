//! Pages of tools of MCP servers within a conversation (MCP Apps), each in a frame like that of the agent's page. One
//! hears what its own tool was given and brought, calls tools of its own server through the hub, and has nothing else
//! without its person.

mod calls;
mod context;
mod outcome;
mod rpc;
mod wishes;

pub use outcome::{cancel, finish};
pub use wishes::answer;

use super::asks;
use super::frames::{self, FrameEvent, FrameId, Role};
use super::pulse::{BEAT_MS, Beat, Pulse};
use crate::services::link;
use calls::{Brings, call};
use js_sys::{Function, Reflect};
use language::{say, t};
use leptos::prelude::*;
use outcome::{Outcome, begin};
use protocol::frame::{FromSkin, ToSkin};
use protocol::view::shell::{AppStart, AppWish};
use rpc::{Ask, Heard, Refusal};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::time::Duration;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::HtmlElement;
use wishes::{Wish, wish};

/// Pages that run at once. The oldest makes room.
const MAX_RUNNING: usize = 4;
const HEIGHTS: std::ops::RangeInclusive<i64> = 48..=640;
/// Smaller changes of a height are those of a page that fills what it is given.
const STEP: i64 = 4;
/// For a last word, before a page is taken away that made room.
const TEARDOWN: Duration = Duration::from_millis(300);
/// The tool by which resources of its server are read.
const READS: &str = "resources/read";
/// For so long a press in the page lets it cover the window.
const FRESH_PRESS_MS: f64 = 5_000.0;

/// What the conversation knows of a page.
#[derive(Clone, Copy)]
pub struct AppState {
    frame: RwSignal<Option<FrameId>>,
    /// In pixels, once the page told.
    pub height: RwSignal<Option<i64>>,
    /// Why it does not run any more.
    pub ended: RwSignal<Option<&'static str>>,
    /// It covers the whole window.
    pub is_full: RwSignal<bool>,
    /// What it wants of the person.
    pub wish: RwSignal<Option<AppWish>>,
    /// The person said no so often that it is not asked for anything more.
    pub is_refused: RwSignal<bool>,
    /// What goes along with the person's next message.
    pub words: RwSignal<String>,
}

impl AppState {
    /// Of a page that does not run yet. Its signals are its caller's.
    pub fn blank() -> Self {
        Self {
            frame: RwSignal::new(None),
            height: RwSignal::new(None),
            ended: RwSignal::new(None),
            is_full: RwSignal::new(false),
            wish: RwSignal::new(None),
            is_refused: RwSignal::new(false),
            words: RwSignal::new(String::new()),
        }
    }
}

struct Running {
    start: AppStart,
    state: AppState,
    place: HtmlElement,
    /// It said in which modes it can be shown. Absent: in any.
    modes: Option<Vec<String>>,
    is_ready: bool,
    outcome: Option<Outcome>,
    is_told: bool,
    wish: Option<Wish>,
    noes: u32,
    calls: usize,
    /// When the person pressed something in it last.
    pressed: Option<f64>,
    /// It has its last word, and then this is why it went.
    leaves: Option<&'static str>,
    pulse: Option<Pulse>,
}

thread_local! {
    static APPS: RefCell<HashMap<FrameId, Running>> = RefCell::default();
    static ORDER: RefCell<VecDeque<FrameId>> = RefCell::default();
    static IS_WATCHING: Cell<bool> = const { Cell::new(false) };
}

/// Shows the page in a frame within `place`, whose parent is what covers the window.
pub fn show(start: AppStart, place: &HtmlElement, state: AppState) {
    close(state);
    let AppStart { agent, tool, app, .. } = &start;
    let path = format!("/sandbox/app/{agent}/{}?digest={}", js_sys::encode_uri_component(tool), app.digest);
    let title = say!("{page} of {server}", page = app.name, server = app.server_name);
    let allow = app.uses.iter().map(|permission| permission.feature()).collect::<Vec<_>>().join("; ");
    let role = Role::App { path: &path, allow: &allow };
    let Some(frame) = frames::open_in(place, role, &title, on_frame_event) else {
        return state.ended.set(Some(t("The browser could not make a frame for it.")));
    };
    watch();
    APPS.with_borrow_mut(|apps| {
        let place = place.clone();
        let running = Running {
            start,
            state,
            place,
            modes: None,
            is_ready: false,
            outcome: None,
            is_told: false,
            wish: None,
            noes: 0,
            calls: 0,
            pressed: None,
            leaves: None,
            pulse: None,
        };
        apps.insert(frame, running);
    });
    state.ended.set(None);
    state.wish.set(None);
    state.is_refused.set(false);
    state.words.set(String::new());
    state.frame.set(Some(frame));
    let oldest = ORDER.with_borrow_mut(|order| {
        order.push_back(frame);
        if order.len() > MAX_RUNNING { order.pop_front() } else { None }
    });
    if let Some(oldest) = oldest {
        let why = t("It was put away to make room for newer ones.");
        with(oldest, |app| app.leaves = Some(why));
        say(oldest, &rpc::teardown());
        set_timeout(move || end(oldest, why), TEARDOWN);
    }
}

/// Has it stand in its line again.
pub fn leave_full(state: AppState) {
    if let Some(Some(frame)) = state.frame.try_get_untracked() {
        set_full(frame, false);
    }
}

/// Has it cover the window, or stand in its line again.
fn set_full(frame: FrameId, is_full: bool) {
    let Some((state, place)) = with(frame, |app| (app.state, app.place.parent_element())) else { return };
    if state.is_full.try_get_untracked() != Some(!is_full) {
        return;
    }
    let name = if is_full { "showPopover" } else { "hidePopover" };
    let cover = place.and_then(|place| {
        let method: Function = Reflect::get(&place, &JsValue::from_str(name)).ok()?.dyn_into().ok()?;
        method.call0(&place).ok()
    });
    // Where a browser cannot, it stays as it is.
    if cover.is_some() {
        let _ = state.is_full.try_set(is_full);
        tell_context(frame, json!({ "displayMode": context::mode(is_full) }));
    }
}

/// Takes the page away, with whatever runs in it.
pub fn close(state: AppState) {
    if let Some(Some(frame)) = state.frame.try_get_untracked() {
        say(frame, &rpc::teardown());
        close_frame(frame);
    }
}

fn close_frame(frame: FrameId) {
    set_full(frame, false);
    frames::close(frame);
    asks::forget(frame);
    ORDER.with_borrow_mut(|order| order.retain(|other| *other != frame));
    APPS.with_borrow_mut(|apps| apps.remove(&frame));
}

fn end(frame: FrameId, why: &'static str) {
    let Some(state) = with(frame, |app| app.state) else { return };
    close_frame(frame);
    // The conversation may be gone already.
    let _ = state.frame.try_set(None);
    let _ = state.wish.try_set(None);
    let _ = state.words.try_set(String::new());
    let _ = state.ended.try_set(Some(why));
}

fn with<T>(frame: FrameId, change: impl FnOnce(&mut Running) -> T) -> Option<T> {
    APPS.with_borrow_mut(|apps| apps.get_mut(&frame).map(change))
}

/// Asks every page now and then whether it is there, and tells them of another theme.
fn watch() {
    if IS_WATCHING.replace(true) {
        return;
    }
    context::watch_theme(|| {
        let frames: Vec<FrameId> = APPS.with_borrow(|apps| apps.keys().copied().collect());
        for frame in frames {
            tell_context(frame, context::look());
        }
    });
    let look = || {
        if document().hidden() {
            return;
        }
        let now = js_sys::Date::now();
        let beats: Vec<(FrameId, Beat)> = APPS.with_borrow_mut(|apps| {
            let felt = apps.iter_mut().filter_map(|(frame, app)| Some((*frame, app.pulse.as_mut()?)));
            felt.map(|(frame, pulse)| (frame, pulse.look(now))).collect()
        });
        for (frame, beat) in beats {
            match beat {
                Beat::Ask => {
                    frames::post(frame, &ToSkin::Ping);
                }
                Beat::Wait => {}
                Beat::Silent => end(frame, t("It did not answer any more and was taken away.")),
            }
        }
    };
    set_interval(look, Duration::from_millis(BEAT_MS));
}

fn on_frame_event(frame: FrameId, news: FrameEvent) {
    match news {
        FrameEvent::Opened => {
            with(frame, |app| app.pulse = Some(Pulse::default()));
        }
        FrameEvent::Anew => end(frame, t("It put another document in its place and was taken away.")),
        FrameEvent::Text(text) => match serde_json::from_str(&text) {
            Ok(message) => on_message(frame, message),
            Err(_) => frames::count_bad(frame),
        },
        FrameEvent::Removed { why } => end(frame, t(why)),
    }
}

fn on_message(frame: FrameId, message: FromSkin) {
    match message {
        FromSkin::Ready => {}
        FromSkin::Rpc { message } => hear(frame, &message),
        FromSkin::Pressed { ago_ms } => {
            with(frame, |app| app.pressed = Some(js_sys::Date::now() - ago_ms as f64));
            frames::note_press(ago_ms);
        }
        FromSkin::Focused => frames::note_focus(frame),
        FromSkin::Stray { key } => frames::note_stray(&key),
        FromSkin::Erased => end(frame, t("It put another document in its place and was taken away.")),
        FromSkin::Pong => {
            with(frame, |app| app.pulse.as_mut().map(Pulse::on_answer));
        }
        FromSkin::Problems { .. } => {}
        FromSkin::Performed { .. }
        | FromSkin::Notify { .. }
        | FromSkin::Ask { .. }
        | FromSkin::SetState { .. }
        | FromSkin::Request { .. }
        | FromSkin::Withdraw { .. }
        | FromSkin::Taken { .. }
        | FromSkin::Emit { .. }
        | FromSkin::CallTool { .. }
        | FromSkin::ReadFile { .. }
        | FromSkin::Snapshot { .. }
        | FromSkin::Typed { .. } => frames::count_bad(frame),
    }
}

fn hear(frame: FrameId, message: &Value) {
    match rpc::heard(message) {
        Heard::Asked { id, ask } => asked(frame, id, ask),
        Heard::Initialized => begin(frame),
        Heard::Size { height } => size(frame, height),
        Heard::Ends => end(frame, t("It said that it is done.")),
        Heard::TornDown => {
            if let Some(Some(why)) = with(frame, |app| app.leaves) {
                end(frame, why);
            }
        }
        Heard::Nothing => {}
        Heard::Bad => frames::count_bad(frame),
    }
}

fn asked(frame: FrameId, id: Option<Value>, ask: Ask) {
    let Some(state) = with(frame, |app| app.state) else { return };
    let reply = |reply: Value| {
        if let Some(id) = &id {
            say(frame, &rpc::result(id, reply));
        }
    };
    let refuse = |why: &Refusal| {
        if let Some(id) = &id {
            say(frame, &rpc::refusal(id, why));
        }
    };
    match ask {
        Ask::Initialize { modes } => {
            let told = with(frame, |app| {
                app.modes = modes;
                let size = (app.place.client_width(), *HEIGHTS.end());
                context::whole(&app.start.app, state.is_full.get_untracked(), size)
            });
            let sandbox = with(frame, |app| context::sandbox(&app.start.app));
            if let (Some(told), Some(sandbox)) = (told, sandbox) {
                reply(rpc::greeting(told, sandbox));
            }
        }
        Ask::Ping => reply(json!({})),
        Ask::Context { text } => {
            state.words.set(text);
            reply(json!({}));
        }
        Ask::Mode { mode } => {
            match mode.as_str() {
                "inline" => set_full(frame, false),
                "fullscreen" if may_cover(frame) => set_full(frame, true),
                _ => {}
            }
            reply(json!({ "mode": context::mode(state.is_full.get_untracked()) }));
        }
        Ask::CallTool { name, input } => call(frame, id, (name, input), Brings::Result),
        Ask::Read { uri } => {
            let input = json!({ "uri": uri });
            call(frame, id, (READS.to_owned(), input), Brings::Resource);
        }
        Ask::Save { name, bytes } => wish(frame, id, AppWish::Save { name, bytes }),
        Ask::OpenLink { url } => match link::read(&url) {
            Some(link::Address { host, href }) => wish(frame, id, AppWish::Link { host, url: href }),
            None => refuse(&Refusal::Wrong),
        },
        Ask::Say { text } => wish(frame, id, AppWish::Say { text }),
        Ask::Wrong => refuse(&Refusal::Wrong),
        Ask::Unknown => refuse(&Refusal::NoSuchMethod),
    }
}

/// Whether it may cover the window: the person pressed something in it, and it wants nothing of them. Once for each press.
fn may_cover(frame: FrameId) -> bool {
    let may = with(frame, |app| {
        let knows_it = app.modes.as_ref().is_none_or(|modes| modes.iter().any(|mode| mode == "fullscreen"));
        let pressed = app.pressed.take_if(|_| knows_it && app.wish.is_none());
        pressed.is_some_and(|at| js_sys::Date::now() - at <= FRESH_PRESS_MS)
    });
    may == Some(true)
}

fn size(frame: FrameId, height: f64) {
    let Some(state) = with(frame, |app| app.state) else { return };
    let height = (height.ceil() as i64).clamp(*HEIGHTS.start(), *HEIGHTS.end());
    // The conversation may be gone by then.
    let known = state.height.try_get_untracked().flatten();
    if known.is_none_or(|known| (known - height).abs() > STEP) {
        let _ = state.height.try_set(Some(height));
    }
}

fn tell_context(frame: FrameId, change: Value) {
    if with(frame, |app| app.is_ready) == Some(true) {
        say(frame, &rpc::notification("ui/notifications/host-context-changed", change));
    }
}

fn say(frame: FrameId, message: &Value) {
    frames::post(frame, &ToSkin::Rpc { text: message.to_string() });
}
