//! The form for a new provider, or for one that is changed.

use super::api::SaveProvider;
use crate::prelude::*;
use crate::ui::{
    ActionFailure, ActionForm, Choice, Field, FormAction, KINDS, KeyPlace, Section, kind_hint, kind_label,
    kind_sent_as, kind_value,
};
use leptos::ev::Event;
use leptos::html::Input;
use protocol::agent::ProviderKind;
use protocol::view::{ProviderReach, ProviderView};

#[component]
pub(super) fn ProviderForm(old: Option<ProviderView>, save: FormAction<SaveProvider>) -> impl IntoView {
    let heading = match &old {
        Some(old) => say!("Change {name}", name = old.name),
        None => t("Add a provider").to_owned(),
    };
    let has_key = old.as_ref().is_some_and(|old| old.has_key);
    let cancel = old.is_some().then(|| {
        view! { <a class="button" data-kind="quiet" href="/providers">"Cancel"</a> }
    });
    let (id, name, kind, base_url, reach) = match old {
        Some(old) => (Some(old.id.0), old.name, old.kind, old.base_url, old.reach),
        None => (None, String::new(), ProviderKind::Anthropic, None, ProviderReach::Hub),
    };
    let (chosen, of) = (RwSignal::new(reach), RwSignal::new(kind));
    let choose = move |event: Event| {
        if let Some(kind) = kind_sent_as(&event_target_value(&event)) {
            of.set(kind);
        }
    };
    let is_scripted = RwSignal::new(false);
    Effect::new(move |_| is_scripted.set(true));
    view! {
        <Section id="provider-form" title=heading>
            <ActionFailure value=save.value()/>
            <ActionForm action=save attr:class="form" attr:autocomplete="off">
                {id.map(|id| view! { <input type="hidden" name="id" value=id/> })}
                <fieldset class="choices" data-flow="columns" on:change=choose>
                    <legend class="field-label">"Kind"</legend>
                    {KINDS.map(|each| view! { <KindChoice kind=each checked=each == kind/> }).collect_view()}
                </fieldset>
                <Field id="provider-name" label="Name" hint="What you call it when you choose it for an agent.">
                    <input
                        class="input"
                        id="provider-name"
                        name="name"
                        value=name
                        required
                        maxlength="80"
                        aria-describedby="provider-name-hint"
                    />
                </Field>
                <Field
                    id="provider-url"
                    label="Base URL, if it is not the provider's own"
                    hint={view! { "For a server of your own or another company's: " <code>{"http://127.0.0.1:11434/v1"}</code> " or " <code>{"https://models.example.com/v1"}</code> "." }.into_any()}
                >
                    <input
                        class="input input-code"
                        id="provider-url"
                        name="base_url"
                        type="url"
                        value=base_url
                        maxlength="2048"
                        autocapitalize="none"
                        spellcheck="false"
                        aria-describedby="provider-url-hint"
                    />
                </Field>
                <fieldset class="choices">
                    <legend class="field-label">"Who calls it"</legend>
                    <ReachChoice
                        reach=ProviderReach::Hub
                        chosen
                        words="The hub"
                        hint="It works from every device, and when no browser is open."
                    />
                    <ReachChoice
                        reach=ProviderReach::Device
                        chosen
                        words="This browser"
                        hint="For a model on the device you are using: Ollama, LM Studio, llama.cpp. Without a key, and for agents that live in the browser."
                    />
                    // Only script keeps a key from being sent along with the form.
                    <Show when=move || is_scripted.get() || reach == ProviderReach::DeviceKey>
                        <ReachChoice
                            reach=ProviderReach::DeviceKey
                            chosen
                            words="My devices, with a key that stays there"
                            hint="Each device keeps its own key, sealed with a passphrase, and the hub never gets it. For agents that live in the browser. Not every server answers pages."
                        />
                    </Show>
                </fieldset>
                <KeyField has_key chosen of/>
                <label class="choice">
                    <input type="checkbox" name="test" value="true" checked/>
                    <span>"Test the connection first"</span>
                    <span class="choice-hint">
                        "If it does not work, nothing is saved and you read why. What your browser calls is tested from the list."
                    </span>
                </label>
                <div class="form-end">
                    <button
                        type="submit"
                        class="button"
                        data-kind="primary"
                        aria-busy=move || save.pending().get().then_some("true")
                    >
                        "Save"
                    </button>
                    {cancel}
                </div>
            </ActionForm>
        </Section>
    }
}

#[component]
fn KindChoice(kind: ProviderKind, checked: bool) -> impl IntoView {
    view! {
        <Choice
            name="kind"
            value=kind_value(kind)
            words=kind_label(kind)
            hint=kind_hint(kind)
            checked
        />
    }
}

#[component]
fn ReachChoice(
    reach: ProviderReach,
    chosen: RwSignal<ProviderReach>,
    words: &'static str,
    hint: &'static str,
) -> impl IntoView {
    let checked = chosen.get_untracked() == reach;
    view! {
        <label class="choice" data-edge="">
            <input
                type="radio"
                name="reach"
                value=reach_value(reach)
                checked=checked
                on:change=move |_| chosen.set(reach)
            />
            <span>{words}</span>
            <span class="choice-hint">{hint}</span>
        </label>
    }
}

/// The way of calling as forms send it.
fn reach_value(reach: ProviderReach) -> &'static str {
    match reach {
        ProviderReach::Hub => "hub",
        ProviderReach::Device => "device",
        ProviderReach::DeviceKey => "device_key",
    }
}

#[component]
fn KeyField(
    has_key: bool,
    chosen: RwSignal<ProviderReach>,
    /// The kind that is chosen.
    of: RwSignal<ProviderKind>,
) -> impl IntoView {
    let hint = move || {
        t(match (chosen.get(), has_key) {
            (ProviderReach::DeviceKey, _) => {
                "Not here: what is typed here goes to the hub. Save first, and enter the key then, on each device."
            }
            (ProviderReach::Device, _) => "A model on the device needs none.",
            (ProviderReach::Hub, true) => {
                "Leave it empty to keep the saved key. To another address the key has to be entered again."
            }
            (ProviderReach::Hub, false) => {
                "Kept encrypted, sent to this provider only, never shown again. A server of your own may need none."
            }
        })
    };
    let field = NodeRef::<Input>::new();
    let is_elsewhere = move || chosen.get() != ProviderReach::Hub;
    let wants_key = move || chosen.get() != ProviderReach::Device;
    // What was typed before is not sent along.
    Effect::new(move |_| {
        if let (true, Some(field)) = (is_elsewhere(), field.get()) {
            field.set_value("");
        }
    });
    view! {
        <Field id="provider-key" label="Key" hint={view! { {hint} " " <Show when=wants_key><KeyPlace of/></Show> }.into_any()}>
            <input
                class="input input-code"
                id="provider-key"
                name="key"
                type="password"
                node_ref=field
                disabled=is_elsewhere
                autocomplete="off"
                spellcheck="false"
                aria-describedby="provider-key-hint"
            />
        </Field>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_sends_what_the_server_reads() {
        for reach in [ProviderReach::Hub, ProviderReach::Device, ProviderReach::DeviceKey] {
            assert_eq!(serde_json::from_value(reach_value(reach).into()).ok(), Some(reach));
        }
    }
}
