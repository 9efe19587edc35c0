//! What opens the side bar as a drawer on pages that have the bottom of a phone to themselves.

use crate::prelude::*;
use crate::ui::Icon;

/// How many agents wait for the person, and notifications that they have not read.
#[derive(Clone, Copy)]
pub struct Attention(pub RwSignal<u32>);

/// One for all pages of the document.
pub fn provide_attention() {
    provide_context(Attention(RwSignal::new(0)));
}

#[component]
pub fn DrawerButton() -> impl IntoView {
    let Attention(count) = expect_context();
    let label = move || match count.get() {
        0 => t("Menu").to_owned(),
        count => say!("Menu, {count} to look at"),
    };
    let badge = move || {
        let count = count.get();
        (count > 0).then(|| view! { <span class="bell-count" aria-hidden="true">{count.min(99)}</span> })
    };
    view! {
        <button
            class="button drawer-open"
            type="button"
            data-kind="quiet"
            data-shape="icon"
            popovertarget="side-bar"
            aria-label=label
            title="Menu"
        >
            <Icon name="vivarium"/>
            {badge}
        </button>
    }
}
