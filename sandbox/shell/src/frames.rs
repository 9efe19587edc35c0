//! The frames themselves: the element that holds them, the hello that gets a frame its port, and
//! the guard before everything that comes out of one. Whose frame it is stands in the element that
//! was made here, never in a message.

use super::guard::{Guard, GuardAction};
use super::{drops, keyboard};
use js_sys::{Array, JsString, Object, Reflect};
use language::key;
use leptos::ev;
use leptos::prelude::*;
use protocol::frame::{FromSkin, ToSkin};
use serde::Serialize;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlElement, HtmlIFrameElement, MessageChannel, MessageEvent, MessagePort, Window};

const HELLO_VERSION: f64 = protocol::VERSION as f64;
/// Windows within each other that a message is traced through.
const MAX_WINDOW_DEPTH: u32 = 8;
/// How long a frame that took the keyboard is heard once it is gone, and its longest word then.
const LAST_WORDS: Duration = Duration::from_secs(1);
const LONGEST_STRAY: u32 = 64;

/// Names one frame element of this page, never used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FrameId(u64);

#[derive(Clone, Copy)]
pub enum Role<'a> {
    Skin,
    /// A piece of interface in a conversation.
    Artifact,
    /// The page of a tool of an MCP server, from this address of the hub's, with what its person allowed of the device.
    App {
        path: &'a str,
        allow: &'a str,
    },
    Loop,
}

/// What a frame tells its owner.
pub enum FrameEvent {
    /// Its document has its port.
    Opened,
    /// It has another document, which gets no port: it has to be made anew.
    Anew,
    Text(String),
    /// It behaved so badly that it was taken away.
    Removed {
        why: &'static str,
    },
}

type FrameHandler = Rc<dyn Fn(FrameId, FrameEvent)>;

struct Frame {
    element: HtmlIFrameElement,
    /// It holds a page, which may hold others.
    is_page: bool,
    /// Scripts of others run in it before an answer to its hello could come: the hello has the port, or it gets none.
    brings_port: bool,
    /// The first document of the frame is there.
    is_loaded: bool,
    on_load: Closure<dyn FnMut()>,
    port: Option<Port>,
    guard: Guard,
    hear: FrameHandler,
}

struct Port {
    inner: MessagePort,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
}

impl Drop for Port {
    fn drop(&mut self) {
        self.inner.set_onmessage(None);
        self.inner.close();
    }
}

thread_local! {
    static FRAMES: RefCell<HashMap<FrameId, Frame>> = RefCell::default();
    static HOST: RefCell<Option<HtmlElement>> = const { RefCell::new(None) };
    static LAST: Cell<u64> = const { Cell::new(0) };
    static PRESSES: ArcRwSignal<u32> = ArcRwSignal::new(0);
}

/// Counts what the person presses within frames, which no listener of the page around them hears of.
pub fn presses() -> ArcRwSignal<u32> {
    PRESSES.with(Clone::clone)
}

/// Makes a frame over the page. `hear` gets its news until it is closed.
pub fn open(role: Role<'_>, title: &str, hear: impl Fn(FrameId, FrameEvent) + 'static) -> Option<FrameId> {
    open_in(&host()?, role, title, hear)
}

/// The same within an element of the page, which must stay where it is: a frame that is moved is
/// loaded anew.
pub fn open_in(
    place: &HtmlElement,
    role: Role<'_>,
    title: &str,
    hear: impl Fn(FrameId, FrameEvent) + 'static,
) -> Option<FrameId> {
    // The first frame makes the page listen for hellos.
    host()?;
    let element: HtmlIFrameElement = document().create_element("iframe").ok()?.unchecked_into();
    let allow = match role {
        Role::App { allow, .. } => allow,
        Role::Skin | Role::Artifact | Role::Loop => "",
    };
    let (name, path, sandbox, longest) = match role {
        Role::Skin => ("skin", "/sandbox/skin", "allow-scripts allow-forms", 4 * 1024 * 1024),
        Role::Artifact => ("artifact", "/sandbox/skin", "allow-scripts allow-forms", 1024 * 1024),
        Role::App { path, .. } => ("app", path, "allow-scripts allow-forms", 1024 * 1024),
        Role::Loop => ("loop", "/sandbox/loop", "allow-scripts", 8 * 1024 * 1024),
    };
    let mut attributes = vec![
        ("data-role", name),
        ("title", title),
        ("sandbox", sandbox),
        ("allow", allow),
        ("referrerpolicy", "no-referrer"),
    ];
    match role {
        Role::Skin => {}
        Role::Artifact | Role::App { .. } => attributes.push(("loading", "lazy")),
        Role::Loop => attributes.extend([("aria-hidden", "true"), ("tabindex", "-1")]),
    }
    // The address comes last: by then the element is walled in.
    attributes.push(("src", path));
    for (attribute, value) in attributes {
        element.set_attribute(attribute, value).ok()?;
    }
    let id = FrameId(LAST.replace(LAST.get() + 1) + 1);
    let on_load = Closure::<dyn FnMut()>::new(move || note_load(id));
    element.set_onload(Some(on_load.as_ref().unchecked_ref()));
    let frame = Frame {
        element: element.clone(),
        is_page: !matches!(role, Role::Loop),
        brings_port: matches!(role, Role::App { .. }),
        is_loaded: false,
        on_load,
        port: None,
        guard: Guard::new(longest),
        hear: Rc::new(hear),
    };
    FRAMES.with_borrow_mut(|frames| frames.insert(id, frame));
    place.append_child(&element).ok()?;
    Some(id)
}

/// Takes the frame out of the page, and with it whatever runs there.
pub fn close(id: FrameId) {
    if let Some(frame) = FRAMES.with_borrow_mut(|frames| frames.remove(&id)) {
        frame.element.set_onload(None);
        frame.element.remove();
        drop(frame.on_load);
    }
}

pub fn element(id: FrameId) -> Option<HtmlElement> {
    FRAMES.with_borrow(|frames| frames.get(&id).map(|frame| frame.element.clone().into()))
}

/// Whether the frame has a port to take the message.
pub fn post(id: FrameId, message: &impl Serialize) -> bool {
    let Ok(text) = serde_json::to_string(message) else { return false };
    post_value(id, &JsValue::from_str(&text), &Array::new())
}

pub fn post_value(id: FrameId, message: &JsValue, transfer: &Array) -> bool {
    let port = FRAMES.with_borrow(|frames| frames.get(&id)?.port.as_ref().map(|port| port.inner.clone()));
    port.is_some_and(|port| port.post_message_with_transferable(message, transfer).is_ok())
}

/// The frame that this element is.
pub fn at(element: &Element) -> Option<FrameId> {
    FRAMES.with_borrow(|frames| {
        let mut all = frames.iter();
        all.find(|(_, frame)| Object::is(&frame.element, element)).map(|(id, _)| *id)
    })
}

/// The person pressed something in there, so long ago.
pub fn note_press(ago_ms: u64) {
    keyboard::let_go(js_sys::Date::now() - ago_ms as f64);
    presses().update(|count| *count = count.wrapping_add(1));
}

/// It has the focus without a press. Where nobody writes it may keep it.
pub fn note_focus(id: FrameId) {
    if keyboard::may_go_to(id) {
        post(id, &ToSkin::Keyboard);
    }
}

/// A key that came to a frame and was not meant for it.
pub fn note_stray(key: &str) {
    keyboard::put_back(key);
}

/// Counts a time that it took the keyboard from somebody who writes. What it got of that is still taken back.
pub fn count_steal(id: FrameId) {
    let (verdict, port) = FRAMES.with_borrow_mut(|frames| {
        let Some(frame) = frames.get_mut(&id) else { return (GuardAction::Drop, None) };
        match frame.guard.count_steal(js_sys::Date::now()) {
            GuardAction::Remove(why) => (GuardAction::Remove(why), frame.port.take()),
            verdict => (verdict, None),
        }
    });
    if let GuardAction::Remove(why) = verdict {
        set_timeout(move || drop(port), LAST_WORDS);
        remove(id, why);
    }
}

/// Hears an event of the page's before anybody else does.
pub fn listen_first(name: &'static str, listener: impl Fn(JsValue) + 'static) {
    let listener = Closure::<dyn Fn(JsValue)>::new(listener).into_js_value();
    // A window takes any listener.
    let _ = window().add_event_listener_with_callback_and_bool(name, listener.unchecked_ref(), true);
}

/// Counts a message that its owner could not read.
pub fn count_bad(id: FrameId) {
    judge(id, Guard::count_bad);
}

/// While the divider is dragged, frames let the pointer through.
pub fn set_dragging(is_dragging: bool) {
    if let Some(host) = host() {
        // Setting an attribute of this name cannot fail.
        let _ = host.toggle_attribute_with_force("data-dragging", is_dragging);
    }
}

fn host() -> Option<HtmlElement> {
    if let Some(host) = HOST.with_borrow(Clone::clone) {
        return Some(host);
    }
    let host: HtmlElement = document().create_element("div").ok()?.unchecked_into();
    host.set_class_name("frames");
    document().body()?.append_child(&host).ok()?;
    window_event_listener(ev::message, |event| greet(&event));
    keyboard::keep();
    drops::refuse();
    HOST.set(Some(host.clone()));
    Some(host)
}

/// A frame has one document, and its own script runs first in there: so the first to say hello is ours.
fn note_load(id: FrameId) {
    let was_loaded = FRAMES.with_borrow_mut(|frames| {
        frames.get_mut(&id).is_some_and(|frame| std::mem::replace(&mut frame.is_loaded, true))
    });
    if was_loaded {
        tell(id, FrameEvent::Anew);
    }
}

/// Opens a port with a frame of ours that says hello. Nothing else that comes this way is read: what it
/// holds would be made before anybody could weigh it.
fn greet(event: &MessageEvent) {
    let now = js_sys::Date::now();
    let source = event.source().map(JsValue::from);
    let newcomer = source.as_ref().and_then(|source| {
        FRAMES.with_borrow(|frames| {
            let mut new = frames.iter().filter(|(_, frame)| frame.port.is_none());
            new.find(|(_, frame)| is_of(source, frame)).map(|(id, frame)| (*id, frame.brings_port))
        })
    });
    let Some((id, brings_port)) = newcomer else {
        for id in behind(source) {
            judge(id, |guard| guard.count_stray(now));
        }
        return;
    };
    if judge(id, |guard| guard.weigh(0, now)) != GuardAction::Pass {
        return;
    }
    let opened = match (is_hello(&event.data()), brings_port) {
        (true, false) => hand_over_port(id),
        (true, true) => take_port(id, event),
        (false, true) => None,
        (false, false) => return count_bad(id),
    };
    match (opened, brings_port) {
        (Some(()), _) => tell(id, FrameEvent::Opened),
        // What it says first is said by our script, if that runs there.
        (None, true) => remove(id, key!("It did not begin as pages do.")),
        (None, false) => {}
    }
}

fn is_of(source: &JsValue, frame: &Frame) -> bool {
    frame.element.content_window().is_some_and(|window| Object::is(&window, source))
}

/// The frames that a message may come out of: that of its window or of one around it, and all with a page
/// if the window is gone.
fn behind(source: Option<JsValue>) -> Vec<FrameId> {
    FRAMES.with_borrow(|frames| {
        let mut at = source;
        for _ in 0..MAX_WINDOW_DEPTH {
            let Some(source) = at else { break };
            if let Some((id, _)) = frames.iter().find(|(_, frame)| is_of(&source, frame)) {
                return vec![*id];
            }
            // Any window tells its parent, whoever asks.
            at = source.unchecked_ref::<Window>().parent().ok().flatten().map(JsValue::from);
            if at.as_ref().is_some_and(|parent| Object::is(parent, &window())) {
                return Vec::new();
            }
        }
        let pages = frames.iter().filter(|(_, frame)| frame.is_page);
        pages.map(|(id, _)| *id).collect()
    })
}

fn is_hello(data: &JsValue) -> bool {
    let field = |name: &str| Reflect::get(data, &JsValue::from_str(name)).unwrap_or_default();
    field("vivarium").as_string().as_deref() == Some("hello")
        && field("version").as_f64() == Some(HELLO_VERSION)
}

fn hand_over_port(id: FrameId) -> Option<()> {
    let channel = MessageChannel::new().ok()?;
    listen(id, channel.port1())?;
    let window = FRAMES.with_borrow(|frames| frames.get(&id)?.element.content_window())?;
    let answer = Object::new();
    Reflect::set(&answer, &"vivarium".into(), &"port".into()).ok()?;
    Reflect::set(&answer, &"version".into(), &HELLO_VERSION.into()).ok()?;
    // An opaque origin cannot be named, and the answer holds nothing but the port.
    window.post_message_with_transfer(&answer, "*", &Array::of1(&channel.port2())).ok()
}

fn take_port(id: FrameId, event: &MessageEvent) -> Option<()> {
    let port = event.ports().get(0).dyn_into::<MessagePort>().ok()?;
    listen(id, port)
}

fn listen(id: FrameId, inner: MessagePort) -> Option<()> {
    let on_message =
        Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| hear_text(id, &event.data()));
    // What was said into it already is heard from here on.
    inner.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    FRAMES.with_borrow_mut(|frames| {
        frames.get_mut(&id)?.port = Some(Port { inner, _on_message: on_message });
        Some(())
    })
}

fn hear_text(id: FrameId, data: &JsValue) {
    let Some(text) = data.dyn_ref::<JsString>() else { return count_bad(id) };
    if !FRAMES.with_borrow(|frames| frames.contains_key(&id)) {
        return hear_last(text);
    }
    let now = js_sys::Date::now();
    if judge(id, |guard| guard.weigh(text.length(), now)) != GuardAction::Pass {
        return;
    }
    let text = String::from(text);
    if judge(id, |guard| guard.weigh_values(&text, now)) == GuardAction::Pass {
        tell(id, FrameEvent::Text(text));
    }
}

/// Of a frame that was taken away only letters are taken that belong elsewhere.
fn hear_last(text: &JsString) {
    if text.length() > LONGEST_STRAY {
        return;
    }
    if let Ok(FromSkin::Stray { key }) = serde_json::from_str(&String::from(text)) {
        note_stray(&key);
    }
}

fn judge(id: FrameId, judge: impl FnOnce(&mut Guard) -> GuardAction) -> GuardAction {
    let verdict = FRAMES.with_borrow_mut(|frames| frames.get_mut(&id).map(|frame| judge(&mut frame.guard)));
    let Some(verdict) = verdict else { return GuardAction::Drop };
    if let GuardAction::Remove(why) = verdict {
        remove(id, why);
    }
    verdict
}

fn remove(id: FrameId, why: &'static str) {
    let hear = FRAMES.with_borrow(|frames| frames.get(&id).map(|frame| Rc::clone(&frame.hear)));
    close(id);
    if let Some(hear) = hear {
        hear(id, FrameEvent::Removed { why });
    }
}

fn tell(id: FrameId, news: FrameEvent) {
    let hear = FRAMES.with_borrow(|frames| frames.get(&id).map(|frame| Rc::clone(&frame.hear)));
    if let Some(hear) = hear {
        hear(id, news);
    }
}
