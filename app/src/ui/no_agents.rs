//! A page of agents for who has none: where one begins, in place of forms with nothing to choose.

use super::icon::Plant;
use crate::prelude::*;

/// `words` say what will be on the page.
#[component]
pub fn NoAgents(words: &'static str) -> impl IntoView {
    view! {
        <div class="empty">
            <Plant/>
            <h2>"You have no agent yet"</h2>
            <p>{words}</p>
            <div class="actions"><a class="button" data-kind="primary" href="/agents/new">"New agent"</a></div>
        </div>
    }
}
