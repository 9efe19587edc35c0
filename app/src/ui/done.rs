//! What a form did, on the page that it came back to.

use super::Icon;
use crate::prelude::*;
use leptos_router::hooks::use_query_map;

/// Shows `words` while the address says `?done=` and `what`, with and without JavaScript.
#[component]
pub fn Done(what: &'static str, words: &'static str) -> impl IntoView {
    let query = use_query_map();
    let is_done = move || query.with(|query| query.get_str("done") == Some(what));
    move || {
        is_done().then(|| {
            view! {
                <div class="banner" data-kind="done" role="status">
                    <Icon name="check"/>
                    <p class="banner-text">{words}</p>
                </div>
            }
        })
    }
}
