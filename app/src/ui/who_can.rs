//! What stands in place of a form that the server would refuse.

use crate::prelude::*;

/// `words` say who can.
#[component]
pub fn WhoCan(words: &'static str) -> impl IntoView {
    view! { <p class="empty" data-size="small"><span>{words}</span></p> }
}
