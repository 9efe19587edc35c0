//! The person's providers.

use super::api::{DeleteProvider, TestProvider};
use super::here::{Tried, TryHere};
use crate::prelude::*;
use crate::ui::{ACTIONS, ActionForm, FormAction, Icon, Table, dollars, kept_each, kind_label, kind_value};
use protocol::Micros;
use protocol::agent::ProviderKind;
use protocol::view::{ProviderOwnership, ProviderReach, ProviderView};

#[component]
pub(super) fn ProviderList(
    list: Vec<ProviderView>,
    /// Whether the person can change them.
    may_add: bool,
    /// Whether the person can share them.
    may_share: bool,
    test: FormAction<TestProvider>,
    tried: Tried,
    delete: FormAction<DeleteProvider>,
) -> impl IntoView {
    let rows = kept_each(
        list,
        move |provider| view! { <ProviderRow provider may_add may_share test tried delete/> },
    );
    view! {
        <Table columns=["Name", "Server", "Key", ACTIONS] rows/>
    }
}

#[component]
fn ProviderRow(
    provider: ProviderView,
    may_add: bool,
    may_share: bool,
    test: FormAction<TestProvider>,
    tried: Tried,
    delete: FormAction<DeleteProvider>,
) -> impl IntoView {
    let is_script = provider.kind == ProviderKind::Scripted;
    let is_here = provider.reach != ProviderReach::Hub;
    if let ProviderOwnership::Lent { models, per_month, spent } = provider.whose.clone() {
        return view! { <LentRow provider models per_month spent/> }.into_any();
    }
    let key = t(match (provider.reach, provider.has_key) {
        (ProviderReach::DeviceKey, _) => "On your devices",
        (ProviderReach::Hub, true) => "Saved",
        (ProviderReach::Hub, false) if !is_script => "None",
        (ProviderReach::Hub | ProviderReach::Device, _) => "None needed",
    });
    let address = match (&provider.base_url, is_script) {
        (Some(url), _) => url.clone(),
        (None, true) => t("In the hub").to_owned(),
        (None, false) => t("The provider's own").to_owned(),
    };
    let address = if provider.kind == ProviderKind::InBrowser {
        t("In the browser that you use").to_owned()
    } else if is_here {
        say!("{address}, called by your browser")
    } else {
        address
    };
    let ways = (may_add && !is_script).then(|| view! { <Ways provider=provider.clone() test tried/> });
    let shared = (provider.whose == ProviderOwnership::OwnShared)
        .then(|| view! { <br/><span class="chip">"Shared"</span> });
    let sharing = (may_share && !is_script && !is_here).then(|| {
        let (page, label) =
            (format!("/providers/{}/share", provider.id), say!("Share {name}", name = provider.name));
        view! { <a class="button" data-kind="quiet" href=page aria-label=label>"Share"</a> }
    });
    view! {
        <tr>
            <td>{provider.name.clone()} {shared}</td>
            <td data-label="Server">{kind_label(provider.kind)} <br/> <span class="faint">{address}</span></td>
            <td data-label="Key">{key}</td>
            <td class="list-end">
                <div class="actions">
                    {ways}
                    {sharing}
                    <Delete provider delete/>
                </div>
            </td>
        </tr>
    }
    .into_any()
}

/// One that an administrator shares: there is nothing to change.
#[component]
fn LentRow(
    provider: ProviderView,
    models: Vec<String>,
    per_month: Option<Micros>,
    spent: Micros,
) -> impl IntoView {
    let models = match models.len() {
        0 => t("All its models").to_owned(),
        1..=3 => models.join(", "),
        count => plural!(count, "{count} model", "{count} models"),
    };
    let money = match per_month {
        Some(limit) => say!("{} of {limit} this month", dollars(spent)),
        None => say!("{} this month", dollars(spent)),
    };
    view! {
        <tr>
            <td>{provider.name}</td>
            <td data-label="Server">"Shared by the server" <br/> <span class="faint">{models}</span></td>
            <td data-label="Key">"The server's"</td>
            <td class="list-end num">{money}</td>
        </tr>
    }
}

#[component]
fn Ways(provider: ProviderView, test: FormAction<TestProvider>, tried: Tried) -> impl IntoView {
    let edit = format!("/providers?edit={}#provider-form", provider.id);
    let change = say!("Change {name}", name = provider.name);
    let test = match provider.reach {
        ProviderReach::Hub => view! { <TestFromHub provider test/> }.into_any(),
        ProviderReach::Device | ProviderReach::DeviceKey => view! { <TryHere provider tried/> }.into_any(),
    };
    view! {
        {test}
        <a class="button" data-kind="quiet" href=edit aria-label=change>"Change"</a>
    }
}

#[component]
fn TestFromHub(provider: ProviderView, test: FormAction<TestProvider>) -> impl IntoView {
    let ProviderView { id, name, kind, base_url, .. } = provider;
    let tested = id.clone();
    let is_testing = move || test.is_pending_with("id", &tested.0);
    let test_label = say!("Test connection to {name}");
    view! {
        <ActionForm action=test>
            <input type="hidden" name="id" value=id.0/>
            <input type="hidden" name="kind" value=kind_value(kind)/>
            <input type="hidden" name="base_url" value=base_url/>
            <button
                type="submit"
                class="button"
                aria-label=test_label
                aria-busy=move || is_testing().then_some("true")
            >
                "Test connection"
            </button>
        </ActionForm>
    }
}

#[component]
fn Delete(provider: ProviderView, delete: FormAction<DeleteProvider>) -> impl IntoView {
    let ProviderView { id, name, has_key, .. } = provider;
    let what = if has_key { say!("{name} and its key") } else { name.clone() };
    view! {
        <details class="confirm">
            <summary class="button" data-kind="quiet" aria-label={say!("Delete {name}")}>
                <Icon name="trash" small=true/>
                "Delete"
            </summary>
            <ActionForm action=delete attr:class="confirm-body">
                <p>
                    {say!("This deletes {what}. It cannot be undone. ")}
                    "Agents that use it stay, but cannot answer until you give them another provider."
                </p>
                <input type="hidden" name="id" value=id.0/>
                <button type="submit" class="button" data-kind="danger">{say!("Delete {what}")}</button>
            </ActionForm>
        </details>
    }
}
