//! Who answers when a local model does not: folded, because nobody does unless the person says so.

use super::form::name_of;
use crate::prelude::*;
use crate::ui::Field;
use protocol::view::ProviderView;

#[component]
pub fn ReserveFields(provider: String, model: String, providers: Vec<ProviderView>) -> impl IntoView {
    let chosen = providers.iter().find(|each| each.id.0 == provider).map(|each| each.name.clone());
    let summary = chosen.map_or_else(|| t("nobody else does").to_owned(), |name| say!("{name} does"));
    let options = providers
        .into_iter()
        .map(|each| {
            let selected = each.id.0 == provider;
            view! { <option value=each.id.0.clone() selected=selected>{name_of(&each)}</option> }
        })
        .collect_view();
    view! {
        <details class="fold">
            <summary>
                <span class="fold-title">"If the local model does not answer"</span>
                <span class="fold-hint">{summary}</span>
            </summary>
            <div class="fold-body">
                <p class="field-hint">
                    "For a provider on this machine or in your own network that cannot be reached. What is in the conversation is then sent to the one chosen here, and its prices hold. The conversation says when that happens; the next run asks the local model again."
                </p>
                <div class="form-group">
                    <Field id="agent-fallback-provider" label="Provider in reserve">
                        <select class="input" id="agent-fallback-provider" name="fallback_provider">
                            <option value="" selected=provider.is_empty()>"Nobody"</option>
                            {options}
                        </select>
                    </Field>
                    <Field id="agent-fallback-model" label="Model in reserve">
                        <input
                            class="input input-code"
                            id="agent-fallback-model"
                            name="fallback_model"
                            value=model
                            maxlength="200"
                            autocomplete="off"
                            spellcheck="false"
                        />
                    </Field>
                </div>
            </div>
        </details>
    }
}
