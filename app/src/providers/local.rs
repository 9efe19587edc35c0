//! Servers of models that were found on the hub's machine, one press away from use.

use super::api::SaveProvider;
use crate::prelude::*;
use crate::ui::{ACTIONS, ActionForm, FormAction, Section, Table, kept_each, kind_value};
use protocol::view::LocalEndpoint;

#[component]
pub(super) fn FoundHere(local: Vec<LocalEndpoint>, save: FormAction<SaveProvider>) -> impl IntoView {
    if local.is_empty() {
        return ().into_any();
    }
    view! {
        <Section
            id="found"
            title="Found on this machine"
            lead="These run beside the hub and need no key. What your agents say stays on the machine."
        >
            <FoundList found=local save/>
        </Section>
    }
    .into_any()
}

#[component]
pub(super) fn FoundList(found: Vec<LocalEndpoint>, save: FormAction<SaveProvider>) -> impl IntoView {
    let rows = kept_each(found, move |found| view! { <FoundRow found save/> });
    view! {
        <Table columns=["Name", "Address", "Models", ACTIONS] rows/>
    }
}

#[component]
fn FoundRow(found: LocalEndpoint, save: FormAction<SaveProvider>) -> impl IntoView {
    let LocalEndpoint { name, kind, base_url, models } = found;
    view! {
        <tr>
            <td>{name.clone()}</td>
            <td data-label="Address">{base_url.clone()}</td>
            <td data-label="Models" class="num">{models.len()}</td>
            <td class="list-end">
                <ActionForm action=save>
                    <input type="hidden" name="name" value=name.clone()/>
                    <input type="hidden" name="kind" value=kind_value(kind)/>
                    <input type="hidden" name="base_url" value=base_url/>
                    <button type="submit" class="button" data-kind="primary">{say!("Add {name}")}</button>
                </ActionForm>
            </td>
        </tr>
    }
}
