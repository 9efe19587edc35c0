//! What was decided about an agent's page, on its settings page.

use super::api::ForgetPermission;
use super::words::title;
use crate::prelude::*;
use crate::ui::{ACTIONS, ActionFailure, ActionForm, FormAction, Section, Table, When, kept_each};
use protocol::view::PermissionView;
use protocol::{AgentId, Permission};

#[component]
pub fn PermissionsSection(
    agent: AgentId,
    permissions: Vec<PermissionView>,
    forget: FormAction<ForgetPermission>,
) -> impl IntoView {
    let left = move || forget.value().get().and_then(Result::ok).unwrap_or_else(|| permissions.clone());
    let agent = StoredValue::new(agent);
    view! {
        <Section
            id="permissions"
            title="What its page may do"
            lead="The page has to ask before it uses a camera or anything else outside its frame. These are the answers you gave once and for all."
        >
            <ActionFailure value=forget.value()/>
            {move || view! { <Decisions agent=agent.get_value() permissions=left() forget/> }}
        </Section>
    }
}

#[component]
fn Decisions(
    agent: AgentId,
    permissions: Vec<PermissionView>,
    forget: FormAction<ForgetPermission>,
) -> impl IntoView {
    if permissions.is_empty() {
        return view! { <p class="empty" data-size="small">"Nothing so far. The page asks each time."</p> }
            .into_any();
    }
    let rows =
        kept_each(permissions, move |decided| view! { <Decision agent=agent.clone() decided forget/> });
    view! {
        <Table columns=["What", "Answer", "Since", ACTIONS] rows/>
    }
    .into_any()
}

#[component]
fn Decision(agent: AgentId, decided: PermissionView, forget: FormAction<ForgetPermission>) -> impl IntoView {
    let PermissionView { permission, host, allowed, decided_at } = decided;
    let what = match &host {
        Some(host) => say!("{what} to {host}", what = title(permission)),
        None => title(permission).to_owned(),
    };
    let label = say!("Forget: {what}");
    view! {
        <tr>
            <td>{what}</td>
            <td data-label="Answer">{t(if allowed { "Always" } else { "Never" })}</td>
            <td data-label="Since"><When at=decided_at/></td>
            <td class="list-end">
                <ActionForm action=forget>
                    <input type="hidden" name="id" value=agent.0/>
                    <input type="hidden" name="permission" value=field_value(permission)/>
                    <input type="hidden" name="host" value=host.unwrap_or_default()/>
                    <button type="submit" class="button" data-kind="quiet" aria-label=label>"Forget"</button>
                </ActionForm>
            </td>
        </tr>
    }
}

/// The permission as a form sends it.
fn field_value(permission: Permission) -> String {
    let value = serde_json::to_value(permission).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}
