//! The command palette: agents, conversations, pages and what can be done, found by a few letters from anywhere; and
//! the keys that there are.

mod commands;
mod entries;
mod finder;
mod shortcuts;

use crate::chrome::{PaletteIsOpen, known_person};
use crate::prelude::*;
use finder::Finder;
use leptos::ev::{self, MouseEvent};
use leptos::html::Dialog;
use shortcuts::Shortcuts;

/// The dialog. Ctrl-K opens it too, for somebody who is signed in.
#[component]
pub fn Palette() -> impl IntoView {
    let PaletteIsOpen(is_open) = expect_context();
    let shortcuts = RwSignal::new(false);
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
        Some(view! { <Finder me shortcuts close=move |()| is_open.set(false)/> })
    };
    view! {
        <dialog class="palette" aria-label="Go to" node_ref=dialog on:close=move |_| is_open.set(false) on:click=pressed>
            {finder}
        </dialog>
        <Shortcuts is_open=shortcuts/>
    }
}
