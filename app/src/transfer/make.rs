//! What goes out: chosen, sealed, and handed to the person as a link or a file.

mod pack;

use self::pack::{copy, to_file, to_link};
use crate::browser::keys::held;
use crate::keys::{Secret, Unlock};
use crate::prelude::*;
use crate::ui::{ChoiceRow, Icon, Section, kind_label};
use leptos::ev::SubmitEvent;
use leptos::html::Input;
use protocol::run::KeySlot;
use protocol::view::shell::{DeviceKeys, Lock};
use protocol::view::{CarriedProvider, ProviderView, Settings};
use std::collections::BTreeSet;

/// What a person can leave behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Choice {
    Provider(usize),
    /// The key that this device keeps for it.
    Key(usize),
    Prices,
    Limits,
    Rules,
}

#[derive(Clone, Copy)]
pub(super) struct Making {
    pub(super) settings: StoredValue<Settings>,
    /// The slot of each provider, where this device may keep its key.
    pub(super) slots: StoredValue<Vec<Option<KeySlot>>>,
    pub(super) left: RwSignal<BTreeSet<Choice>>,
    pub(super) link: RwSignal<Option<String>>,
    pub(super) trouble: RwSignal<Option<String>>,
    pub(super) saved: RwSignal<bool>,
}

#[component]
pub(super) fn MakeSection(settings: Settings, providers: Vec<ProviderView>) -> impl IntoView {
    let slots = settings.providers.iter().map(|carried| slot_of(carried, &providers)).collect();
    let making = Making {
        settings: StoredValue::new(settings),
        slots: StoredValue::new(slots),
        left: RwSignal::new(BTreeSet::new()),
        link: RwSignal::new(None),
        trouble: RwSignal::new(None),
        saved: RwSignal::new(false),
    };
    let (first, again) = (NodeRef::<Input>::new(), NodeRef::<Input>::new());
    let save = move |event: SubmitEvent| {
        event.prevent_default();
        let text = |node: NodeRef<Input>| node.get_untracked().map(|input| input.value()).unwrap_or_default();
        if text(first) != text(again) {
            return making.trouble.set(Some(t("The two passphrases differ. No file was made.").to_owned()));
        }
        to_file(making, text(first));
    };
    view! {
        <Section id="take-along" title="Take settings along" lead="Sealed in this browser. The hub sees neither the link nor the file.">
            <Choices making/>
            {move || making.trouble.get().map(|words| view! {
                <div class="banner" data-kind="error" role="alert"><Icon name="warn"/><p class="banner-text">{words}</p></div>
            })}
            <div class="actions">
                <button type="button" class="button" data-kind="primary" on:click=move |_| to_link(making)>"Make a link"</button>
            </div>
            {move || making.link.get().map(|link| view! { <Link link/> })}
            <details class="fold">
                <summary>
                    <span class="fold-title">"Save a file instead"</span>
                    <span class="fold-hint">"With a passphrase of its own"</span>
                </summary>
                <form class="fold-body" autocomplete="off" on:submit=save>
                    <Secret id="parcel-passphrase" label="A passphrase for the file" node=first hint="At least 10 characters. It opens the file, and nothing else does."/>
                    <Secret id="parcel-repeat" label="That passphrase once more" node=again hint=""/>
                    <div class="form-end"><button type="submit" class="button">"Save the file"</button></div>
                    <p role="status">{move || making.saved.get().then(|| t("The file is saved where this browser saves files."))}</p>
                </form>
            </details>
        </Section>
    }
}

#[component]
fn Choices(making: Making) -> impl IntoView {
    let held = StoredValue::new(held());
    let state = Memo::new(move |_| held.with_value(|held| held.with(|DeviceKeys { state, .. }| *state)));
    let settings = making.settings.get_value();
    let is_empty = settings == Settings::default();
    let wants_keys = making.slots.with_value(|slots| {
        slots.iter().flatten().any(|slot| {
            held.with_value(|held| held.with_untracked(|held| held.has(&slot.provider, &slot.place)))
        })
    });
    let providers = settings.providers.iter().enumerate().map(|(place, provider)| {
        let kind = kind_label(provider.kind);
        let about = match provider.had_key {
            true => say!("{kind}. Its key stays in the hub: it is entered again where this goes."),
            false => format!("{kind}."),
        };
        let slot = making.slots.with_value(|slots| slots.get(place).cloned().flatten());
        let key = slot.map(|slot| {
            let name = say!("The key of {name} on this device", name = slot.name);
            let is_here = move || held.with_value(|held| held.with(|held| held.has(&slot.provider, &slot.place)));
            view! {
                <Show when=is_here>
                    <Choose making choice=Choice::Key(place) name=name.clone() about="Only while the keys of this device are open.".to_owned()/>
                </Show>
            }
        });
        view! { <Choose making choice=Choice::Provider(place) name=provider.name.clone() about/> {key} }
    });
    let providers = providers.collect_view();
    let prices = (!settings.prices.is_empty()).then(|| {
        let count = settings.prices.len();
        let about = plural!(count, "{count} model", "{count} models");
        view! { <Choose making choice=Choice::Prices name={t("Prices that you entered").to_owned()} about/> }
    });
    let limits = settings.limits.is_some().then(|| {
        view! { <Choose making choice=Choice::Limits name={t("Your limits for all agents").to_owned()} about=String::new()/> }
    });
    let rules = (!settings.rules.is_empty()).then(|| {
        let count = settings.rules.len();
        let about = plural!(count, "{count} rule", "{count} rules");
        view! { <Choose making choice=Choice::Rules name={t("Rules for all agents").to_owned()} about/> }
    });
    if is_empty {
        return view! { <p class="empty" data-size="small">"There is nothing to take along yet."</p> }
            .into_any();
    }
    view! {
        <fieldset class="choices">
            <legend class="field-label">"What goes along"</legend>
            {providers} {prices} {limits} {rules}
        </fieldset>
        <Show when=move || wants_keys && state.get() == Lock::Locked>
            <div class="banner" data-kind="info">
                <Icon name="key"/>
                <p class="banner-text">"The keys of this device are locked. Open them to take them along."</p>
                <Unlock id="take-keys"/>
            </div>
        </Show>
    }
    .into_any()
}

#[component]
fn Choose(making: Making, choice: Choice, name: String, about: String) -> impl IntoView {
    let change = move |event| {
        let is_checked = event_target_checked(&event);
        making.link.set(None);
        making.left.update(|left| {
            if is_checked {
                left.remove(&choice);
            } else {
                left.insert(choice);
            }
        });
    };
    view! {
        <ChoiceRow words=name hint=about>
            <input type="checkbox" prop:checked=move || !making.left.with(|left| left.contains(&choice)) on:change=change/>
        </ChoiceRow>
    }
}

#[component]
fn Link(link: String) -> impl IntoView {
    let is_copied = RwSignal::new(false);
    let shown = link.clone();
    view! {
        <div class="field">
            <label class="field-label" for="parcel-link">"The link"</label>
            <div class="field-row">
                <input class="input input-code" id="parcel-link" readonly value=shown/>
                <button type="button" class="button" on:click=move |_| copy(&link, is_copied)>"Copy"</button>
            </div>
            <p class="field-hint">
                "Open it on the other device. For another hub, copy it and paste it on the same page there. "
                "Whoever has it can read all that is in it, and no server keeps a part of it."
            </p>
            <p role="status">{move || is_copied.get().then(|| t("Copied."))}</p>
        </div>
    }
}

/// Where this device may keep the key of a provider, if it is here.
pub(super) fn slot_of(carried: &CarriedProvider, providers: &[ProviderView]) -> Option<KeySlot> {
    let is_it = |one: &&ProviderView| {
        (&one.name, one.kind, &one.base_url, one.reach)
            == (&carried.name, carried.kind, &carried.base_url, carried.reach)
    };
    providers.iter().find(is_it)?.key_slot.clone()
}
