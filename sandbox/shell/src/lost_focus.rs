//! Where the focus goes when what has it is taken out of the page: to what stands there then, so that nobody who uses
//! the keyboard begins at the top again. Never to a button or a field: a key that is pressed twice must not do to the
//! next row what it did to the last, and an answer gets the focus from nobody but the person.

use super::frames;
use leptos::prelude::*;
use std::cell::RefCell;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{Element, Event, FocusOptions, HtmlElement, MutationObserver, MutationObserverInit};

/// What is pressed or filled in.
const CONTROLS: &str = "a, button, input, select, textarea, summary, label, iframe";
/// What a place is looked for in; outside of them only the contents of the page are one.
const PARTS: &str = "main, nav, dialog";
const MAIN: &str = "main";

/// What has the focus.
struct Focused {
    element: Element,
    /// What it stands in, from the inside, each with the number of the child that leads to it.
    around: Vec<(Element, usize)>,
}

impl Focused {
    fn of(element: Element) -> Self {
        let mut around = Vec::new();
        let mut child = element.clone();
        while let Some(parent) = child.parent_element() {
            around.push((parent.clone(), number(&child)));
            child = parent;
        }
        Self { element, around }
    }

    /// What stands in its place. `None`: another page has come, which takes the focus as a whole.
    fn place(&self) -> Option<Element> {
        let at = self.around.iter().position(|(around, _)| around.is_connected())?;
        let (gone, kept) = self.around.split_at(at);
        if gone.iter().any(|(around, _)| around.matches(MAIN).unwrap_or(false)) {
            return None;
        }
        kept.first().map(|(around, child)| child_at(around, *child))
    }
}

thread_local! {
    static LAST: RefCell<Option<Focused>> = const { RefCell::new(None) };
}

pub(super) fn keep() {
    frames::listen_first("focusin", |event| note(event.unchecked_ref()));
    // Who points elsewhere has let go of it.
    frames::listen_first("pointerdown", |_| LAST.set(None));
    let look = Closure::<dyn Fn()>::new(look).into_js_value();
    let (Ok(observer), Some(body)) = (MutationObserver::new(look.unchecked_ref()), document().body()) else {
        return;
    };
    let watched = MutationObserverInit::new();
    watched.set_child_list(true);
    watched.set_subtree(true);
    // What is watched is said, so that it cannot be refused.
    let _ = observer.observe_with_options(&body, &watched);
}

fn note(event: &Event) {
    let element = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    LAST.set(element.map(Focused::of));
}

fn look() {
    if is_lost() {
        // Whoever took it away may give the focus to something with the next picture.
        request_animation_frame(|| request_animation_frame(find_again));
    }
}

fn is_lost() -> bool {
    let is_gone = LAST.with_borrow(|last| last.as_ref().is_some_and(|last| !last.element.is_connected()));
    is_gone && document().active_element().is_none_or(|active| active.tag_name() == "BODY")
}

fn find_again() {
    if !is_lost() {
        return;
    }
    let Some(place) = LAST.take().and_then(|last| last.place()) else { return };
    let mut next = Some(place);
    while let Some(element) = next {
        if !element.closest(PARTS).is_ok_and(|part| part.is_some()) {
            break;
        }
        if takes_focus(&element) {
            return;
        }
        next = element.parent_element();
    }
    if let Some(main) = document().get_element_by_id(MAIN) {
        takes_focus(&main);
    }
}

/// Gives it the focus, if it is to be read and not to be pressed, and on the screen.
fn takes_focus(element: &Element) -> bool {
    let is_empty = || element.text_content().is_none_or(|text| text.trim().is_empty());
    if element.matches(CONTROLS).unwrap_or(true) || is_empty() {
        return false;
    }
    let Some(html) = element.dyn_ref::<HtmlElement>() else { return false };
    if !html.has_attribute("tabindex") && html.set_attribute("tabindex", "-1").is_err() {
        return false;
    }
    let options = FocusOptions::new();
    options.set_prevent_scroll(true);
    html.focus_with_options(&options).is_ok() && document().active_element().as_ref() == Some(element)
}

/// How many stand before it.
fn number(child: &Element) -> usize {
    std::iter::successors(child.previous_element_sibling(), Element::previous_element_sibling).count()
}

/// The child of this number, or the last one; without any, the element itself.
fn child_at(around: &Element, number: usize) -> Element {
    std::iter::successors(around.first_element_child(), Element::next_element_sibling)
        .take(number + 1)
        .last()
        .unwrap_or_else(|| around.clone())
}
