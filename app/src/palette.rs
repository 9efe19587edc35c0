//! The command palette: agents, conversations and pages, found by a few letters from anywhere.

mod entries;
mod finder;

use crate::chrome::{PaletteIsOpen, known_person};
use crate::prelude::*;
use finder::Finder;
use leptos::ev::{self, MouseEvent};
use leptos::html::Dialog;

/// The dialog. Ctrl-K opens it too, for somebody who is signed in.
#[component]
pub fn Palette() -> impl IntoView {
    let PaletteIsOpen(is_open) = expect_context();
    let dialog = NodeRef::<Dialog>::new();
    Effect::new(move |_| {
        let Some(dialog) = dialog.get() else { return };
        match is_open.get() {
            // It is in the page and not open yet.
            true if !dialog.open() => drop(dialog.show_modal()),
            false if dialog.open() => dialog.close(),
            _ => {}
        }
    });
    Effect::new(move |_| {
        let keys = window_event_listener(ev::keydown, move |event| {
            let is_wanted = (event.ctrl_key() || event.meta_key()) && !event.shift_key() && !event.alt_key();
            if is_wanted && event.key().eq_ignore_ascii_case("k") && known_person().is_some() {
                event.prevent_default();
                is_open.update(|is_open| *is_open = !*is_open);
            }
        });
        on_cleanup(move || keys.remove());
    });
    // Outside of what is in it is the dialog itself.
    let pressed = move |event: MouseEvent| {
        if event.target() == event.current_target() {
            is_open.set(false);
        }
    };
    let finder = move || {
        let me = is_open.get().then(known_person).flatten()?;
        Some(view! { <Finder me close=move |()| is_open.set(false)/> })
    };
    view! {
        <dialog class="palette" aria-label="Go to" node_ref=dialog on:close=move |_| is_open.set(false) on:click=pressed>
            {finder}
        </dialog>
    }
}
