//! Icons, from the one sprite.

use leptos::prelude::*;

/// An icon beside words that say the same. `small` goes with small text.
#[component]
pub fn Icon(name: &'static str, #[prop(optional)] small: bool) -> impl IntoView {
    view! {
        <svg class="icon" data-size=small.then_some("small") aria-hidden="true">
            <use href=format!("/icons.svg#{name}")/>
        </svg>
    }
}
