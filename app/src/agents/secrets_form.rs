//! Secrets that the agent sends and nobody reads, on its settings page.

use super::api::ForgetWebSecret;
use crate::prelude::*;
use crate::ui::{ACTIONS, ActionFailure, ActionForm, FormAction, Section, Spelled, Table, When, kept_each};
use protocol::AgentId;
use protocol::view::WebSecretView;

#[component]
pub fn SecretsSection(
    agent: AgentId,
    secrets: Vec<WebSecretView>,
    forget: FormAction<ForgetWebSecret>,
) -> impl IntoView {
    let left = move || forget.value().get().and_then(Result::ok).unwrap_or_else(|| secrets.clone());
    let agent = StoredValue::new(agent);
    view! {
        <Section
            id="secrets"
            title="Its secrets"
            lead="What you entered where it asked for a password or a key. It sends each to one server, and never sees it. A copy of the agent gets none."
        >
            <ActionFailure value=forget.value()/>
            {move || view! { <Secrets agent=agent.get_value() secrets=left() forget/> }}
        </Section>
    }
}

#[component]
fn Secrets(
    agent: AgentId,
    secrets: Vec<WebSecretView>,
    forget: FormAction<ForgetWebSecret>,
) -> impl IntoView {
    if secrets.is_empty() {
        return view! { <p class="empty" data-size="small">"It has none."</p> }.into_any();
    }
    let rows = kept_each(secrets, move |secret| view! { <WebSecret agent=agent.clone() secret forget/> });
    view! { <Table columns=["Name", "Goes to", "Since", ACTIONS] rows/> }.into_any()
}

#[component]
fn WebSecret(agent: AgentId, secret: WebSecretView, forget: FormAction<ForgetWebSecret>) -> impl IntoView {
    let WebSecretView { name, place, kept_at } = secret;
    let label = say!("Forget: {name}");
    view! {
        <tr>
            <td>{name.clone()}</td>
            <td data-label="Goes to"><Spelled text=place/></td>
            <td data-label="Since"><When at=kept_at/></td>
            <td class="list-end">
                <ActionForm action=forget>
                    <input type="hidden" name="id" value=agent.0/>
                    <input type="hidden" name="name" value=name/>
                    <button type="submit" class="button" data-kind="quiet" aria-label=label>"Forget"</button>
                </ActionForm>
            </td>
        </tr>
    }
}
