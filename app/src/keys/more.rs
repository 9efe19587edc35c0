//! What is rarely needed: another passphrase, and the way on for who forgot it.

use super::api::key_forgotten;
use super::entry::Secret;
use super::section::Outcome;
use crate::browser::keys;
use crate::prelude::*;
use crate::ui::Icon;
use leptos::ev::SubmitEvent;
use leptos::html::{Form, Input};
use leptos::task::spawn_local;

#[component]
pub(super) fn ChangePassphrase(outcome: Outcome) -> impl IntoView {
    let (form, old, new, is_busy) =
        (NodeRef::<Form>::new(), NodeRef::<Input>::new(), NodeRef::<Input>::new(), RwSignal::new(false));
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        change(form, old, new, outcome, is_busy);
    };
    view! {
        <details class="fold">
            <summary><span class="fold-title">"Change the passphrase of this device"</span></summary>
            <form class="fold-body" autocomplete="off" node_ref=form on:submit=submit>
                <Secret id="passphrase-old" label="The passphrase that it has now" node=old hint=""/>
                <Secret id="passphrase-new" label="The new one" node=new hint="At least 10 characters."/>
                <div class="form-end">
                    <button type="submit" class="button" aria-busy=move || is_busy.get().then_some("true")>
                        "Change the passphrase"
                    </button>
                </div>
            </form>
        </details>
    }
}

#[component]
pub(super) fn ForgetAll(outcome: Outcome) -> impl IntoView {
    view! {
        <details class="confirm">
            <summary class="button" data-kind="quiet">
                <Icon name="trash" small=true/>
                "Forget all keys on this device"
            </summary>
            <div class="confirm-body">
                <p>
                    "This takes all keys and their passphrase off this device, also if nobody knows the passphrase any more. "
                    "Other devices keep theirs."
                </p>
                <button type="button" class="button" data-kind="danger" on:click=move |_| forget_all(outcome)>
                    "Forget them all"
                </button>
            </div>
        </details>
    }
}

fn change(
    form: NodeRef<Form>,
    old: NodeRef<Input>,
    new: NodeRef<Input>,
    outcome: Outcome,
    is_busy: RwSignal<bool>,
) {
    let text = |node: NodeRef<Input>| node.get_untracked().map(|input| input.value()).unwrap_or_default();
    let (old, new) = (text(old), text(new));
    if is_busy.get_untracked() {
        return;
    }
    is_busy.set(true);
    spawn_local(async move {
        let done = keys::change(&old, &new).await;
        if let (Ok(()), Some(form)) = (&done, form.try_get_untracked().flatten()) {
            form.reset();
        }
        let words =
            done.map(|()| t("The keys on this device open with the new passphrase from now on.").to_owned());
        let _ = outcome.try_set(Some(words));
        let _ = is_busy.try_set(false);
    });
}

fn forget_all(outcome: Outcome) {
    spawn_local(async move {
        let providers = keys::held().with_untracked(|held| held.keys.clone());
        let done = keys::forget_all().await;
        for (provider, _) in providers {
            // What the hub lists is only where a person would look for the key.
            let _ = key_forgotten(provider).await;
        }
        let _ = outcome.try_set(Some(done.map(|()| t("No key is kept on this device any more.").to_owned())));
    });
}
