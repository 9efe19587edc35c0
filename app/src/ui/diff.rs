//! What changed in a text: a unified difference, line by line, with nothing of it hidden.

use super::exact::Spelled;
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
    view! { <span class="diff-line" data-kind=kind><Spelled text=format!("{line}\n")/></span> }
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::*;

    #[test]
    fn what_a_change_hides_is_spelled_out() {
        let text = "-Mows.\n+Mows.\u{e0041}\u{202e}".to_owned();
        let html = view! { <Diff text/> }.to_html();
        for part in ["data-kind=\"removed\"", "U+E0041", "U+202E"] {
            assert!(html.contains(part), "{part} is not in {html}");
        }
        assert!(!html.contains(['\u{e0041}', '\u{202e}']), "{html}");
    }
}
