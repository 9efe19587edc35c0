//! Keeps the keyboard with whoever writes: a page that takes the focus while a field of the shell has it
//! gives it back, unless the person pressed something in that page, or went on with Tab.

use super::frames::{self, FrameId};
use js_sys::Date;
use leptos::prelude::*;
use std::cell::{Cell, RefCell};
use std::time::Duration;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{
    Element, Event, EventInit, HtmlElement, HtmlInputElement, HtmlTextAreaElement, KeyboardEvent,
    PointerEvent,
};

/// How long the news of a press may take behind the focus that it gives.
const NEWS: Duration = Duration::from_millis(60);
/// A page may also take the focus while another window has it, of which nobody is told.
const LOOK: Duration = Duration::from_millis(250);
/// So long after a letter somebody is writing, in milliseconds.
const WRITING_MS: f64 = 10_000.0;

/// The field that has the keyboard, and since when.
struct FocusedField {
    field: HtmlElement,
    since: f64,
}

thread_local! {
    static HELD: RefCell<Option<FocusedField>> = const { RefCell::new(None) };
    static LAST_KEY: Cell<f64> = const { Cell::new(f64::NEG_INFINITY) };
    /// Tab is on its way to the next element, which may be in a frame.
    static LEAVES: Cell<bool> = const { Cell::new(false) };
    /// The pointer is surely over the shell, so no press of it is in a frame.
    static POINTS_AT_SHELL: Cell<bool> = const { Cell::new(false) };
}

pub(super) fn keep() {
    let of = |listener: fn(Event)| move |event: JsValue| listener(event.unchecked_into());
    for (name, listener) in [
        ("focusin", of(|event| begin(&event))),
        ("focusout", of(|_| set_timeout(|| look(Pressed::NotYetKnown), Duration::ZERO))),
        ("keydown", of(|event| note_key(&event))),
        ("pointermove", of(|event| note_pointer(&event))),
        ("pointerdown", of(|event| note_pointer(&event))),
        ("pointerout", of(|event| note_pointer(&event))),
    ] {
        frames::listen_first(name, listener);
    }
    set_interval(|| look(Pressed::NotYetKnown), LOOK);
}

/// The person pressed something in the frame at this time.
pub(super) fn let_go(at: f64) {
    HELD.with_borrow_mut(|held| {
        if held.as_ref().is_some_and(|held| at >= held.since) {
            *held = None;
        }
    });
}

/// Whether the keyboard may go to a frame that has the focus; if not, it goes back.
pub(super) fn may_go_to(frame: FrameId) -> bool {
    let Some(field) = HELD.with_borrow(|held| held.as_ref().map(|held| held.field.clone())) else {
        return true;
    };
    if LEAVES.replace(false) || !field.is_connected() {
        HELD.set(None);
        return true;
    }
    if document().active_element().as_ref() != Some(field.as_ref()) {
        take_back(&field, frame);
    }
    false
}

/// Writes a letter where the person is writing, that a frame got in between.
pub(super) fn put_back(key: &str) {
    let Some(field) = HELD.with_borrow(|held| held.as_ref().map(|held| held.field.clone())) else { return };
    if key.chars().count() != 1 {
        return;
    }
    if write_at_caret(&field, key).is_ok()
        && let Ok(told) = Event::new_with_event_init_dict("input", &bubbling())
    {
        // Whoever hears of it may throw; the letter stands there.
        let _ = field.dispatch_event(&told);
    }
}

fn write_at_caret(field: &HtmlElement, key: &str) -> Result<(), JsValue> {
    if let Some(area) = field.dyn_ref::<HtmlTextAreaElement>() {
        let at = area.selection_start()?.unwrap_or_default() + 1;
        area.set_range_text(key)?;
        return area.set_selection_range(at, at);
    }
    let input = field.dyn_ref::<HtmlInputElement>().ok_or(JsValue::NULL)?;
    let at = input.selection_start()?.unwrap_or_default() + 1;
    input.set_range_text(key)?;
    input.set_selection_range(at, at)
}

fn bubbling() -> EventInit {
    let init = EventInit::new();
    init.set_bubbles(true);
    init
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pressed {
    NotYetKnown,
    No,
}

fn begin(event: &Event) {
    LEAVES.set(false);
    let field = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
    let field = field.filter(is_written_in);
    HELD.with_borrow_mut(|held| match (held.as_ref(), field) {
        // It got the keyboard back.
        (Some(before), Some(field)) if before.field == field => {}
        (_, field) => *held = field.map(|field| FocusedField { field, since: Date::now() }),
    });
}

fn is_written_in(element: &HtmlElement) -> bool {
    if let Some(input) = element.dyn_ref::<HtmlInputElement>() {
        return !matches!(
            input.type_().as_str(),
            "button" | "checkbox" | "color" | "file" | "image" | "radio" | "range" | "reset" | "submit"
        );
    }
    element.tag_name() == "TEXTAREA" || element.is_content_editable()
}

fn note_key(event: &Event) {
    let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
    LEAVES.set(event.key() == "Tab");
    LAST_KEY.set(Date::now());
}

fn note_pointer(event: &Event) {
    let Some(event) = event.dyn_ref::<PointerEvent>() else { return };
    let target = if event.type_() == "pointerout" { event.related_target() } else { event.target() };
    let is_shell = target
        .and_then(|target| target.dyn_into::<Element>().ok())
        .is_some_and(|at| frames::at(&at).is_none());
    POINTS_AT_SHELL.set(is_shell && event.pointer_type() == "mouse");
}

/// Looks who has the keyboard, and takes it back from a frame that nobody gave it to.
fn look(pressed: Pressed) {
    let Some(field) = HELD.with_borrow(|held| held.as_ref().map(|held| held.field.clone())) else { return };
    let active = document().active_element();
    if active.as_ref() == Some(field.as_ref()) {
        return;
    }
    let Some(frame) = active.and_then(|active| frames::at(&active)) else {
        return HELD.set(None);
    };
    if LEAVES.replace(false) || !field.is_connected() {
        return HELD.set(None);
    }
    if pressed == Pressed::NotYetKnown && !POINTS_AT_SHELL.get() {
        return set_timeout(|| look(Pressed::No), NEWS);
    }
    take_back(&field, frame);
}

fn take_back(field: &HtmlElement, frame: FrameId) {
    if Date::now() - LAST_KEY.get() < WRITING_MS {
        frames::count_steal(frame);
    }
    // A field that takes no focus any more has lost the keyboard anyway.
    let _ = field.focus();
}
