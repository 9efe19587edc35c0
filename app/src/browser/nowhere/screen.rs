use leptos::web_sys::{Element, PointerEvent};

pub fn matches(_media: &str) -> bool {
    false
}

pub fn share_at(_element: &Element, _event: &PointerEvent) -> Option<f64> {
    None
}
