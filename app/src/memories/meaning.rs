//! By which model memories are found by their meaning.

use super::api::ChooseMeaning;
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, Done, Field, FormAction, FormEnd, Section, kept};
use protocol::view::{MemoryMeaning, ProviderReach, ProviderView};

const EXAMPLE: &str = "text-embedding-3-small";

#[component]
pub(super) fn MeaningSection(
    meaning: MemoryMeaning,
    providers: Vec<ProviderView>,
    choose: FormAction<ChooseMeaning>,
) -> impl IntoView {
    let fit: Vec<(String, String)> = providers
        .into_iter()
        .filter(|provider| provider.reach == ProviderReach::Hub && provider.kind.has_embeddings())
        .map(|provider| (provider.id.0, provider.name))
        .collect();
    let MemoryMeaning { provider, model, waiting, failure } = meaning;
    let state = provider.is_some().then(|| match (waiting, failure.is_empty()) {
        (0, _) => view! { <p class="faint">"All that is remembered is found by its meaning too."</p> }.into_any(),
        (waiting, true) => {
            let words = plural!(
                waiting,
                "One thing is not found by its meaning yet; it is looked at in the background.",
                "{waiting} things are not found by their meaning yet; they are looked at in the background."
            );
            view! { <p class="faint">{words}</p> }.into_any()
        }
        (_, false) => view! {
            <p class="field-error">
                "New memories are found by their words alone for now. It is tried again by itself, or at once when you save. "
                {language::sentence(&failure).into_owned()}
            </p>
        }
        .into_any(),
    });
    let form = match fit.is_empty() && provider.is_none() {
        true => view! {
            <p class="faint">
                "For this, add a provider under " <a href="/providers">"Providers"</a>
                " that speaks OpenAI's format and that the hub calls, like OpenAI, Ollama or LM Studio."
            </p>
        }
        .into_any(),
        false => kept((provider, model, fit), move |(provider, model, fit)| {
            let chosen = provider.map(|provider| provider.0).unwrap_or_default();
            let options = fit.into_iter().map(move |(id, name)| {
                let is_chosen = id == chosen;
                view! { <option value=id selected=is_chosen>{name}</option> }
            });
            view! {
                <ActionForm action=choose attr:class="form" attr:autocomplete="off">
                    <Field id="meaning-provider" label="Provider of the embedding model">
                        <select class="input" id="meaning-provider" name="provider">
                            <option value="">"By words alone"</option>
                            {options.collect_view()}
                        </select>
                    </Field>
                    <Field id="meaning-model" label="Embedding model" hint={say!("As the server calls it, for example {example}.", example = EXAMPLE)}>
                        <input
                            class="input input-code"
                            id="meaning-model"
                            name="model"
                            value=model
                            maxlength="200"
                            autocapitalize="none"
                            autocomplete="off"
                            spellcheck="false"
                            aria-describedby="meaning-model-hint"
                        />
                    </Field>
                    <FormEnd words="Save"/>
                </ActionForm>
            }
        })
        .into_any(),
    };
    view! {
        <Section
            id="meaning"
            title="By meaning"
            lead="What has no word in common with what is looked for is found too, if you choose an embedding model: its provider is sent what is remembered, and what is looked for. What that costs is yours, within your limits."
        >
            <ActionFailure value=choose.value()/>
            <Done what="meaning" words="Saved."/>
            {state}
            {form}
        </Section>
    }
}
