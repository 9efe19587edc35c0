//! The way to open the keys of this device by finger, face or PIN: making that passkey, and taking it back.

use super::entry::Secret;
use super::section::Outcome;
use crate::browser::keys;
use crate::prelude::*;
use crate::ui::Icon;
use leptos::ev::SubmitEvent;
use leptos::html::{Form, Input};
use leptos::task::spawn_local;
use protocol::view::shell::DeviceKeys;

#[component]
pub(super) fn PasskeyForm(held: ArcRwSignal<DeviceKeys>, outcome: Outcome) -> impl IntoView {
    let has_passkey = Memo::new(move |_| held.with(|held| held.has_passkey));
    let (form, passphrase, is_busy) = (NodeRef::<Form>::new(), NodeRef::<Input>::new(), RwSignal::new(false));
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        add(form, passphrase, outcome, is_busy);
    };
    let without = move || {
        let words = t(match keys::has_passkeys() {
            true => {
                "Then a finger, a face or the PIN of this device opens the keys. The passphrase opens them as before."
            }
            false => "This browser has no passkeys at this address. They need HTTPS, or localhost.",
        });
        view! {
            <form class="fold-body" autocomplete="off" node_ref=form on:submit=submit>
                <p>{words}</p>
                <Show when=keys::has_passkeys>
                    <Secret id="passkey-passphrase" label="The passphrase of this device, to add a passkey" node=passphrase hint=""/>
                    <div class="form-end">
                        <button type="submit" class="button" aria-busy=move || is_busy.get().then_some("true")>
                            <Icon name="key" small=true/>
                            "Add a passkey"
                        </button>
                    </div>
                </Show>
            </form>
        }
    };
    let with = move || {
        view! {
            <div class="fold-body">
                <p>
                    "A passkey opens the keys on this device, beside the passphrase. "
                    "Taken back here, it stays where it is kept until you delete it there, and opens nothing."
                </p>
                <div class="form-end">
                    <button type="button" class="button" data-kind="danger" on:click=move |_| drop_it(outcome)>
                        "Take the passkey back"
                    </button>
                </div>
            </div>
        }
    };
    view! {
        <details class="fold">
            <summary>
                <span class="fold-title">"Open the keys with a passkey"</span>
                <span class="fold-hint">{move || t(if has_passkey.get() { "On" } else { "Off" })}</span>
            </summary>
            {move || if has_passkey.get() { with().into_any() } else { without().into_any() }}
        </details>
    }
}

fn add(form: NodeRef<Form>, passphrase: NodeRef<Input>, outcome: Outcome, is_busy: RwSignal<bool>) {
    let Some(input) = passphrase.get_untracked() else { return };
    if is_busy.get_untracked() {
        return;
    }
    is_busy.set(true);
    outcome.set(None);
    spawn_local(async move {
        let done = keys::add_passkey(&input.value()).await;
        if let Some(form) = form.try_get_untracked().flatten() {
            form.reset();
        }
        let words = done.map(|()| t("The passkey opens the keys on this device from now on.").to_owned());
        let _ = outcome.try_set(Some(words));
        let _ = is_busy.try_set(false);
    });
}

fn drop_it(outcome: Outcome) {
    spawn_local(async move {
        let done = keys::drop_passkey().await;
        let words = done.map(|()| t("Only the passphrase opens the keys on this device now.").to_owned());
        let _ = outcome.try_set(Some(words));
    });
}
