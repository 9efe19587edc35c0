//! Icons, from the one sprite, and the one picture.

use crate::assets::asset;
use crate::prelude::*;

/// An icon beside words that say the same. `small` goes with small text.
#[component]
pub fn Icon(name: &'static str, #[prop(optional)] small: bool) -> impl IntoView {
    view! {
        <svg class="icon" data-size=small.then_some("small") aria-hidden="true">
            <use href=asset(&format!("/icons.svg#{name}"))/>
        </svg>
    }
}

/// The picture of what is not there yet.
#[component]
pub fn Plant() -> impl IntoView {
    view! {
        <svg class="plant" viewBox="0 0 240 240" aria-hidden="true"><use href=asset("/plant.svg#plant")/></svg>
    }
}
