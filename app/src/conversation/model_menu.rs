//! Which model a conversation is held with.

use super::context::ConversationContext;
use crate::conversations::api::SetConversationModel;
use crate::models::{ModelPopover, close_popover};
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, FormAction, Icon};
use leptos::html::{Form, Input};

/// The menu.
const MENU: &str = "model-menu";

/// Another model from the next message on, of those of the agent's provider. Nothing where it has none to choose.
#[component]
pub fn ModelMenu(context: ConversationContext) -> impl IntoView {
    let is_without = context.provider.with_value(Option::is_none);
    if is_without || context.agent_model.with_value(String::is_empty) {
        return None;
    }
    let action = FormAction::<SetConversationModel>::new();
    let (form, field) = (NodeRef::<Form>::new(), NodeRef::<Input>::new());
    Effect::new(move |_| {
        if let Some(Ok(conversation)) = action.value().get() {
            context.model.set(conversation.model);
            close_popover(MENU);
        }
    });
    let is_for_one = RwSignal::new(false);
    let choose = Callback::new(move |name: String| {
        if is_for_one.get_untracked() {
            is_for_one.set(false);
            context.next_model.set(name);
            if let Some(composer) = context.composer.get_untracked() {
                // It is in the page, so that it takes the focus.
                let _ = composer.focus();
            }
            return;
        }
        let (Some(form), Some(field)) = (form.get_untracked(), field.get_untracked()) else { return };
        field.set_value(&name);
        // It says itself what is missing.
        let _ = form.request_submit();
    });
    let label = move || say!("Model: {model}", model = context.model_in_use());
    let own = move || context.agent_model.get_value();
    let is_own = move || context.model.with(String::is_empty);
    let written = move || {
        view! {
            <label class="field-label" for="conversation-model">"Model"</label>
            <input
                class="input input-code"
                id="conversation-model"
                name="model"
                value=context.model.get_untracked()
                placeholder=own()
                maxlength="200"
                autocomplete="off"
                spellcheck="false"
            />
            <button class="button" type="submit">"Use this model"</button>
        }
    };
    Some(view! {
        <div class="model-menu">
            <button class="model-menu-button" type="button" popovertarget=MENU aria-label=label title=label>
                <span>{move || context.model_in_use()}</span>
                <Icon name="chevron" small=true/>
            </button>
            <ModelPopover
                id=MENU
                label=t("Model of this conversation")
                offered=context.offered
                chosen=Signal::derive(move || context.model_in_use())
                choose
                opened=Callback::new(move |()| context.want_models())
            >
                <Show
                    when=move || context.offers_models()
                    fallback=|| view! { <p>"From the next message on, in this conversation."</p> }
                >
                    <Reach is_for_one/>
                </Show>
                <ActionForm action node_ref=form attr:class="model-form">
                    <input type="hidden" name="id" value=context.conversation.get_value().0/>
                    <Show when=move || context.offers_models() fallback=written>
                        <input type="hidden" name="model" node_ref=field/>
                    </Show>
                </ActionForm>
                <ActionForm action>
                    <input type="hidden" name="id" value=context.conversation.get_value().0/>
                    <button class="button" data-kind="quiet" type="submit" aria-disabled=move || is_own().then_some("true")>
                        "As the agent: " {own()}
                    </button>
                </ActionForm>
                <ActionFailure value=action.value()/>
            </ModelPopover>
        </div>
    })
}

/// For what the model is chosen.
#[component]
fn Reach(is_for_one: RwSignal<bool>) -> impl IntoView {
    let choice = move |for_one: bool, words: &'static str| {
        view! {
            <label class="choice">
                <input
                    type="radio"
                    name="reach"
                    prop:checked=move || is_for_one.get() == for_one
                    on:change=move |_| is_for_one.set(for_one)
                />
                <span>{words}</span>
            </label>
        }
    };
    view! {
        <fieldset class="model-reach">
            <legend class="sr-only">"What the model is chosen for"</legend>
            {choice(false, t("From the next message on, in this conversation."))}
            {choice(true, t("For the next message only."))}
        </fieldset>
    }
}
