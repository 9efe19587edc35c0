//! The providers whose key stays on devices, and where each key is.

use super::api::key_forgotten;
use super::section::Outcome;
use crate::browser::keys;
use crate::prelude::*;
use crate::ui::{ACTIONS, Icon, Table, kind_label};
use leptos::task::spawn_local;
use protocol::run::KeySlot;
use protocol::view::shell::DeviceKeys;
use protocol::view::{KeptKey, ProviderView};

#[component]
pub(super) fn Rows(
    providers: Vec<ProviderView>,
    kept: Vec<KeptKey>,
    held: ArcRwSignal<DeviceKeys>,
    outcome: Outcome,
) -> impl IntoView {
    let rows = providers
        .into_iter()
        .filter_map(|provider| {
            let key_slot = provider.key_slot.clone()?;
            let elsewhere = kept.iter().filter(|one| one.provider == key_slot.provider && !one.current);
            let elsewhere: Vec<String> = elsewhere.map(|one| one.name.clone()).collect();
            Some(view! { <KeyRow provider key_slot elsewhere held=held.clone() outcome/> })
        })
        .collect_view()
        .into_any();
    view! {
        <Table columns=["Provider", "Goes to", "Key", ACTIONS] rows/>
    }
}

#[component]
fn KeyRow(
    provider: ProviderView,
    key_slot: KeySlot,
    /// Other devices that have one.
    elsewhere: Vec<String>,
    held: ArcRwSignal<DeviceKeys>,
    outcome: Outcome,
) -> impl IntoView {
    let name = provider.name.clone();
    let (id, place) = (key_slot.provider.clone(), key_slot.place.clone());
    let is_here = Memo::new(move |_| held.with(|held| held.has(&id, &place)));
    let others = match elsewhere.is_empty() {
        true => String::new(),
        false => say!("Also on {devices}", devices = elsewhere.join(", ")),
    };
    let slot = StoredValue::new(key_slot);
    let (shown, label) = (name.clone(), say!("Forget the key of {name} on this device"));
    view! {
        <tr>
            <td>{name}</td>
            <td data-label="Goes to">{kind_label(provider.kind)} <br/> <span class="faint">{slot.with_value(|slot| slot.place.clone())}</span></td>
            <td data-label="Key">
                {move || t(if is_here.get() { "On this device" } else { "Not on this device" })}
                <br/>
                <span class="faint">{others}</span>
            </td>
            <td class="list-end">
                <Show when=move || is_here.get()>
                    <details class="confirm">
                        <summary class="button" data-kind="quiet" aria-label=label.clone()>
                            <Icon name="trash" small=true/>
                            "Forget"
                        </summary>
                        <div class="confirm-body">
                            <p>{say!("This takes the key of {name} off this device. Other devices keep theirs.", name = shown)}</p>
                            <button
                                type="button"
                                class="button"
                                data-kind="danger"
                                on:click=move |_| forget(slot.get_value(), outcome)
                            >
                                {say!("Forget the key of {name}", name = shown)}
                            </button>
                        </div>
                    </details>
                </Show>
            </td>
        </tr>
    }
}

fn forget(slot: KeySlot, outcome: Outcome) {
    spawn_local(async move {
        let done = keys::forget(&slot.provider).await;
        // What the hub lists is only where a person would look for the key.
        let _ = key_forgotten(slot.provider).await;
        let done = done.map(|()| say!("The key of {name} is no longer on this device.", name = slot.name));
        let _ = outcome.try_set(Some(done));
    });
}
