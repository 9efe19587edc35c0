//! What wakes an agent by itself: rules about its state, which its page or the agent made.

use super::api::RemoveStateRule;
use crate::prelude::*;
use crate::ui::{ACTIONS, ActionFailure, ActionForm, FormAction, Section, Table, kept_each};
use protocol::AgentId;
use protocol::view::StateRule;

#[component]
pub(super) fn WakesSection(
    agent: AgentId,
    wakes: Vec<StateRule>,
    remove: FormAction<RemoveStateRule>,
) -> impl IntoView {
    let left = move || remove.value().get().and_then(Result::ok).unwrap_or_else(|| wakes.clone());
    let agent = StoredValue::new(agent);
    view! {
        <Section
            id="wakes"
            title="What wakes it"
            lead="Its page, or the agent, made these rules: when a value that they keep together comes to be so, the agent is told and works."
        >
            <ActionFailure value=remove.value()/>
            {move || view! { <Wakes agent=agent.get_value() wakes=left() remove/> }}
        </Section>
    }
}

#[component]
fn Wakes(agent: AgentId, wakes: Vec<StateRule>, remove: FormAction<RemoveStateRule>) -> impl IntoView {
    if wakes.is_empty() {
        return view! { <p class="empty" data-size="small">"No rules so far."</p> }.into_any();
    }
    let rows = kept_each(wakes, move |rule| view! { <Wake agent=agent.clone() rule remove/> });
    view! {
        <Table columns=["When", "It is told", ACTIONS] rows/>
    }
    .into_any()
}

#[component]
fn Wake(agent: AgentId, rule: StateRule, remove: FormAction<RemoveStateRule>) -> impl IntoView {
    let StateRule { key, when, message } = rule;
    let label = say!("Remove: {key} {when}");
    view! {
        <tr>
            <td><code>{key.clone()} " " {when}</code></td>
            <td data-label="It is told">{message}</td>
            <td class="list-end">
                <ActionForm action=remove>
                    <input type="hidden" name="id" value=agent.0/>
                    <input type="hidden" name="key" value=key/>
                    <button type="submit" class="button" data-kind="quiet" aria-label=label>"Remove"</button>
                </ActionForm>
            </td>
        </tr>
    }
}
