//! What is selected on the page.

use js_sys::Object;
use leptos::prelude::window;
use wasm_bindgen::JsCast;
use web_sys::{Element, MouseEvent, Node};

/// The text, if all of it is in the same `place` (a selector) as what was pressed.
pub fn beside(event: &MouseEvent, place: &str) -> Option<String> {
    let pressed: Element = event.target()?.dyn_into().ok()?;
    let place = pressed.closest(place).ok().flatten()?;
    let selection = window().get_selection().ok().flatten()?;
    let is_inside = |node: Option<Node>| node.is_some_and(|node| place.contains(Some(&node)));
    if !is_inside(selection.anchor_node()) || !is_inside(selection.focus_node()) {
        return None;
    }
    let selected: &Object = selection.as_ref();
    let text = String::from(selected.to_string());
    (!text.trim().is_empty()).then_some(text)
}
