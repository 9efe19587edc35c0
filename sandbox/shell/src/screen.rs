//! What is where on the screen.

use leptos::prelude::window;
use web_sys::{Element, PointerEvent};

/// Whether a media query holds.
pub fn matches(media: &str) -> bool {
    window().match_media(media).ok().flatten().is_some_and(|query| query.matches())
}

/// How far to the right the pointer is in the parent of this element, in percent.
pub fn share_at(element: &Element, event: &PointerEvent) -> Option<f64> {
    let page = element.parent_element()?.get_bounding_client_rect();
    Some((f64::from(event.client_x()) - page.left()) / page.width() * 100.0)
}
