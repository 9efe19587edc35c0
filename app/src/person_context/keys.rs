//! Keys, with who noted each, and the form that notes one.

use super::api::NoteContextKey;
use crate::prelude::*;
use crate::ui::{
    ActionFailure, ActionForm, Field, FormAction, FormEnd, Section, When, emptied_by, hint_id, kept,
    kept_each,
};
use protocol::view::ContextKey;

#[component]
pub(super) fn Keys(keys: Vec<ContextKey>, is_on: bool, note: FormAction<NoteContextKey>) -> impl IntoView {
    let lead = t(match is_on {
        true => {
            "What holds for now, as “travelling: in Lisbon until Friday”. Every agent that sees your context is told."
        }
        false => "They are kept, and told to nobody while their source is off.",
    });
    let list = match keys.is_empty() {
        true => view! { <p class="empty" data-size="small"><span>"There are no keys."</span></p> }.into_any(),
        false => {
            let rows = kept_each(keys, move |key| view! { <Row noted=key note/> });
            view! { <ul class="memories">{rows}</ul> }.into_any()
        }
    };
    view! {
        <Section id="keys" title="Keys" lead>
            {list}
            <ActionFailure value=note.value()/>
            {kept("add", move |_| view! { <Add note/> })}
        </Section>
    }
}

#[component]
fn Row(noted: ContextKey, note: FormAction<NoteContextKey>) -> impl IntoView {
    let ContextKey { name, value, writer_name, untrusted, changed_at, .. } = noted;
    let id = format!("value-{name}");
    let by = writer_name.map_or_else(|| t("Noted").to_owned(), |writer| say!("By {writer}"));
    let caution = untrusted.then(|| {
        view! { <span class="chip" data-kind="caution">"Had read words of strangers"</span> }
    });
    let (shown, changed) = (name.clone(), name.clone());
    let (change_label, remove_label) = (say!("Change: {name}"), say!("Remove: {name}"));
    view! {
        <li class="memory">
            <div>
                <p class="memory-text"><b>{shown}</b> ": " {value.clone()}</p>
                <p class="memory-meta"><span>{by} " " <When at=changed_at/></span> {caution}</p>
            </div>
            <details class="memory-change">
                <summary class="button" data-kind="quiet" aria-label=change_label>"Change"</summary>
                <ActionForm action=note attr:class="form">
                    <input type="hidden" name="name" value=changed/>
                    <Field id=id.clone() label="Value">
                        <input class="input" id=id.clone() name="value" value=value maxlength="200" required autocomplete="off"/>
                    </Field>
                    <FormEnd words="Save"/>
                </ActionForm>
            </details>
            <div class="actions">
                <ActionForm action=note>
                    <input type="hidden" name="name" value=name/>
                    <button class="button" data-kind="quiet" type="submit" aria-label=remove_label>"Remove"</button>
                </ActionForm>
            </div>
        </li>
    }
}

#[component]
fn Add(note: FormAction<NoteContextKey>) -> impl IntoView {
    view! {
        <ActionForm action=note node_ref=emptied_by(note) attr:class="form">
            <div class="form-group">
                <Field id="key-name" label="Name">
                    <input class="input" id="key-name" name="name" maxlength="40" required autocomplete="off"/>
                </Field>
                <Field id="key-value" label="Value" hint="In a few words.">
                    <input class="input" id="key-value" name="value" maxlength="200" required autocomplete="off" aria-describedby=hint_id("key-value")/>
                </Field>
            </div>
            <FormEnd words="Note"/>
        </ActionForm>
    }
}
