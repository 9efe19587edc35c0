//! A button that copies. Without script, and where the browser gives pages no clipboard, there is none.

use super::Icon;
use crate::browser::clipboard;
use crate::prelude::*;
use leptos::task::spawn_local;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Copied {
    NotYet,
    Done,
    Refused,
}

/// `what` is said to people who hear the button only.
#[component]
pub fn Copy(what: &'static str, text: String) -> impl IntoView {
    let may_copy = RwSignal::new(false);
    Effect::new(move |_| may_copy.set(clipboard::is_there()));
    let copied = RwSignal::new(Copied::NotYet);
    let text = StoredValue::new(text);
    let words = move || {
        t(match copied.get() {
            Copied::NotYet => "Copy",
            Copied::Done => "Copied",
            Copied::Refused => "Select it and copy it by hand",
        })
    };
    let heard = move || if copied.get() == Copied::NotYet { "" } else { words() };
    view! {
        <Show when=move || may_copy.get()>
            <button class="button" type="button" on:click=move |_| text.with_value(|text| copy(text, copied))>
                <Icon name="copy" small=true/>
                {words}
                <span class="sr-only">{say!(" {what}")}</span>
            </button>
            <span class="sr-only" role="status">{heard}</span>
        </Show>
    }
}

fn copy(text: &str, copied: RwSignal<Copied>) {
    let written = clipboard::write(text);
    spawn_local(async move {
        let is_done = written.await;
        // The button may be gone by now.
        let _ = copied.try_set(if is_done { Copied::Done } else { Copied::Refused });
    });
}
