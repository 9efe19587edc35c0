//! Where the focus is once another page is there: at its contents, as with a new document, or at the part of them that
//! the address leads to.

use crate::chrome::known_person_signal;
use crate::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, HtmlElement};
use leptos_router::hooks::use_location;

/// Where a person writes to an agent.
const COMPOSER: &str = ".composer-text";

/// What takes the focus as it is.
const FOCUSABLE: &str = "a, button, input, select, textarea, summary, [tabindex]";

/// Gives the focus to each page that comes in place of another one, unless something in it has taken it.
#[component]
pub(super) fn FocusPages() -> impl IntoView {
    let location = use_location();
    let (is_awaited, was_written) = (StoredValue::new(false), StoredValue::new(false));
    Effect::new(move |before: Option<String>| {
        let path = location.pathname.get();
        if before.is_some_and(|before| before != path) {
            is_awaited.set_value(true);
            let focused = document().active_element();
            was_written.set_value(focused.is_some_and(|focused| is_composer(&focused)));
        }
        path
    });
    let person = known_person_signal();
    Effect::new(move |_| {
        // Each page that comes tells for whom it is.
        person.track();
        if !is_awaited.get_value() {
            return;
        }
        is_awaited.set_value(false);
        let (written, hash) = (was_written.get_value(), location.hash.get_untracked());
        // It is in the document by then.
        request_animation_frame(move || focus_main(written, hash.trim_start_matches('#')));
    });
}

fn is_composer(element: &Element) -> bool {
    element.matches(COMPOSER).unwrap_or(false)
}

/// `written`: the person was writing to an agent, and goes on with that. `part` is the id of what the address leads to,
/// or empty.
fn focus_main(written: bool, part: &str) {
    let main = document().get_element_by_id("main").and_then(|main| main.dyn_into::<HtmlElement>().ok());
    let Some(main) = main else { return };
    if main.contains(document().active_element().as_deref()) {
        return;
    }
    let composer = main.query_selector(COMPOSER).ok().flatten().filter(|_| written);
    if let Some(composer) = composer.and_then(|composer| composer.dyn_into::<HtmlElement>().ok())
        && composer.focus().is_ok()
    {
        return;
    }
    let part = document().get_element_by_id(part).filter(|part| main.contains(Some(part.as_ref())));
    let place = part.and_then(|part| part.dyn_into::<HtmlElement>().ok()).unwrap_or(main);
    let is_ready = place.matches(FOCUSABLE).unwrap_or(false) || place.set_attribute("tabindex", "-1").is_ok();
    if !is_ready || place.focus().is_err() {
        leptos::logging::warn!("The page did not take the focus.");
    }
}
