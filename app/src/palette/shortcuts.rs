//! What can be done with the keyboard, in a list that `?` opens.

use crate::chrome::known_person;
use crate::prelude::*;
use crate::ui::Icon;
use leptos::ev::{self, KeyboardEvent, MouseEvent};
use leptos::html::Dialog;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, HtmlElement};

/// The keys, and what they do.
const SHORTCUTS: &[(&str, &str)] = &[
    (key!("Ctrl K"), key!("Go to an agent, a conversation or a page")),
    ("?", key!("These shortcuts")),
    (key!("Esc"), key!("Close what is open")),
    (key!("Enter ↵"), key!("Send the message")),
    (key!("Shift Enter ↵"), key!("Break the line of the message")),
    ("/", key!("Commands, at the beginning of a message")),
    (key!("Ctrl Enter ↵"), key!("Say it to all that are chosen, in the console")),
    (key!("Alt Shift V"), key!("Talk hands-free")),
];

#[component]
pub(super) fn Shortcuts(is_open: RwSignal<bool>) -> impl IntoView {
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
            let is_wanted = event.key() == "?" && !event.ctrl_key() && !event.meta_key() && !event.alt_key();
            if is_wanted && !is_written(&event) && known_person().is_some() {
                event.prevent_default();
                is_open.set(true);
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
    let rows = SHORTCUTS.iter().map(|(keys, what)| {
        view! { <div><dt><kbd>{t(keys)}</kbd></dt><dd>{t(what)}</dd></div> }
    });
    view! {
        <dialog class="palette shortcuts" aria-labelledby="shortcuts-name" node_ref=dialog on:close=move |_| is_open.set(false) on:click=pressed>
            <div class="shortcuts-body">
                <div class="finder-head">
                    <h2 id="shortcuts-name">"Keyboard shortcuts"</h2>
                    <button class="button" data-kind="quiet" data-shape="icon" type="button" aria-label="Close" title="Close" on:click=move |_| is_open.set(false)>
                        <Icon name="close"/>
                    </button>
                </div>
                <dl class="shortcuts-list">{rows.collect_view()}</dl>
            </div>
        </dialog>
    }
}

/// The key is a part of what somebody writes, or of what is open over the page.
fn is_written(event: &KeyboardEvent) -> bool {
    let Some(target) = event.target() else { return false };
    let is_editable = target.dyn_ref::<HtmlElement>().is_some_and(HtmlElement::is_content_editable);
    let is_field = target.dyn_ref::<Element>().is_some_and(|element| {
        element.closest("input,textarea,select,dialog").is_ok_and(|found| found.is_some())
    });
    is_editable || is_field
}
