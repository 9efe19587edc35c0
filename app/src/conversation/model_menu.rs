//! Which model a conversation is held with.

use super::context::ConversationContext;
use crate::conversations::api::SetConversationModel;
use crate::prelude::*;
use crate::providers::api::provider_models;
use crate::ui::{ActionFailure, ActionForm, FormAction, Icon, close_on_escape};
use leptos::task::spawn_local;

/// Another model from the next message on, of those of the agent's provider. Nothing where it has none to choose.
#[component]
pub fn ModelMenu(context: ConversationContext) -> impl IntoView {
    let provider = context.provider.get_value()?;
    if context.agent_model.with_value(String::is_empty) {
        return None;
    }
    let action = FormAction::<SetConversationModel>::new();
    let models = RwSignal::new(Vec::<String>::new());
    let load = move |_| {
        let provider = provider.clone();
        if models.with_untracked(Vec::is_empty) {
            spawn_local(async move {
                // Without a list any name can be written.
                if let Ok(list) = provider_models(provider).await {
                    models.try_set(list.models);
                }
            });
        }
    };
    Effect::new(move |_| {
        if let Some(Ok(conversation)) = action.value().get() {
            context.model.set(conversation.model);
        }
    });
    let label = move || say!("Model: {model}", model = context.model_in_use());
    let own = move || context.agent_model.get_value();
    let is_own = move || context.model.with(String::is_empty);
    Some(view! {
        <details class="model-menu" on:keydown=close_on_escape on:toggle=load>
            <summary aria-label=label title=label>
                <span>{move || context.model_in_use()}</span>
                <Icon name="chevron" small=true/>
            </summary>
            <div class="home-menu-body">
                <p>"From the next message on, in this conversation."</p>
                <ActionForm action attr:class="model-form">
                    <input type="hidden" name="id" value=context.conversation.get_value().0/>
                    <label class="field-label" for="conversation-model">"Model"</label>
                    <input
                        class="input input-code"
                        id="conversation-model"
                        name="model"
                        prop:value=move || context.model.get()
                        value=context.model.get_untracked()
                        placeholder=own()
                        maxlength="200"
                        list="conversation-models"
                        autocomplete="off"
                        spellcheck="false"
                    />
                    <datalist id="conversation-models">
                        {move || models.get().into_iter().map(|model| view! { <option value=model></option> }).collect_view()}
                    </datalist>
                    <button class="button" type="submit">"Use this model"</button>
                </ActionForm>
                <ActionForm action>
                    <input type="hidden" name="id" value=context.conversation.get_value().0/>
                    <button class="button" data-kind="quiet" type="submit" aria-disabled=move || is_own().then_some("true")>
                        "As the agent: " {own()}
                    </button>
                </ActionForm>
                <ActionFailure value=action.value()/>
            </div>
        </details>
    })
}
