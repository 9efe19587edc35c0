//! That the agent is paused: what is said waits until its person resumes it.

use super::context::ConversationContext;
use crate::agents::PauseButton;
use crate::agents::api::{PauseAgent, get_agent};
use crate::prelude::*;
use crate::ui::{ActionFailure, FormAction, Icon};
use leptos::task::spawn_local;

#[component]
pub fn Paused(context: ConversationContext) -> impl IntoView {
    let action = FormAction::<PauseAgent>::new();
    let (agent, name) = (context.agent.get_value(), context.name.get_value());
    let banner = move || {
        context.is_paused.get().then(|| view! {
            <div class="banner" data-kind="info" role="status">
                <Icon name="pause"/>
                <p class="banner-text"><b>{name.clone()}</b> " is paused. What you say waits until you resume it."</p>
                <PauseButton agent=agent.clone() name=name.clone() paused=true action in_words=true/>
            </div>
        })
    };
    view! {
        {banner}
        <ActionFailure value=action.value()/>
    }
}

/// Asks whether it is, after something changed.
pub fn ask(context: ConversationContext) {
    let agent = context.agent.get_value();
    spawn_local(async move {
        // Without an answer it stands there when the page is opened again.
        if let Ok(agent) = get_agent(agent).await {
            context.is_paused.try_set(agent.paused);
        }
    });
}
