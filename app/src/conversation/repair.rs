//! The line that tells of errors in the page, where the agent was not woken for them by itself.

use super::api::RepairPage;
use super::context::ConversationContext;
use super::transcript::RenderedItem;
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, FormAction, Icon};

#[component]
pub fn PageErrors(shown: RenderedItem, context: ConversationContext) -> impl IntoView {
    let RenderedItem { key, text, .. } = shown;
    let is_offered =
        Memo::new(move |_| context.transcript.repair.with(|repair| repair.as_ref() == Some(&key)));
    let settings = format!("/agents/{}/edit", context.agent.get_value());
    view! {
        <li>
            <div class="notice" data-kind="warn" role="status">
                <details class="notice-text">
                    <summary>"The page has errors"</summary>
                    <p class="message-text">{move || text.get()}</p>
                </details>
                {context.repairs_when_asked.then(|| view! {
                    <p><small>"It repairs its page only when you ask: " <a href=settings>"settings"</a> "."</small></p>
                })}
                <Show when=move || is_offered.get()>
                    <RepairForm context/>
                </Show>
            </div>
        </li>
    }
}

#[component]
fn RepairForm(context: ConversationContext) -> impl IntoView {
    let action = FormAction::<RepairPage>::new();
    let pending = action.pending();
    view! {
        <ActionForm action>
            <input type="hidden" name="agent" value=context.agent.get_value().0/>
            <input type="hidden" name="tab" value=move || context.tab.get()/>
            <button class="button" type="submit" aria-busy=move || pending.get().then_some("true")>
                <Icon name="retry" small=true/>
                "Repair"
            </button>
            <ActionFailure value=action.value()/>
        </ActionForm>
    }
}
