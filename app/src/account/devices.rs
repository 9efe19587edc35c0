//! The browsers that are signed in.

use super::api::RevokeDevice;
use crate::prelude::*;
use crate::ui::{ACTIONS, ActionFailure, ActionForm, FormAction, Section, Table, When, kept_each};
use protocol::view::DeviceView;

#[component]
pub(super) fn DevicesSection(devices: Vec<DeviceView>, revoke: FormAction<RevokeDevice>) -> impl IntoView {
    let rows = kept_each(devices, move |device| view! { <DeviceRow device revoke/> });
    view! {
        <Section id="devices" title="Devices" lead="Browsers that are signed in as you. Revoke one that you do not know.">
            <ActionFailure value=revoke.value()/>
            <Table columns=["Device", "Signed in", "Last seen", ACTIONS] rows/>
        </Section>
    }
}

#[component]
fn DeviceRow(device: DeviceView, revoke: FormAction<RevokeDevice>) -> impl IntoView {
    let DeviceView { id, name, created_at, last_seen_at, current } = device;
    let label = say!("Revoke {name}");
    let end = if current {
        ().into_any()
    } else {
        view! {
            <ActionForm action=revoke>
                <input type="hidden" name="id" value=id.0/>
                <button type="submit" class="button" data-kind="quiet" aria-label=label>"Revoke"</button>
            </ActionForm>
        }
        .into_any()
    };
    view! {
        <tr>
            <td>
                {name} " "
                {current.then(|| view! { <span class="chip" data-kind="here">"This device"</span> })}
            </td>
            <td data-label="Signed in"><When at=created_at/></td>
            <td data-label="Last seen"><When at=last_seen_at/></td>
            <td class="list-end">{end}</td>
        </tr>
    }
}
