//! What leads to the parts of a long page.

use crate::prelude::*;

/// The id of a part's heading, and its words.
pub type Part = (&'static str, &'static str);

/// Folded, so that it takes one line. The browser itself follows the links: from the part, Tab goes on.
#[component]
pub fn OnThisPage(parts: Vec<Part>) -> impl IntoView {
    let links = parts.into_iter().map(|(id, words)| {
        view! { <li><a href=format!("#{id}") rel="external">{t(words)}</a></li> }
    });
    view! {
        <nav aria-label="On this page">
            <details class="fold">
                <summary><span class="fold-title">"On this page"</span></summary>
                <ul class="fold-body contents-list">{links.collect_view()}</ul>
            </details>
        </nav>
    }
}
