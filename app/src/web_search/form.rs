//! The form for one more source.

use super::api::AddSearchSource;
use super::words::kind_hint;
use crate::ui::{ActionFailure, ActionForm, Choice, Field, FormAction, FormEnd, Section};
use leptos::prelude::*;
use protocol::view::SearchKind;

#[component]
pub(super) fn SourceForm(add: FormAction<AddSearchSource>) -> impl IntoView {
    let choices = SearchKind::ALL.map(|kind| {
        let is_first = kind == SearchKind::Searxng;
        view! { <Choice name="kind" value=kind.name() words=kind.label() hint=kind_hint(kind) checked=is_first/> }
    });
    view! {
        <Section id="source-form" title="Add a source">
            <ActionFailure value=add.value()/>
            <ActionForm action=add attr:class="form" attr:autocomplete="off">
                <fieldset class="choices" data-flow="columns">
                    <legend class="field-label">"Kind"</legend>
                    {choices.into_iter().collect_view()}
                </fieldset>
                <Field
                    id="source-url"
                    label="Address, if it is not the source's own"
                    hint=view! { "Of your SearXNG, for example: " <code>"http://127.0.0.1:8888"</code> " or " <code>"https://search.example.com"</code> "." }.into_any()
                >
                    <input
                        class="input input-code"
                        id="source-url"
                        name="base_url"
                        type="url"
                        maxlength="2048"
                        autocapitalize="none"
                        spellcheck="false"
                        aria-describedby="source-url-hint"
                    />
                </Field>
                <Field
                    id="source-key"
                    label="Key"
                    hint="Kept encrypted, sent to this source only, never shown again."
                >
                    <input
                        class="input input-code"
                        id="source-key"
                        name="key"
                        type="password"
                        autocomplete="off"
                        spellcheck="false"
                        aria-describedby="source-key-hint"
                    />
                </Field>
                <FormEnd words="Add source"/>
            </ActionForm>
        </Section>
    }
}
