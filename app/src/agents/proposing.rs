//! A name and instructions from a sentence: a model proposes them, into the fields of the form, where its person goes on.

use super::api::propose_agent;
use crate::prelude::*;
use crate::ui::{ActionFailure, Field, hint_id};
use leptos::ev::KeyboardEvent;
use leptos::html::Input;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement};
use protocol::view::ProposedAgent;

/// Of the control.
const SENTENCE: &str = "agent-sentence";

/// What is asked, and of which model.
#[derive(Clone)]
struct Asked {
    text: String,
    provider: String,
    model: String,
}

/// Stands within the form of an agent. Nothing without script: the form is filled in by hand then.
#[component]
pub(super) fn FromSentence() -> impl IntoView {
    let (field, is_live) = (NodeRef::<Input>::new(), RwSignal::new(false));
    Effect::new(move |_| is_live.set(true));
    let propose = Action::new(|asked: &Asked| {
        let Asked { text, provider, model } = asked.clone();
        propose_agent(text, provider.into(), model)
    });
    let pending = propose.pending();
    let has_no_provider = RwSignal::new(false);
    Effect::new(move |_| {
        propose.value().with(|value| {
            if let Some(Ok(proposed)) = value {
                fill_in(proposed);
            }
        });
    });
    let ask = move || {
        let Some(text) = field.get_untracked().map(|field| field.value()) else { return };
        if text.trim().is_empty() || pending.get_untracked() {
            return;
        }
        let provider = control::<HtmlSelectElement>("agent-provider").map(|field| field.value());
        let model = control::<HtmlInputElement>("agent-model").map(|field| field.value());
        match provider.filter(|provider| !provider.is_empty()) {
            Some(provider) => {
                has_no_provider.set(false);
                propose.dispatch(Asked { text, provider, model: model.unwrap_or_default() });
            }
            None => has_no_provider.set(true),
        }
    };
    let press = move |event: KeyboardEvent| {
        // The form itself is sent by its own button.
        if event.key() == "Enter" && !event.is_composing() {
            event.prevent_default();
            ask();
        }
    };
    let told = move || {
        let is_there = propose.value().with(|value| matches!(value, Some(Ok(_)))) && !pending.get();
        match has_no_provider.get() {
            true => t("Choose a provider first: one of its models proposes."),
            false if is_there => t("Proposed below. Change what you like."),
            false => "",
        }
    };
    view! {
        <Show when=move || is_live.get()>
            <Field
                id=SENTENCE
                label="What is it for, in a sentence?"
                hint="The model that you choose below proposes how it is called and what it is told. That is one call of it."
            >
                <div class="field-row">
                    <input
                        class="input"
                        id=SENTENCE
                        type="text"
                        maxlength="2000"
                        autocomplete="off"
                        aria-describedby=hint_id(SENTENCE)
                        node_ref=field
                        on:keydown=press
                    />
                    <button class="button" type="button" aria-busy=move || pending.get().then_some("true") on:click=move |_| ask()>
                        "Propose"
                    </button>
                </div>
                <p class="field-hint" role="status">{told}</p>
            </Field>
        </Show>
        <ActionFailure value=propose.value()/>
    }
}

/// As if its person had written it.
fn fill_in(proposed: &ProposedAgent) {
    if let Some(name) = control::<HtmlInputElement>("agent-name") {
        name.set_value(&proposed.name);
        // It is in the page, so that it takes the focus.
        let _ = name.focus();
    }
    if let Some(instructions) = control::<HtmlTextAreaElement>("agent-instructions") {
        instructions.set_value(&proposed.instructions);
    }
}

fn control<T: JsCast>(id: &str) -> Option<T> {
    document().get_element_by_id(id)?.dyn_into().ok()
}
