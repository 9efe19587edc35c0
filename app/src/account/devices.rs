//! The browsers that are signed in.

use super::api::RevokeDevice;
use crate::ui::{ActionFailure, When};
use leptos::form::ActionForm;
use leptos::prelude::*;
use protocol::view::DeviceView;

#[component]
pub(super) fn DevicesSection(devices: Vec<DeviceView>, revoke: ServerAction<RevokeDevice>) -> impl IntoView {
    let rows = devices.into_iter().map(|device| view! { <DeviceRow device revoke/> }).collect_view();
    view! {
        <section class="section" aria-labelledby="devices">
            <div class="section-head">
                <h2 id="devices">"Devices"</h2>
                <p>"Browsers that are signed in as you. Revoke one that you do not know."</p>
            </div>
            <ActionFailure value=revoke.value()/>
            <table class="list">
                <thead>
                    <tr>
                        <th scope="col">"Device"</th>
                        <th scope="col">"Signed in"</th>
                        <th scope="col">"Last seen"</th>
                        <th scope="col" class="list-end"><span class="sr-only">"Actions"</span></th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </section>
    }
}

#[component]
fn DeviceRow(device: DeviceView, revoke: ServerAction<RevokeDevice>) -> impl IntoView {
    let DeviceView { id, name, created_at, last_seen_at, current } = device;
    let label = format!("Revoke {name}");
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
