//! The form for a key. It is not sent anywhere: its fields have no names, and script takes them.

use super::api::key_kept;
use super::section::Outcome;
use crate::browser::keys;
use crate::prelude::*;
use leptos::ev::SubmitEvent;
use leptos::html::{Form, Input, Select};
use leptos::task::spawn_local;
use protocol::ProviderId;
use protocol::agent::ProviderKind;
use protocol::run::KeySlot;
use protocol::view::ProviderView;
use protocol::view::shell::Lock;

#[component]
pub(super) fn EntryForm(
    providers: Vec<ProviderView>,
    saved: Option<ProviderId>,
    state: Memo<Lock>,
    outcome: Outcome,
) -> impl IntoView {
    let is_busy = RwSignal::new(false);
    let fields = Fields::default();
    let options = providers
        .iter()
        .map(|provider| {
            let selected = saved.as_ref() == Some(&provider.id);
            view! { <option value=provider.id.0.clone() selected=selected>{provider.name.clone()}</option> }
        })
        .collect_view();
    let first = saved.or_else(|| providers.first().map(|provider| provider.id.clone()));
    let chosen = RwSignal::new(first);
    let providers = StoredValue::new(providers);
    let hint = move || {
        providers.with_value(|all| {
            let provider = all.iter().find(|one| Some(&one.id) == chosen.read().as_ref());
            provider.map(|provider| promise(provider.kind, provider.base_url.is_some()))
        })
    };
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        let slot = providers.with_value(|all| {
            all.iter().find(|one| Some(&one.id) == chosen.read_untracked().as_ref())?.key_slot.clone()
        });
        if let Some(slot) = slot {
            keep(slot, fields, state.get_untracked(), outcome, is_busy);
        }
    };
    view! {
        <form class="form" autocomplete="off" node_ref=fields.form on:submit=submit aria-label="Enter a key">
            <div class="field">
                <label class="field-label" for="device-key-provider">"Provider"</label>
                <select
                    class="input"
                    id="device-key-provider"
                    node_ref=fields.provider
                    on:change=move |event| chosen.set(Some(ProviderId::from(event_target_value(&event).as_str())))
                >
                    {options}
                </select>
                <p class="field-hint">{hint}</p>
            </div>
            <Secret id="device-key" label="Key for this device" node=fields.key hint="Sealed here. It is not sent to the hub, and never shown again."/>
            <Show when=move || state.get() == Lock::Unset>
                <Secret
                    id="device-key-passphrase"
                    label="A passphrase for the keys on this device"
                    node=fields.passphrase
                    hint="At least 10 characters. Nobody can tell you what it was: without it the keys have to be entered again."
                />
                <Secret id="device-key-repeat" label="The passphrase once more" node=fields.repeat hint=""/>
            </Show>
            <Show when=move || state.get() == Lock::Locked>
                <Secret id="device-key-unlock" label="The passphrase, to seal the key with" node=fields.passphrase hint=""/>
            </Show>
            <div class="form-end">
                <button type="submit" class="button" data-kind="primary" aria-busy=move || is_busy.get().then_some("true")>
                    "Keep it on this device"
                </button>
            </div>
        </form>
    }
}

#[derive(Clone, Copy, Default)]
struct Fields {
    form: NodeRef<Form>,
    provider: NodeRef<Select>,
    key: NodeRef<Input>,
    passphrase: NodeRef<Input>,
    repeat: NodeRef<Input>,
}

/// A field whose text leaves it only for this browser's own vault.
#[component]
pub fn Secret(
    id: &'static str,
    label: &'static str,
    node: NodeRef<Input>,
    hint: &'static str,
) -> impl IntoView {
    let hint_id = format!("{id}-hint");
    view! {
        <div class="field">
            <label class="field-label" for=id>{label}</label>
            <input
                class="input"
                id=id
                node_ref=node
                type="password"
                required
                autocomplete="off"
                spellcheck="false"
                aria-describedby=(!hint.is_empty()).then(|| hint_id.clone())
            />
            {(!hint.is_empty()).then(|| view! { <p class="field-hint" id=hint_id>{hint}</p> })}
        </div>
    }
}

/// Whether a page can call such a server at all, as far as anybody knows.
fn promise(kind: ProviderKind, has_own_address: bool) -> &'static str {
    t(match kind {
        ProviderKind::Anthropic | ProviderKind::OpenAi | ProviderKind::OpenRouter if !has_own_address => {
            "Its API answers pages, so this browser can call it."
        }
        ProviderKind::Anthropic
        | ProviderKind::OpenAi
        | ProviderKind::OpenRouter
        | ProviderKind::OpenAiResponses
        | ProviderKind::Gemini
        | ProviderKind::Bedrock
        | ProviderKind::Azure
        | ProviderKind::Groq
        | ProviderKind::DeepSeek
        | ProviderKind::Mistral
        | ProviderKind::XAi
        | ProviderKind::Ollama
        | ProviderKind::LmStudio
        | ProviderKind::LlamaCpp
        | ProviderKind::InBrowser
        | ProviderKind::Scripted => {
            "Not every server answers pages (CORS). Test the connection when the key is in: if it refuses, only the hub can call it."
        }
    })
}

fn keep(slot: KeySlot, fields: Fields, state: Lock, outcome: Outcome, is_busy: RwSignal<bool>) {
    let text = |node: NodeRef<Input>| node.get_untracked().map(|input| input.value()).unwrap_or_default();
    let (key, passphrase) = (text(fields.key), text(fields.passphrase));
    if is_busy.get_untracked() {
        return;
    }
    if state == Lock::Unset && passphrase != text(fields.repeat) {
        return outcome.set(Some(Err(t("The two passphrases differ. Nothing was kept.").to_owned())));
    }
    is_busy.set(true);
    spawn_local(async move {
        let kept = keys::keep(&slot, &key, &passphrase).await;
        if kept.is_ok() {
            if let Some(form) = fields.form.try_get_untracked().flatten() {
                form.reset();
            }
            // What the hub lists is only where a person would look for the key.
            let _ = key_kept(slot.provider.clone()).await;
        }
        let words = kept.map(|()| say!("The key of {name} is kept on this device.", name = slot.name));
        let _ = outcome.try_set(Some(words));
        let _ = is_busy.try_set(false);
    });
}
