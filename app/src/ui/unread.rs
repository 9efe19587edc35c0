//! That there is something new.

use crate::prelude::*;

#[component]
pub fn Unread() -> impl IntoView {
    view! {
        <span class="unread" title="New answer"><span class="sr-only">"New answer"</span></span>
    }
}
