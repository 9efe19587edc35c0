//! Above the messages: which conversation it is, the way to the others, and a new one.

use super::context::ConversationContext;
use super::lacking::Lacking;
use super::model_menu::ModelMenu;
use super::paused::Paused;
use super::rename::Name;
use crate::chrome::{DrawerButton, PaletteLink};
use crate::conversations::api::CreateConversation;
use crate::conversations::share_address;
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, FormAction, Icon};

#[component]
pub fn Head(context: ConversationContext) -> impl IntoView {
    let agent = context.agent.get_value();
    let create = FormAction::<CreateConversation>::new();
    let search = format!("/search?agent={agent}&conversation={}", context.conversation.get_value());
    let share = share_address(&context.conversation.get_value());
    let all = format!("/agents/{agent}/conversations");
    view! {
        <header class="conversation-head">
            <DrawerButton/>
            <PaletteLink class="button" icon="more" label="Agents and conversations"/>
            <Name context/>
            <ModelMenu context/>
            <a class="button conversation-search" data-kind="quiet" data-shape="icon" href=search aria-label="Search in this conversation" title="Search in this conversation">
                <Icon name="search"/>
            </a>
            <a class="button conversation-share" data-kind="quiet" data-shape="icon" href=share aria-label="Share this conversation" title="Share this conversation">
                <Icon name="people"/>
            </a>
            <a class="button" data-kind="quiet" data-shape="icon" href=all aria-label="All conversations" title="All conversations">
                <Icon name="chat"/>
            </a>
            <ActionForm action=create>
                <input type="hidden" name="agent" value=agent.0/>
                <button class="button" data-kind="quiet" data-shape="icon" type="submit" aria-label="New conversation" title="New conversation">
                    <Icon name="plus"/>
                </button>
            </ActionForm>
            <ActionForm action=create attr:class="conversation-temporary">
                <input type="hidden" name="agent" value=context.agent.get_value().0/>
                <input type="hidden" name="temporary" value="true"/>
                <button class="button" data-kind="quiet" data-shape="icon" type="submit" aria-label="Temporary conversation" title="Temporary conversation">
                    <Icon name="temporary"/>
                </button>
            </ActionForm>
            <ActionFailure value=create.value()/>
            {context.is_temporary.then(|| view! {
                <p class="temporary-note" role="note">
                    <Icon name="temporary" small=true/>
                    "Temporary: nothing is remembered in it or of it, no search finds it, and it is deleted a day after it was last used."
                </p>
            })}
            <Lacking context/>
            <Paused context/>
        </header>
    }
}

/// An agent does one thing at a time: what is said here waits while it works in another conversation.
#[component]
pub fn AtWorkElsewhere(context: ConversationContext) -> impl IntoView {
    let elsewhere = context.transcript.elsewhere;
    let name = context.name.get_value();
    let address = move || {
        let conversation = elsewhere.get().map(|id| id.0).unwrap_or_default();
        format!("/agents/{}/conversations/{conversation}", context.agent.get_value())
    };
    view! {
        <Show when=move || elsewhere.get().is_some()>
            <p class="notice" data-kind="info" role="status">
                <span class="notice-text">
                    {say!("{name} is at work in another conversation, and reads what you say here after that.")} " "
                    <a href=address>"Go there"</a>
                </span>
            </p>
        </Show>
    }
}
