//! The frames themselves: the element that holds them, the hello that gets a frame its port, and
//! the guard before everything that comes out of one. Whose frame it is stands in the element that
//! was made here, never in a message.

use super::guard::{Guard, Verdict};
use js_sys::{Array, JsString, Object, Reflect};
use leptos::ev;
use leptos::prelude::*;
use serde::Serialize;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{HtmlElement, HtmlIFrameElement, MessageChannel, MessageEvent, MessagePort};

const HELLO_VERSION: f64 = protocol::VERSION as f64;

/// Names one frame element of this page, never used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FrameId(u64);

#[derive(Clone, Copy)]
pub enum Role {
    Skin,
    /// A piece of interface in a conversation.
    Artifact,
    Loop,
}

/// What a frame tells its owner.
pub enum News {
    /// Its document is new, and has its port.
    Opened,
    Text(String),
    /// It behaved so badly that it was taken away.
    Removed {
        why: &'static str,
    },
}

type Hear = Rc<dyn Fn(FrameId, News)>;

struct Frame {
    element: HtmlIFrameElement,
    port: Option<Port>,
    guard: Guard,
    hear: Hear,
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
}

/// Makes a frame over the page. `hear` gets its news until it is closed.
pub fn open(role: Role, title: &str, hear: impl Fn(FrameId, News) + 'static) -> Option<FrameId> {
    open_in(&host()?, role, title, hear)
}

/// The same within an element of the page, which must stay where it is: a frame that is moved is
/// loaded anew.
pub fn open_in(
    place: &HtmlElement,
    role: Role,
    title: &str,
    hear: impl Fn(FrameId, News) + 'static,
) -> Option<FrameId> {
    // The first frame makes the page listen for hellos.
    host()?;
    let element: HtmlIFrameElement = document().create_element("iframe").ok()?.unchecked_into();
    let (name, path, sandbox, longest) = match role {
        Role::Skin => ("skin", "/sandbox/skin", "allow-scripts allow-forms", 4 * 1024 * 1024),
        Role::Artifact => ("artifact", "/sandbox/skin", "allow-scripts allow-forms", 1024 * 1024),
        Role::Loop => ("loop", "/sandbox/loop", "allow-scripts", 8 * 1024 * 1024),
    };
    let mut attributes = vec![
        ("data-role", name),
        ("title", title),
        ("sandbox", sandbox),
        ("allow", ""),
        ("referrerpolicy", "no-referrer"),
    ];
    match role {
        Role::Skin => {}
        Role::Artifact => attributes.push(("loading", "lazy")),
        Role::Loop => attributes.extend([("aria-hidden", "true"), ("tabindex", "-1")]),
    }
    // The address comes last: by then the element is walled in.
    attributes.push(("src", path));
    for (attribute, value) in attributes {
        element.set_attribute(attribute, value).ok()?;
    }
    let id = FrameId(LAST.replace(LAST.get() + 1) + 1);
    let frame =
        Frame { element: element.clone(), port: None, guard: Guard::new(longest), hear: Rc::new(hear) };
    FRAMES.with_borrow_mut(|frames| frames.insert(id, frame));
    place.append_child(&element).ok()?;
    Some(id)
}

/// Takes the frame out of the page, and with it whatever runs there.
pub fn close(id: FrameId) {
    if let Some(frame) = FRAMES.with_borrow_mut(|frames| frames.remove(&id)) {
        frame.element.remove();
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
    HOST.set(Some(host.clone()));
    Some(host)
}

/// Hands a port to a frame of ours that says hello. The port it had before is closed.
fn greet(event: &MessageEvent) {
    let Some(source) = event.source() else { return };
    let is_source =
        |frame: &Frame| frame.element.content_window().is_some_and(|window| Object::is(&window, &source));
    let Some(id) =
        FRAMES.with_borrow(|frames| frames.iter().find(|(_, frame)| is_source(frame)).map(|(id, _)| *id))
    else {
        return;
    };
    if judge(id, |guard| guard.weigh(0, js_sys::Date::now())) != Verdict::Pass {
        return;
    }
    if !is_hello(&event.data()) {
        return count_bad(id);
    }
    if hand_over_port(id).is_some() {
        tell(id, News::Opened);
    }
}

fn is_hello(data: &JsValue) -> bool {
    let field = |name: &str| Reflect::get(data, &JsValue::from_str(name)).unwrap_or_default();
    field("vivarium").as_string().as_deref() == Some("hello")
        && field("version").as_f64() == Some(HELLO_VERSION)
}

fn hand_over_port(id: FrameId) -> Option<()> {
    let channel = MessageChannel::new().ok()?;
    let on_message =
        Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| hear_text(id, &event.data()));
    let inner = channel.port1();
    inner.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    let window = FRAMES.with_borrow_mut(|frames| {
        let frame = frames.get_mut(&id)?;
        frame.port = Some(Port { inner, _on_message: on_message });
        frame.element.content_window()
    })?;
    let answer = Object::new();
    Reflect::set(&answer, &"vivarium".into(), &"port".into()).ok()?;
    Reflect::set(&answer, &"version".into(), &HELLO_VERSION.into()).ok()?;
    // An opaque origin cannot be named, and the answer holds nothing but the port.
    window.post_message_with_transfer(&answer, "*", &Array::of1(&channel.port2())).ok()
}

fn hear_text(id: FrameId, data: &JsValue) {
    let Some(text) = data.dyn_ref::<JsString>() else { return count_bad(id) };
    if judge(id, |guard| guard.weigh(text.length(), js_sys::Date::now())) == Verdict::Pass {
        tell(id, News::Text(String::from(text)));
    }
}

fn judge(id: FrameId, judge: impl FnOnce(&mut Guard) -> Verdict) -> Verdict {
    let verdict = FRAMES.with_borrow_mut(|frames| frames.get_mut(&id).map(|frame| judge(&mut frame.guard)));
    let Some(verdict) = verdict else { return Verdict::Drop };
    if let Verdict::Remove(why) = verdict {
        let hear = FRAMES.with_borrow(|frames| frames.get(&id).map(|frame| Rc::clone(&frame.hear)));
        close(id);
        if let Some(hear) = hear {
            hear(id, News::Removed { why });
        }
    }
    verdict
}

fn tell(id: FrameId, news: News) {
    let hear = FRAMES.with_borrow(|frames| frames.get(&id).map(|frame| Rc::clone(&frame.hear)));
    if let Some(hear) = hear {
        hear(id, news);
    }
}
