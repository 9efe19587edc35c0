//! The devices that are notified. The switch is for the browser that shows the page, and asked for by a press
//! (`public/push.js`).

use super::api::{PushOff, PushOn, TryChannel};
use crate::prelude::*;
use crate::ui::{ACTIONS, ActionForm, Done, FormAction, Section, Table, kept_each};
use leptos::server_fn::ServerFn;
use protocol::view::PushDeviceView;

#[component]
pub(super) fn DevicesSection(
    devices: Vec<PushDeviceView>,
    push_key: String,
    try_out: FormAction<TryChannel>,
) -> impl IntoView {
    let here = devices.iter().find(|device| device.current).cloned();
    let off = here.is_some().then(|| view! { <SwitchOff/> });
    let list = (!devices.is_empty()).then(|| {
        let rows = kept_each(devices, move |device| view! { <Row device try_out/> });
        view! { <Table columns=["Device", "Buttons to answer", ACTIONS] rows/> }
    });
    view! {
        <Section
            id="devices"
            title="Devices"
            lead="The push service of your browser passes on what only this device can read. Switch it on from each device that should ring."
        >
            <Done what="push_on" words="This device is notified from now on."/>
            <Done what="push_off" words="This device is not notified any more."/>
            {list}
            <SwitchOn push_key here/>
            {off}
        </Section>
    }
}

#[component]
fn Row(device: PushDeviceView, try_out: FormAction<TryChannel>) -> impl IntoView {
    let PushDeviceView { id, name, current, buttons } = device;
    let tried = view! { <TryForm target=id.0 name=name.clone() try_out/> };
    view! {
        <tr>
            <td>{name} " " {current.then(|| view! { <span class="chip" data-kind="here">"This device"</span> })}</td>
            <td data-label="Buttons to answer">{t(if buttons { "Yes" } else { "No" })}</td>
            <td class="list-end">{tried}</td>
        </tr>
    }
}

/// Sends something to this device or channel, to see whether it gets there.
#[component]
pub(super) fn TryForm(target: String, name: String, try_out: FormAction<TryChannel>) -> impl IntoView {
    let label = say!("Send a test to {name}");
    view! {
        <ActionForm action=try_out>
            <input type="hidden" name="id" value=target/>
            <button type="submit" class="button" data-kind="quiet" aria-label=label>"Send a test"</button>
        </ActionForm>
    }
}

#[component]
fn SwitchOn(push_key: String, here: Option<PushDeviceView>) -> impl IntoView {
    let words = t(if here.is_some() { "Save for this device" } else { "Notify this device" });
    let buttons = here.is_some_and(|device| device.buttons);
    view! {
        <form class="form" method="post" action=PushOn::url() data-push="on" data-key=push_key>
            <label class="choice">
                <input type="checkbox" name="buttons" value="true" checked=buttons/>
                <span>"Allow and deny calls, and reply, from the notification"</span>
                <span class="choice-hint">
                    "Whoever holds this device can press them, and write to your agents, perhaps while it is locked. Calls of high risk have none, and each button is good for one call or one reply."
                </span>
            </label>
            <p class="field-error" role="alert" data-push-said hidden></p>
            <div class="form-end">
                <button type="submit" class="button" data-kind="primary">{words}</button>
            </div>
        </form>
    }
}

#[component]
fn SwitchOff() -> impl IntoView {
    view! {
        <form method="post" action=PushOff::url() data-push="off">
            <p class="field-error" role="alert" data-push-said hidden></p>
            <button type="submit" class="button" data-kind="quiet">"Do not notify this device"</button>
        </form>
    }
}
