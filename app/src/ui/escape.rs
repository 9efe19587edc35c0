//! Escape closes what is open over the page.

use leptos::ev::KeyboardEvent;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, HtmlElement};

/// For `on:keydown` of a `details` that opens over the page: closes it and gives the focus back to the word
/// that opened it.
pub fn close_on_escape(event: KeyboardEvent) {
    if event.key() != "Escape" {
        return;
    }
    let Some(menu) = event.current_target().and_then(|target| target.dyn_into::<Element>().ok()) else {
        return;
    };
    if !menu.has_attribute("open") {
        return;
    }
    event.stop_propagation();
    let summary = menu.query_selector("summary").ok().flatten();
    if let Some(summary) = summary.and_then(|summary| summary.dyn_into::<HtmlElement>().ok())
        && summary.focus().is_err()
    {
        leptos::logging::warn!("The word of a menu did not take the focus.");
    }
    if menu.remove_attribute("open").is_err() {
        leptos::logging::warn!("A menu did not close.");
    }
}
