//! Buttons for a voice. What they do is in `voice.js`, which also says whether this device can; where neither it nor an
//! endpoint of the person's can, they are not shown.

use crate::prelude::*;
use crate::ui::Icon;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::HtmlElement;

/// The one button that begins and ends a conversation without hands.
const HANDS_FREE: &str = "[data-voice=\"hands-free\"]";

/// What is spoken goes into the composer whose form this stands in.
#[component]
pub fn Dictate() -> impl IntoView {
    view! {
        <button class="button voice" data-voice="dictate" data-kind="quiet" data-shape="icon" type="button" aria-label="Dictate" title="Dictate">
            <Icon name="microphone"/>
        </button>
    }
}

/// Reads the message that this stands in, and stops again.
#[component]
pub fn ReadAloud() -> impl IntoView {
    view! {
        <button
            class="button message-tool voice"
            data-voice="read"
            data-kind="quiet"
            data-shape="icon"
            type="button"
            aria-label="Read aloud"
            title="Read aloud"
        >
            <Icon name="speaker" small=true/>
        </button>
    }
}

/// Begins a conversation without hands in the composer whose form this stands in, and ends it.
#[component]
pub fn HandsFree() -> impl IntoView {
    view! {
        <button
            class="button voice"
            data-voice="hands-free"
            data-kind="quiet"
            data-shape="icon"
            type="button"
            aria-label="Talk hands-free"
            aria-keyshortcuts="Alt+Shift+V"
            title="Talk hands-free"
        >
            <Icon name="voice"/>
        </button>
    }
}

/// How the conversation without hands is: written by `voice-hands-free.js`.
#[component]
pub fn HandsFreePanel() -> impl IntoView {
    view! {
        <div class="hands-free" role="group" aria-label="Hands-free conversation" hidden>
            <span class="hands-free-mark" aria-hidden="true"></span>
            <p class="hands-free-state"></p>
            <p class="hands-free-words"></p>
            <button class="button hands-free-press" type="button" data-voice="interrupt">"Send now"</button>
            <button class="button" data-kind="quiet" type="button" data-voice="end" title="Escape ends it, too">"End"</button>
        </div>
    }
}

/// Whether there is a button for it that can be seen.
pub fn can_talk() -> bool {
    button().is_some_and(|button| button.offset_parent().is_some())
}

/// Presses it.
pub fn talk() {
    if let Some(button) = button() {
        button.click();
    }
}

fn button() -> Option<HtmlElement> {
    document().query_selector(HANDS_FREE).ok()??.dyn_into().ok()
}
