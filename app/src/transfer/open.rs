//! What comes in: opened in this browser, shown beside what is here, and taken once.

mod unpack;

use self::unpack::{open_address, open_file, open_link, take};
use super::review::Review;
use crate::browser::keys::held;
use crate::keys::{Secret, Unlock};
use crate::prelude::*;
use crate::ui::{Field, Icon, Section};
use leptos::ev::SubmitEvent;
use leptos::html::Input;
use protocol::view::Settings;
use protocol::view::shell::{Item, Lock};
use std::collections::BTreeSet;

#[derive(Clone, Copy)]
pub(super) struct Opening {
    pub(super) here: StoredValue<Settings>,
    /// What the parcel holds; `None` while none is open.
    pub(super) lines: RwSignal<Option<Vec<Item>>>,
    pub(super) from: RwSignal<String>,
    pub(super) chosen: RwSignal<BTreeSet<usize>>,
    /// Lines that are keys of a device.
    pub(super) keys: RwSignal<BTreeSet<usize>>,
    pub(super) trouble: RwSignal<Option<String>>,
    /// What was done, a sentence each.
    pub(super) done: RwSignal<Vec<String>>,
    pub(super) is_busy: RwSignal<bool>,
}

#[component]
pub(super) fn OpenSection(here: Settings) -> impl IntoView {
    let opening = Opening {
        here: StoredValue::new(here),
        lines: RwSignal::new(None),
        from: RwSignal::new(String::new()),
        chosen: RwSignal::new(BTreeSet::new()),
        keys: RwSignal::new(BTreeSet::new()),
        trouble: RwSignal::new(None),
        done: RwSignal::new(Vec::new()),
        is_busy: RwSignal::new(false),
    };
    Effect::new(move |_| open_address(opening));
    view! {
        <Section
            id="bring-in"
            title="Bring settings in"
            lead="From a link or a file that another hub, or another device, made. You see what is in it before anything is taken."
        >
            {move || opening.trouble.get().map(|words| view! {
                <div class="banner" data-kind="error" role="alert"><Icon name="warn"/><p class="banner-text">{words}</p></div>
            })}
            {move || (!opening.done.with(Vec::is_empty)).then(|| {
                let lines = opening.done.get().into_iter().map(|words| view! { <p>{words}</p> }).collect_view();
                view! {
                    <div class="banner" data-kind="done" role="status"><Icon name="check"/><div class="banner-text">{lines}</div></div>
                }
            })}
            <Show when=move || opening.lines.with(Option::is_some) fallback=move || view! { <Ways opening/> }>
                <Opened opening/>
            </Show>
        </Section>
    }
}

/// A link to paste, or a file to choose.
#[component]
fn Ways(opening: Opening) -> impl IntoView {
    let (link, file, passphrase) =
        (NodeRef::<Input>::new(), NodeRef::<Input>::new(), NodeRef::<Input>::new());
    let text = |node: NodeRef<Input>| node.get_untracked().map(|input| input.value()).unwrap_or_default();
    let paste = move |event: SubmitEvent| {
        event.prevent_default();
        open_link(opening, text(link));
    };
    let choose = move |event: SubmitEvent| {
        event.prevent_default();
        open_file(opening, file, text(passphrase));
    };
    view! {
        <form class="form" autocomplete="off" on:submit=paste>
            <Field id="parcel-paste" label="A link with settings">
                <div class="field-row">
                    <input class="input input-code" id="parcel-paste" node_ref=link required autocapitalize="none" spellcheck="false"/>
                    <button type="submit" class="button">"Open the link"</button>
                </div>
            </Field>
        </form>
        <details class="fold">
            <summary><span class="fold-title">"Open a file"</span></summary>
            <form class="fold-body" autocomplete="off" on:submit=choose>
                <Field id="parcel-file" label="The file">
                    <input class="input" id="parcel-file" type="file" node_ref=file required/>
                </Field>
                <Secret id="parcel-open" label="Its passphrase" node=passphrase hint=""/>
                <div class="form-end"><button type="submit" class="button">"Open the file"</button></div>
            </form>
        </details>
    }
}

#[component]
fn Opened(opening: Opening) -> impl IntoView {
    let held = StoredValue::new(held());
    let state = Memo::new(move |_| held.with_value(|held| held.with(|held| held.state)));
    let wants_keys = Memo::new(move |_| {
        opening.chosen.with(|chosen| opening.keys.with(|keys| keys.iter().any(|key| chosen.contains(key))))
    });
    let (first, again) = (NodeRef::<Input>::new(), NodeRef::<Input>::new());
    let text = |node: NodeRef<Input>| node.get_untracked().map(|input| input.value()).unwrap_or_default();
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        if wants_keys.get_untracked() && state.get_untracked() == Lock::Unset && text(first) != text(again) {
            return opening.trouble.set(Some(t("The two passphrases differ. Nothing was taken.").to_owned()));
        }
        take(opening, wants_keys.get_untracked(), text(first));
    };
    let is_shut = move || wants_keys.get() && state.get() == Lock::Locked;
    view! {
        <p>{move || say!("Made at {place}.", place = opening.from.get())}</p>
        <Show when=is_shut>
            <div class="banner" data-kind="info">
                <Icon name="key"/>
                <p class="banner-text">"A key comes along. Open the keys of this device, to seal it with them."</p>
                <Unlock id="bring-keys"/>
            </div>
        </Show>
        <form class="form" autocomplete="off" on:submit=submit>
            <Review lines=opening.lines.get_untracked().unwrap_or_default() chosen=opening.chosen/>
            <Show when=move || wants_keys.get() && state.get() == Lock::Unset>
                <Secret
                    id="bring-passphrase"
                    label="A passphrase for the keys on this device"
                    node=first
                    hint="At least 10 characters. A key comes along, and is sealed with it."
                />
                <Secret id="bring-repeat" label="The passphrase once more" node=again hint=""/>
            </Show>
            <div class="form-end">
                <button
                    type="submit"
                    class="button"
                    data-kind="primary"
                    disabled=move || is_shut() || opening.chosen.with(BTreeSet::is_empty)
                    aria-busy=move || opening.is_busy.get().then_some("true")
                >
                    "Take what is chosen"
                </button>
                <button type="button" class="button" data-kind="quiet" on:click=move |_| opening.lines.set(None)>"Leave it"</button>
            </div>
        </form>
    }
}
