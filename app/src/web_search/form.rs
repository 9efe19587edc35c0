//! The form for one more source.

use super::api::AddSearchSource;
use super::words::{kind_hint, kind_label};
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, Choice, Field, FormAction, FormEnd, Section};
use protocol::view::{ProviderView, SearchKind};

#[component]
pub(super) fn SourceForm(add: FormAction<AddSearchSource>, searching: Vec<ProviderView>) -> impl IntoView {
    let choices = SearchKind::ALL.map(|kind| {
        let is_first = kind == SearchKind::Searxng;
        view! { <Choice name="kind" value=kind.name() words=kind_label(kind) hint=kind_hint(kind) checked=is_first/> }
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
                    hint=view! { "Of your SearXNG, for example: " <code>{"http://127.0.0.1:8888"}</code> " or " <code>{"https://search.example.com"}</code> "." }.into_any()
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
                {(!searching.is_empty()).then(|| view! { <SearchModelFields searching/> })}
                <FormEnd words="Add source"/>
            </ActionForm>
        </Section>
    }
}

/// Of a provider's own search: whose it is, and the model that searches.
#[component]
fn SearchModelFields(searching: Vec<ProviderView>) -> impl IntoView {
    let options =
        searching.into_iter().map(|provider| view! { <option value=provider.id.0>{provider.name}</option> });
    view! {
        <div class="form-group">
            <Field
                id="source-provider"
                label="Provider, of a provider's own search"
                hint="It is paid like the calls of its models, and what it takes for a search comes on top."
            >
                <select class="input" id="source-provider" name="provider" aria-describedby="source-provider-hint">
                    <option value="">"None"</option>
                    {options.collect_view()}
                </select>
            </Field>
            <Field
                id="source-model"
                label="Model that searches"
                hint="As the provider names it. It is told what is searched for, and nothing else."
            >
                <input
                    class="input input-code"
                    id="source-model"
                    name="model"
                    maxlength="200"
                    autocapitalize="none"
                    autocomplete="off"
                    spellcheck="false"
                    aria-describedby="source-model-hint"
                />
            </Field>
        </div>
    }
}
