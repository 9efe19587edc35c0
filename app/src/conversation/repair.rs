//! The line that tells of errors in the page, where the agent was not woken for them by itself.

use super::api::RepairPage;
use super::desk::Desk;
use super::transcript::Shown;
use crate::ui::{ActionFailure, Icon};
use leptos::form::ActionForm;
use leptos::prelude::*;

#[component]
pub fn PageErrors(shown: Shown, desk: Desk) -> impl IntoView {
    let Shown { key, text, .. } = shown;
    let is_offered = Memo::new(move |_| desk.transcript.repair.with(|repair| repair.as_ref() == Some(&key)));
    let settings = format!("/agents/{}/edit", desk.agent.get_value());
    view! {
        <li>
            <div class="notice" data-kind="warn" role="status">
                <details class="notice-text">
                    <summary>"The page has errors"</summary>
                    <p class="message-text">{move || text.get()}</p>
                </details>
                {desk.repairs_when_asked.then(|| view! {
                    <p><small>"It repairs its page only when you ask: " <a href=settings>"settings"</a> "."</small></p>
                })}
                <Show when=move || is_offered.get()>
                    <RepairForm desk/>
                </Show>
            </div>
        </li>
    }
}

#[component]
fn RepairForm(desk: Desk) -> impl IntoView {
    let action = ServerAction::<RepairPage>::new();
    let pending = action.pending();
    view! {
        <ActionForm action>
            <input type="hidden" name="agent" value=desk.agent.get_value().0/>
            <input type="hidden" name="tab" value=move || desk.tab.get()/>
            <button class="button" type="submit" aria-busy=move || pending.get().then_some("true")>
                <Icon name="retry" small=true/>
                "Repair"
            </button>
            <ActionFailure value=action.value()/>
        </ActionForm>
    }
}
