//! What changed in a text: a unified difference, line by line.

use crate::prelude::*;

/// Lines of prose, which may be long, go on in the next one if `wraps`.
#[component]
pub fn Diff(text: String, #[prop(optional)] wraps: bool) -> impl IntoView {
    let lines: Vec<_> = text.lines().map(line).collect();
    let flow = wraps.then_some("wrap");
    view! { <pre class="diff" data-flow=flow tabindex="0">{lines}</pre> }
}

fn line(line: &str) -> impl IntoView + use<> {
    let kind = match line.as_bytes().first() {
        Some(b'+') => Some("added"),
        Some(b'-') => Some("removed"),
        Some(b'@') => Some("place"),
        _ => None,
    };
    view! { <span class="diff-line" data-kind=kind>{format!("{line}\n")}</span> }
}
