//! What a tool declares to reach, in words.

use crate::prelude::*;
use crate::ui::Spelled;
use protocol::view::ToolReach;

/// Keys are shown letter for letter: whoever wrote them may want to be misread.
#[component]
pub(super) fn Reach(reach: ToolReach) -> impl IntoView {
    let ToolReach { page, reads, writes } = reach;
    let nothing = (!page && reads.is_empty() && writes.is_empty())
        .then(|| view! { <p class="made-tool-reach">"It reaches nothing but its input."</p> });
    let page = page.then(|| {
        view! {
            <p class="made-tool-reach">
                "It reaches the agent's page and all that the page's scripts reach, the whole state among it."
            </p>
        }
    });
    let reads = (!reads.is_empty())
        .then(|| view! { <p class="made-tool-reach">"It reads of the state:" <Keys keys=reads/></p> });
    let writes = (!writes.is_empty())
        .then(|| view! { <p class="made-tool-reach">"It sets in the state:" <Keys keys=writes/></p> });
    view! { {nothing} {page} {reads} {writes} }
}

#[component]
fn Keys(keys: Vec<String>) -> impl IntoView {
    keys.into_iter().map(|key| view! { " " <code><Spelled text=key/></code> }).collect_view()
}
