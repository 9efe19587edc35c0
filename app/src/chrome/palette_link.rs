//! What opens the command palette, from every page.

use crate::prelude::*;
use crate::ui::Icon;
use leptos::ev::MouseEvent;

/// Whether the palette is open.
#[derive(Clone, Copy)]
pub struct PaletteIsOpen(pub RwSignal<bool>);

/// One for all pages of the document.
pub fn provide_palette() {
    provide_context(PaletteIsOpen(RwSignal::new(false)));
}

/// Without script it leads to the page of search. `label` is for those who see no more than the icon.
#[component]
pub fn PaletteLink(
    class: &'static str,
    icon: &'static str,
    label: &'static str,
    #[prop(optional)] words: &'static str,
) -> impl IntoView {
    let PaletteIsOpen(is_open) = expect_context();
    let open = move |event: MouseEvent| {
        // With one of these keys it is opened beside this page.
        if event.ctrl_key() || event.meta_key() || event.shift_key() {
            return;
        }
        event.prevent_default();
        is_open.set(true);
    };
    view! {
        <a
            class=class
            data-kind="quiet"
            data-shape="icon"
            href="/search"
            aria-label=label
            title={say!("{label} (Ctrl K)")}
            aria-keyshortcuts="Control+K"
            on:click=open
        >
            <Icon name=icon/>
            {(!words.is_empty()).then(|| view! { <span class="side-words">{words}</span> })}
        </a>
    }
}
