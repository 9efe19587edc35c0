//! The section of the providers page about keys that stay on devices: which are here, whether they are
//! open, and the ways to enter and forget them.

use super::api::key_kept;
use super::entry::EntryForm;
use super::more::{ChangePassphrase, ForgetAll};
use super::passkey_form::PasskeyForm;
use super::rows::Rows;
use super::unlock::Unlock;
use crate::browser::keys;
use crate::prelude::*;
use crate::ui::{Icon, Section};
use leptos::task::spawn_local;
use protocol::ProviderId;
use protocol::view::shell::{DeviceKeys, Lock, Unable};
use protocol::view::{KeptKey, ProviderView};

/// What the last form of the section did, or why it did nothing.
pub(super) type Outcome = RwSignal<Option<Result<String, String>>>;

#[component]
pub fn KeysSection(
    /// Those whose key stays on devices.
    providers: Vec<ProviderView>,
    /// Which devices have which.
    kept: Vec<KeptKey>,
    /// The one that was just saved.
    saved: Option<ProviderId>,
) -> impl IntoView {
    let held = keys::held();
    let outcome: Outcome = RwSignal::new(None);
    let is_scripted = RwSignal::new(false);
    Effect::new(move |_| is_scripted.set(true));
    tell_hub(providers.clone(), kept.clone());
    let providers = StoredValue::new(providers);
    let kept = StoredValue::new(kept);
    let saved = StoredValue::new(saved);
    let held = StoredValue::new(held);
    let state = Memo::new(move |_| held.with_value(|held| held.with(|DeviceKeys { state, .. }| *state)));
    view! {
        <Section
            id="device-keys"
            title="Keys on this device"
            lead="Sealed with a passphrase in this browser, and used by it alone: the hub and the agents' frames never get them. Each of your devices has its own."
        >
            <Show when=move || is_scripted.get() fallback={|| view! { <p>"These keys need JavaScript: this browser seals and uses them by itself."</p> }}>
                <Told outcome/>
                {move || state_view(state.get(), outcome)}
                <Rows
                    providers=providers.get_value()
                    kept=kept.get_value()
                    held=held.get_value()
                    outcome
                />
                <Show when=move || matches!(state.get(), Lock::Unset | Lock::Locked | Lock::Open)>
                    <EntryForm providers=providers.get_value() saved=saved.get_value() state outcome/>
                </Show>
                <Show when=move || matches!(state.get(), Lock::Locked | Lock::Open)>
                    <PasskeyForm held=held.get_value() outcome/>
                    <ChangePassphrase outcome/>
                    <ForgetAll outcome/>
                </Show>
            </Show>
        </Section>
    }
}

/// How the keys are, and the way to the other state.
fn state_view(state: Lock, outcome: Outcome) -> AnyView {
    match state {
        Lock::Unknown => view! { <p aria-busy="true">"Looking what this browser keeps."</p> }.into_any(),
        Lock::Unable(why) => {
            let words = t(match why {
                Unable::Insecure => "This page came over plain HTTP, and then browsers seal nothing. Open the hub over HTTPS, or on its own machine at http://localhost.",
                Unable::NoStore => "This browser keeps nothing for this page. A private window, or a setting that blocks site data, is the usual reason.",
            });
            view! {
                <div class="banner" data-kind="warn" role="note"><Icon name="warn"/><p class="banner-text">{words}</p></div>
            }
            .into_any()
        }
        Lock::Unset => view! { <p>"No key is here yet. The first one comes with a passphrase, which opens all of them."</p> }.into_any(),
        Lock::Locked => view! {
            <div class="banner" data-kind="info">
                <Icon name="key"/>
                <p class="banner-text">"The keys are locked."</p>
                <Unlock id="device-keys"/>
            </div>
        }
        .into_any(),
        Lock::Open => view! {
            <div class="banner" data-kind="info">
                <Icon name="key"/>
                <p class="banner-text" role="status">
                    "The keys are open in this tab. "
                    <small>"They lock when it is closed or loaded anew, and after 15 minutes without a call."</small>
                </p>
                <button type="button" class="button" on:click=move |_| { outcome.set(None); keys::lock(); }>"Lock now"</button>
            </div>
        }
        .into_any(),
    }
}

#[component]
fn Told(outcome: Outcome) -> impl IntoView {
    move || {
        Some(match outcome.get()? {
            Ok(words) => view! {
                <div class="banner" data-kind="done" role="status"><Icon name="check"/><p class="banner-text">{words}</p></div>
            }
            .into_any(),
            Err(words) => view! {
                <div class="banner" data-kind="error" role="alert"><Icon name="warn"/><p class="banner-text">{words}</p></div>
            }
            .into_any(),
        })
    }
}

/// A device that signed in anew is another one to the hub, and keeps what it kept.
fn tell_hub(providers: Vec<ProviderView>, kept: Vec<KeptKey>) {
    let held = keys::held();
    Effect::new(move |told: Option<Vec<ProviderId>>| {
        let mut told = told.unwrap_or_default();
        for slot in providers.iter().filter_map(|provider| provider.key_slot.as_ref()) {
            let is_known = kept.iter().any(|one| one.current && one.provider == slot.provider);
            let is_here = held.with(|held| held.has(&slot.provider, &slot.place));
            if is_here && !is_known && !told.contains(&slot.provider) {
                told.push(slot.provider.clone());
                let provider = slot.provider.clone();
                spawn_local(async move {
                    // Said again when the page is opened the next time.
                    let _ = key_kept(provider).await;
                });
            }
        }
        told
    });
}
