//! What is dragged onto the shell goes nowhere: a link dropped there would take the tab with it, with
//! whatever a page wrote into its address. Only files are taken, by a field for files and where a page says so.

use super::frames;
use js_sys::JsString;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{DragEvent, Element, HtmlInputElement};

/// What a page gives an element that takes files.
const TAKES_FILES: &str = "[data-takes='files']";

pub(super) fn refuse() {
    for name in ["dragenter", "dragover", "drop"] {
        frames::listen_first(name, |event| weigh(event.unchecked_ref()));
    }
}

fn weigh(event: &DragEvent) {
    if is_for_files(event) && brings_files(event) {
        return;
    }
    event.prevent_default();
    if let Some(brought) = event.data_transfer() {
        brought.set_drop_effect("none");
    }
}

fn is_for_files(event: &DragEvent) -> bool {
    let Some(target) = event.target().and_then(|target| target.dyn_into::<Element>().ok()) else {
        return false;
    };
    let is_field = target.dyn_ref::<HtmlInputElement>().is_some_and(|field| field.type_() == "file");
    is_field || target.closest(TAKES_FILES).is_ok_and(|place| place.is_some())
}

/// A picture dragged out of a page is a file and an address.
pub(super) fn brings_files(event: &DragEvent) -> bool {
    let kinds = event.data_transfer().map(|brought| brought.types());
    kinds.is_some_and(|kinds| kinds.length() == 1 && kinds.get(0) == JsValue::from(JsString::from("Files")))
}
