//! What is dragged onto the shell goes nowhere: a link dropped there would take the tab with it, with
//! whatever a page wrote into its address. Only files are taken, by a field for files and where a page says so, which
//! are the device's or the page's own.

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

/// What goes along with files of the page itself that are dragged. It names none of them: a frame can say this as well.
pub(super) const OWN_FILES: &str = "application/x-vivarium-files";

fn weigh(event: &DragEvent) {
    if is_for_files(event) && (brings_files(event) || brings_own(event)) {
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

pub(super) fn brings_own(event: &DragEvent) -> bool {
    let kinds = event.data_transfer().map(|brought| brought.types());
    kinds.is_some_and(|kinds| kinds.iter().any(|kind| kind == JsValue::from(JsString::from(OWN_FILES))))
}

/// A picture dragged out of a page is a file and an address.
pub(super) fn brings_files(event: &DragEvent) -> bool {
    let kinds = event.data_transfer().map(|brought| brought.types());
    kinds.is_some_and(|kinds| kinds.length() == 1 && kinds.get(0) == JsValue::from(JsString::from("Files")))
}
