//! Pieces of interface within a conversation, each in a frame like that of the agent's page: it
//! shares its state and may speak to the agent, but reaches none of the person's devices.

use super::asks;
use super::frames::{self, FrameEvent, FrameId, Role};
use super::pulse::{BEAT_MS, Beat, Pulse};
use super::skin::{self, in_turn};
use super::state;
use crate::application::application;
use crate::live;
use language::t;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::AgentId;
use protocol::frame::{FromSkin, Reply, ToSkin};
use protocol::hub::ClientFrame;
use protocol::log::{Entry, EntryBody};
use protocol::page::{Answer, ScriptContext, SkinCommand, SkinPage};
use serde_json::Value;
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::time::Duration;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{HtmlElement, ResizeObserver};

/// Pieces that run at once. The oldest makes room.
const MAX_RUNNING: usize = 8;
/// What the content asks for, in pixels. The frame's own height must not count.
const MEASURE: &str = "return Math.ceil(document.documentElement.getBoundingClientRect().height);";
const MEASURE_MS: u32 = 1_000;
/// When the height is asked for again: by then scripts have run and pictures are there.
const SETTLED: Duration = Duration::from_millis(600);
const HEIGHTS: std::ops::RangeInclusive<i64> = 48..=640;
/// How long a browser keeps the process of a frame that was stuck.
const PROCESS_MS: f64 = 4_000.0;
/// How often a piece is shown anew that put another document in its place, or was moved.
const ANEW: u32 = 5;

/// What the conversation knows of a piece.
#[derive(Clone, Copy)]
pub struct ArtifactState {
    frame: RwSignal<Option<FrameId>>,
    height: RwSignal<Option<i64>>,
    ended: RwSignal<Option<&'static str>>,
}

impl ArtifactState {
    /// `height` is in pixels, once the content told; `ended` says why it does not run any more.
    pub fn new(height: RwSignal<Option<i64>>, ended: RwSignal<Option<&'static str>>) -> Self {
        Self { frame: RwSignal::new(None), height, ended }
    }
}

struct Artifact {
    agent: AgentId,
    title: String,
    place: HtmlElement,
    /// How often its frame was made anew.
    remade: u32,
    html: String,
    shown: ArtifactState,
    /// Counts the questions for its height.
    measured: u64,
    /// Felt from the moment it is shown.
    pulse: Option<Pulse>,
    _width: Option<Width>,
}

/// Watches a place until it is dropped.
struct Width {
    observer: ResizeObserver,
    _on_resize: Closure<dyn FnMut()>,
}

impl Width {
    /// Another height must not count: the content could ask for more each time.
    fn watch(place: &HtmlElement, changed: impl Fn() + 'static) -> Option<Self> {
        let watched = place.clone();
        let width = Cell::new(place.client_width());
        let on_resize = Closure::<dyn FnMut()>::new(move || {
            let now = watched.client_width();
            if width.replace(now) != now {
                changed();
            }
        });
        let observer = ResizeObserver::new(on_resize.as_ref().unchecked_ref()).ok()?;
        observer.observe(place);
        Some(Self { observer, _on_resize: on_resize })
    }
}

impl Drop for Width {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

thread_local! {
    static PIECES: RefCell<HashMap<FrameId, Artifact>> = RefCell::default();
    static ORDER: RefCell<VecDeque<FrameId>> = RefCell::default();
    static FEELS_PULSE: Cell<bool> = const { Cell::new(false) };
    /// When a piece that was stuck was taken away last.
    static GONE: Cell<f64> = const { Cell::new(0.0) };
}

/// Shows the HTML in a frame within `place`. Behind a frame that was stuck that has to wait until the
/// browser has given up its process: one that comes sooner gets the same.
pub fn show(agent: AgentId, title: &str, html: String, place: &HtmlElement, shown: ArtifactState) {
    if skin::is_stuck() {
        return shown
            .ended
            .set(Some(t("It may wait for the page, which does not answer. Reload the page first.")));
    }
    let rest = GONE.get() + PROCESS_MS - js_sys::Date::now();
    if rest <= 0.0 {
        return show_now(agent, title, html, place, shown, 0);
    }
    let (title, place) = (title.to_owned(), place.clone());
    let later = move || {
        // The conversation may be gone by then.
        if place.is_connected() {
            show_now(agent, &title, html, &place, shown, 0);
        }
    };
    set_timeout(later, Duration::from_millis(rest as u64));
}

fn show_now(
    agent: AgentId,
    title: &str,
    html: String,
    place: &HtmlElement,
    shown: ArtifactState,
    remade: u32,
) {
    let Some(frame) = frames::open_in(place, Role::Artifact, title, on_frame_event) else {
        return shown.ended.set(Some(t("The browser could not make a frame for it.")));
    };
    feel_pulse();
    let width = Width::watch(place, move || measure(frame));
    PIECES.with_borrow_mut(|pieces| {
        let (title, place) = (title.to_owned(), place.clone());
        let piece =
            Artifact { agent, title, place, remade, html, shown, measured: 0, pulse: None, _width: width };
        pieces.insert(frame, piece);
    });
    shown.ended.set(None);
    shown.frame.set(Some(frame));
    let oldest = ORDER.with_borrow_mut(|order| {
        order.push_back(frame);
        if order.len() > MAX_RUNNING { order.pop_front() } else { None }
    });
    if let Some(oldest) = oldest {
        end(oldest, t("It was put away to make room for newer ones."));
    }
}

/// Takes the piece away, with whatever runs in it.
pub fn close(shown: ArtifactState) {
    if let Some(Some(frame)) = shown.frame.try_get_untracked() {
        close_frame(frame);
    }
}

fn close_frame(frame: FrameId) {
    frames::close(frame);
    asks::forget(frame);
    state::forget(frame);
    ORDER.with_borrow_mut(|order| order.retain(|other| *other != frame));
    PIECES.with_borrow_mut(|pieces| pieces.remove(&frame));
}

/// Follows what others do to the state.
pub(crate) fn hear_entry(entry: &Entry) {
    let EntryBody::State { key, value, superseded: false } = &entry.body else { return };
    let of_agent: Vec<FrameId> = PIECES.with_borrow(|pieces| {
        let own = pieces.iter().filter(|(_, piece)| piece.agent == entry.agent);
        own.map(|(frame, _)| *frame).collect()
    });
    for frame in of_agent {
        frames::post(frame, &ToSkin::State { key: key.clone(), value: value.clone() });
    }
}

/// Asks every piece that is shown, now and then, whether it is there.
fn feel_pulse() {
    if FEELS_PULSE.replace(true) {
        return;
    }
    let look = || {
        if document().hidden() {
            return;
        }
        let now = js_sys::Date::now();
        let beats: Vec<(FrameId, Beat)> = PIECES.with_borrow_mut(|pieces| {
            let felt = pieces.iter_mut().filter_map(|(frame, piece)| Some((*frame, piece.pulse.as_mut()?)));
            felt.map(|(frame, pulse)| (frame, pulse.look(now))).collect()
        });
        let is_any_silent = beats.iter().any(|(_, beat)| *beat == Beat::Silent);
        for (frame, beat) in beats {
            match beat {
                Beat::Ask => {
                    frames::post(frame, &ToSkin::Ping);
                }
                Beat::Wait => {}
                Beat::Silent => {
                    GONE.set(now);
                    end(frame, t("It did not answer any more and was taken away."));
                }
            }
        }
        if is_any_silent {
            skin::share_fate();
        }
    };
    set_interval(look, Duration::from_millis(BEAT_MS));
}

/// Shows a piece in another frame: its own has another document, in which nothing of ours may be.
fn remake(frame: FrameId) {
    let known = PIECES.with_borrow(|pieces| {
        let Artifact { agent, title, place, remade, html, shown, .. } = pieces.get(&frame)?;
        Some((agent.clone(), title.clone(), place.clone(), *remade + 1, html.clone(), *shown))
    });
    let Some((agent, title, place, remade, html, shown)) = known else { return };
    if remade > ANEW {
        return end(frame, t("It replaced itself again and again."));
    }
    close_frame(frame);
    show_now(agent, &title, html, &place, shown, remade);
}

fn end(frame: FrameId, why: &'static str) {
    let shown = PIECES.with_borrow(|pieces| pieces.get(&frame).map(|piece| piece.shown));
    close_frame(frame);
    if let Some(shown) = shown {
        // The conversation may be gone already.
        let _ = shown.frame.try_set(None);
        let _ = shown.ended.try_set(Some(why));
    }
}

fn on_frame_event(frame: FrameId, news: FrameEvent) {
    match news {
        FrameEvent::Opened => {}
        FrameEvent::Anew => remake(frame),
        FrameEvent::Text(text) => match serde_json::from_str(&text) {
            Ok(message) => hear_piece(frame, message),
            Err(_) => frames::count_bad(frame),
        },
        FrameEvent::Removed { why } => end(frame, t(why)),
    }
}

fn hear_piece(frame: FrameId, message: FromSkin) {
    if !PIECES.with_borrow(|pieces| pieces.contains_key(&frame)) {
        return;
    }
    in_turn(frame, message, on_message);
}

fn on_message(frame: FrameId, message: FromSkin) {
    let Some(agent) = PIECES.with_borrow(|pieces| pieces.get(&frame).map(|piece| piece.agent.clone())) else {
        return;
    };
    match message {
        FromSkin::Ready => spawn_local(fill(frame, agent)),
        FromSkin::Performed { request, done } => {
            take_height(frame, request, done.result.get("value").and_then(Value::as_i64));
        }
        FromSkin::Notify { name, data } => {
            live::send(ClientFrame::PageNotify { agent, name, data });
        }
        FromSkin::Emit { name, data } => {
            live::send(ClientFrame::PageEmit { agent, name, data });
        }
        FromSkin::SetState { key, value } => state::set(frame, agent, key, value, on_message),
        FromSkin::Ask { id, text } => {
            let own = asks::expect_answer(frame, id);
            live::send(ClientFrame::PageAsk { agent, id: own, text });
        }
        FromSkin::CallTool { id, .. } | FromSkin::ReadFile { id, .. } => {
            let message = "Only the agent's page can call tools and read files.".to_owned();
            frames::post(frame, &ToSkin::Answered { id, answer: Answer::Error { message } });
        }
        FromSkin::Request { id, .. } => {
            let name = "NotAllowedError".to_owned();
            let message = "Only the agent's page can ask the person for this.".to_owned();
            frames::post(frame, &ToSkin::Reply { id, reply: Reply::Failed { name, message } });
        }
        FromSkin::Pressed { ago_ms } => frames::note_press(ago_ms),
        FromSkin::Focused => frames::note_focus(frame),
        FromSkin::Stray { key } => frames::note_stray(&key),
        FromSkin::Erased => remake(frame),
        FromSkin::Pong => {
            PIECES.with_borrow_mut(|pieces| {
                if let Some(pulse) = pieces.get_mut(&frame).and_then(|piece| piece.pulse.as_mut()) {
                    pulse.on_answer();
                }
            });
        }
        // It is shown as the call made it, and mended by another call.
        FromSkin::Withdraw { .. }
        | FromSkin::Taken { .. }
        | FromSkin::Rpc { .. }
        | FromSkin::Snapshot { .. }
        | FromSkin::Problems { .. }
        | FromSkin::Typed { .. } => {}
    }
}

async fn fill(frame: FrameId, agent: AgentId) {
    let Ok(state) = (application().state)(agent).await else {
        return end(frame, t("The agent's state could not be fetched from the hub."));
    };
    let html = PIECES.with_borrow_mut(|pieces| {
        let piece = pieces.get_mut(&frame)?;
        piece.pulse = Some(Pulse::default());
        Some(piece.html.clone())
    });
    let Some(body) = html else { return };
    let page = SkinPage { body, ..SkinPage::default() };
    frames::post(frame, &ToSkin::Show { version: 1, page, state, typed: Vec::new() });
    measure(frame);
    set_timeout(move || measure(frame), SETTLED);
}

fn measure(frame: FrameId) {
    let request = PIECES.with_borrow_mut(|pieces| {
        let piece = pieces.get_mut(&frame)?;
        piece.measured += 1;
        Some(piece.measured)
    });
    if let Some(request) = request {
        let command = SkinCommand::RunJs {
            code: MEASURE.to_owned(),
            timeout_ms: MEASURE_MS,
            context: ScriptContext::Page,
        };
        frames::post(frame, &ToSkin::Perform { request, command });
    }
}

fn take_height(frame: FrameId, request: u64, height: Option<i64>) {
    let known = PIECES.with_borrow(|pieces| pieces.get(&frame).map(|piece| (piece.shown, piece.measured)));
    let Some((shown, asked)) = known else { return };
    if request == 0 || request > asked {
        return frames::count_bad(frame);
    }
    if let Some(height) = height {
        let _ = shown.height.try_set(Some(height.clamp(*HEIGHTS.start(), *HEIGHTS.end())));
    }
}
