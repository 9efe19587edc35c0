//! Memories as a file, to take along and to bring.

use super::api::ImportMemories;
use crate::browser::uploads;
use crate::prelude::*;
use crate::ui::{
    ActionFailure, ActionForm, Field, FormAction, FormEnd, Icon, Section, TextArea, emptied_by, hint_id,
};
use leptos::ev::Event;
use leptos::html::Div;
use leptos::task::spawn_local;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::HtmlTextAreaElement;
use protocol::view::{MemoryImport, RefusedMemory};

/// What a form takes, in bytes.
const LARGEST: f64 = 900_000.0;

#[component]
pub(super) fn Carry(total: u32, import: FormAction<ImportMemories>) -> impl IntoView {
    let (unread, has_script) = (RwSignal::new(""), RwSignal::new(false));
    Effect::new(move |_| has_script.set(true));
    let field = NodeRef::<Div>::new();
    let read = move |event: Event| {
        let Some(file) = uploads::chosen(&event).into_iter().next() else { return };
        if file.size() > LARGEST {
            return unread.set(t("The file is too large: 900 KB at most."));
        }
        spawn_local(async move {
            match file.text().await {
                Some(text) => {
                    unread.set("");
                    put(field, &text);
                }
                None => unread.set(t("The file could not be read. Choose it again.")),
            }
        });
    };
    let export = (total > 0).then(|| {
        view! {
            <p>
                <a class="button" href="/memories/export" download="memories.json" rel="external">
                    <Icon name="file" small=true/>
                    "Export as JSON"
                </a>
            </p>
        }
    });
    view! {
        <Section id="carry" title="Take along, and bring along" lead="A file of what is remembered, for another hub or to keep. What waits for your yes and what was forgotten is not in it.">
            {export}
            <ActionFailure value=import.value()/>
            {move || import.value().get().and_then(Result::ok).map(report)}
            <ActionForm action=import node_ref=emptied_by(import) attr:class="form">
                <div node_ref=field>
                    <Field id="carry-text" label="Memories" hint="The text of such a file, or any text with one thing to a line.">
                        <TextArea
                            text=String::new()
                            attr:class="input"
                            attr:id="carry-text"
                            attr:name="text"
                            attr:rows="4"
                            attr:required
                            attr:aria-describedby=hint_id("carry-text")
                        />
                    </Field>
                </div>
                <FormEnd words="Import">
                    <Show when=move || has_script.get()>
                        <label class="button" data-kind="quiet">
                            "Choose a file"
                            <input class="sr-only" type="file" accept=".json,.txt,.md,application/json,text/plain" on:change=read/>
                        </label>
                    </Show>
                    <span class="field-error" role="status">{move || unread.get()}</span>
                </FormEnd>
            </ActionForm>
        </Section>
    }
}

fn put(place: NodeRef<Div>, text: &str) {
    let found = place.get_untracked().and_then(|place| place.query_selector("textarea").ok().flatten());
    if let Some(field) = found.and_then(|field| field.dyn_into::<HtmlTextAreaElement>().ok()) {
        field.set_value(text);
    }
}

/// What became of it.
fn report(MemoryImport { added, known, refused }: MemoryImport) -> AnyView {
    let said = say!("{added} added, {known} known already, {} not kept.", refused.len());
    let rows = refused
        .into_iter()
        .map(|RefusedMemory { text, why }| view! { <li><q>{text}</q> " " {why}</li> })
        .collect_view();
    view! {
        <div class="banner" data-kind="done" role="status">
            <Icon name="check"/>
            <div class="banner-text">
                <p>{said}</p>
                <ul>{rows}</ul>
            </div>
        </div>
    }
    .into_any()
}
