//! Buttons that copy an answer, or a block of code in it. That of a block reads what it stands beside: a long answer
//! has many, and each is drawn again while it arrives.

use super::Icon;
use crate::browser::clipboard;
use crate::prelude::*;
use leptos::ev::MouseEvent;
use leptos::task::spawn_local;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::Element;

/// Says how it went, until the block is drawn again.
const STATE: &str = "data-copied";

/// Not shown until the page reacts.
#[component]
pub fn CopyCode() -> impl IntoView {
    view! {
        <button
            class="button copy-code"
            data-kind="quiet"
            data-shape="icon"
            type="button"
            aria-label="Copy this code"
            title="Copy"
            on:click=|event| copy(&event)
        >
            <Icon name="copy" small=true/>
            <Icon name="check" small=true/>
        </button>
    }
}

/// Copies a text as it is then: of an answer, the Markdown.
#[component]
pub fn CopyText(text: ArcRwSignal<String>) -> impl IntoView {
    let copy = move |event: MouseEvent| {
        if let Some(button) = pressed(&event) {
            text.with_untracked(|text| write(button, text));
        }
    };
    view! {
        <button
            class="button copy-text"
            data-kind="quiet"
            data-shape="icon"
            type="button"
            aria-label="Copy this message"
            title="Copy"
            on:click=copy
        >
            <Icon name="copy" small=true/>
            <Icon name="check" small=true/>
        </button>
    }
}

fn copy(event: &MouseEvent) {
    let Some(button) = pressed(event) else { return };
    let Some(text) = button.previous_element_sibling().and_then(|code| code.text_content()) else { return };
    write(button, &text);
}

fn pressed(event: &MouseEvent) -> Option<Element> {
    event.current_target()?.dyn_into().ok()
}

fn write(button: Element, text: &str) {
    let written = clipboard::write(text);
    spawn_local(async move {
        let (state, words) = match written.await {
            true => ("yes", t("Copied")),
            false => ("no", t("The browser did not let this page copy. Select it and copy it by hand.")),
        };
        // These names and values cannot be refused.
        let _ = button.set_attribute(STATE, state);
        let _ = button.set_attribute("aria-label", words);
        let _ = button.set_attribute("title", words);
    });
}
