//! A word to those that are chosen, and the end of what they do.

use super::agents::Chosen;
use super::api::{SayToSeveral, StopSeveral};
use super::data::{ConsoleData, address};
use crate::browser::live;
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, FormAction};
use leptos::ev::KeyboardEvent;
use leptos::html::Form;
use protocol::AgentId;
use protocol::view::{MOST_BESIDE, MOST_TOLD};
use std::sync::atomic::{AtomicU64, Ordering};

/// Messages that were written on this page.
static WRITTEN: AtomicU64 = AtomicU64::new(0);

/// What is half written.
#[derive(Clone, Copy)]
pub(super) struct Draft {
    text: RwSignal<String>,
    /// Names the message, so that whoever has it is not told it again; empty without script.
    key: RwSignal<String>,
}

impl Draft {
    /// Empty again once it was said to everybody.
    pub(super) fn emptied_by(say: FormAction<SayToSeveral>) -> Self {
        let draft = Self { text: RwSignal::new(String::new()), key: RwSignal::new(String::new()) };
        Effect::new(move |_| {
            say.version().track();
            let is_said = say.value().with_untracked(|value| matches!(value, Some(Ok(_))));
            if is_said {
                draft.text.set(String::new());
            }
            if is_said || draft.key.with_untracked(String::is_empty) {
                let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
                draft.key.set(format!("{}.console.{number}", live::tab()));
            }
        });
        draft
    }
}

#[component]
pub(super) fn SayForm(say: FormAction<SayToSeveral>, chosen: Chosen, draft: Draft) -> impl IntoView {
    let form = NodeRef::<Form>::new();
    let number = Memo::new(move |_| chosen.with(std::collections::BTreeSet::len));
    let count = move || match number.get() {
        0 => t("Nobody is chosen.").to_owned(),
        chosen if chosen > MOST_TOLD => {
            let (most, over) = (MOST_TOLD, chosen - MOST_TOLD);
            say!("{chosen} agents are chosen, and {most} can be told at once: {over} too many.")
        }
        chosen if chosen > MOST_BESIDE => {
            let most = MOST_BESIDE;
            say!("{chosen} agents are chosen. All of them are told, and {most} answers stand side by side.")
        }
        chosen => plural!(chosen, "{chosen} agent is chosen.", "{chosen} agents are chosen."),
    };
    let is_too_many = move || number.get() > MOST_TOLD;
    let beside = move || address(&chosen.with(|chosen| chosen.iter().cloned().collect::<Vec<_>>()));
    let send = move |event: KeyboardEvent| {
        if event.key() == "Enter" && (event.ctrl_key() || event.meta_key()) {
            event.prevent_default();
            if let Some(form) = form.get_untracked() {
                let _ = form.request_submit();
            }
        }
    };
    view! {
        <ActionFailure value=say.value()/>
        <ActionForm action=say node_ref=form attr:id="console-say" attr:class="form" attr:autocomplete="off">
            <input type="hidden" name="key" prop:value=move || draft.key.get()/>
            <textarea
                class="input"
                name="text"
                rows="3"
                required
                aria-label="Say to those that are chosen"
                placeholder="Say to those that are chosen"
                prop:value=move || draft.text.get()
                on:input=move |event| draft.text.set(event_target_value(&event))
                on:keydown=send
            ></textarea>
            <p class="field-hint" aria-live="polite">{count}</p>
            <div class="actions">
                <button type="submit" class="button" data-kind="primary" disabled=move || say.pending().get() || is_too_many()>"Say it"</button>
                <Show when=move || !chosen.with(std::collections::BTreeSet::is_empty)>
                    <a class="button" href=beside>"Show side by side"</a>
                </Show>
            </div>
        </ActionForm>
    }
}

/// Stops those that are chosen, or everybody where nobody is.
#[component]
pub(super) fn StopForm(
    shown: RwSignal<ConsoleData>,
    stop: FormAction<StopSeveral>,
    chosen: Chosen,
) -> impl IntoView {
    let words = move || match chosen.with(std::collections::BTreeSet::is_empty) {
        true => t("Stop everybody"),
        false => t("Stop those that are chosen"),
    };
    let done = move || {
        let stopped =
            stop.value().with(|value| value.as_ref().and_then(|value| value.as_ref().ok().copied()))?;
        Some(match stopped {
            0 => t("Nobody was at work.").to_owned(),
            stopped => plural!(stopped, "{stopped} agent was stopped.", "{stopped} agents were stopped."),
        })
    };
    let is_at_work = move || shown.with(ConsoleData::is_at_work);
    view! {
        <ActionFailure value=stop.value()/>
        <ActionForm action=stop attr:class="console-stop">
            <For
                each=move || chosen.get()
                key=AgentId::clone
                children=|id| view! { <input type="hidden" name="agents[]" value=id.0/> }
            />
            <button type="submit" class="button" data-kind="quiet" disabled=move || !is_at_work()>{words}</button>
            <p class="field-hint" role="status">{done}</p>
        </ActionForm>
    }
}
