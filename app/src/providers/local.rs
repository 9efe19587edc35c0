//! Servers of models that were found on the hub's machine, one press away from use.

use super::api::SaveProvider;
use super::kind_value;
use leptos::form::ActionForm;
use leptos::prelude::*;
use protocol::view::LocalEndpoint;

#[component]
pub(super) fn FoundHere(local: Vec<LocalEndpoint>, save: ServerAction<SaveProvider>) -> impl IntoView {
    if local.is_empty() {
        return ().into_any();
    }
    view! {
        <section class="section" aria-labelledby="found">
            <div class="section-head">
                <h2 id="found">"Found on this machine"</h2>
                <p>"These run beside the hub and need no key. What your agents say stays on the machine."</p>
            </div>
            <FoundList found=local save/>
        </section>
    }
    .into_any()
}

#[component]
pub(super) fn FoundList(found: Vec<LocalEndpoint>, save: ServerAction<SaveProvider>) -> impl IntoView {
    let rows = found.into_iter().map(|found| view! { <FoundRow found save/> }).collect_view();
    view! {
        <table class="list">
            <thead>
                <tr>
                    <th scope="col">"Name"</th>
                    <th scope="col">"Address"</th>
                    <th scope="col">"Models"</th>
                    <th scope="col" class="list-end"><span class="sr-only">"Actions"</span></th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
}

#[component]
fn FoundRow(found: LocalEndpoint, save: ServerAction<SaveProvider>) -> impl IntoView {
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
                    <button type="submit" class="button" data-kind="primary">{format!("Add {name}")}</button>
                </ActionForm>
            </td>
        </tr>
    }
}
