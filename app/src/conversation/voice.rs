//! Buttons for a voice. What they do is in `voice.js`, which also says whether this device can; where it cannot, they
//! are not shown.

use crate::prelude::*;
use crate::ui::Icon;

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
