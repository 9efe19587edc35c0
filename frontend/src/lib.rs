//! The browser's entry point: takes over the page that the server rendered.

// A page is one nested type in release builds.
#![recursion_limit = "512"]

mod filled;

use leptos::mount::hydrate_from_async;
use leptos::prelude::{document, set_timeout, window};
use std::panic::{self, PanicHookInfo};
use std::time::Duration;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::spawn_local;

/// Set on the root element once the page reacts.
const MARK: &str = "data-hydrated";
/// How the program ends when the file of an area does not come.
const NOT_LOADED: &str = "load callback should succeed";

#[wasm_bindgen]
pub fn hydrate() {
    panic::set_hook(Box::new(|info| {
        console_error_panic_hook::hook(info);
        load_anew(info);
    }));
    spawn_local(async {
        let Some(body) = document().body() else { return };
        app::speak().await;
        // Pages of an area come when the file of their area has.
        let filled = filled::note();
        hydrate_from_async(body, app::App).await.forget();
        // Behind whatever the page does by itself when it is there.
        let react = move || {
            filled.put_back();
            mark();
        };
        set_timeout(react, Duration::ZERO);
    });
}

/// Marks the document as one that reacts.
fn mark() {
    let Some(root) = document().document_element() else { return };
    if root.set_attribute(MARK, "").is_err() {
        leptos::logging::warn!("The document did not take its mark.");
    }
}

/// The files of a build are gone when the hub has become another: the page that was wanted has its address already,
/// and comes from there. A document that never reacted would only come again.
fn load_anew(info: &PanicHookInfo<'_>) {
    let has_reacted = document().document_element().is_some_and(|root| root.has_attribute(MARK));
    if has_reacted && info.to_string().contains(NOT_LOADED) && window().location().reload().is_err() {
        leptos::logging::warn!("The document could not be loaded anew.");
    }
}
