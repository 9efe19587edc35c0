//! The browser's entry point: takes over the page that the server rendered.

// A page is one nested type in release builds.
#![recursion_limit = "512"]

use leptos::leptos_dom::helpers::set_timeout;
use leptos::prelude::document;
use std::time::Duration;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
pub fn hydrate() {
    console_error_panic_hook::set_once();
    leptos::mount::hydrate_body(app::App);
    // What the page awaits is hydrated in tasks of its own, all of them before the next timer.
    set_timeout(mark, Duration::ZERO);
}

/// Marks the document as one that reacts.
fn mark() {
    let Some(root) = document().document_element() else { return };
    if root.set_attribute("data-hydrated", "").is_err() {
        leptos::logging::warn!("The document did not take its mark.");
    }
}
