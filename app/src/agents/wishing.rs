//! Saying what should live here: one field, and where there is no model yet, the key of one, with the
//! wish kept until it can begin.

use super::api::{WishForAgent, WishWithKey};
use crate::prelude::*;
use crate::ui::{
    ActionFailure, ActionForm, Field, FormAction, KINDS, KeyPlace, kind_label, kind_sent_as, kind_value,
};
use leptos::ev::Event;
use leptos_router::hooks::use_query_map;
use protocol::agent::ProviderKind;

/// Characters of a wish.
pub(super) const WISH: u16 = 2000;

/// The field, or what else the wish in the address needs. `thinks`: there is a provider to think with; `may_add`: the
/// person may bring one in.
#[component]
pub fn Wish(thinks: bool, may_add: bool, wish: FormAction<WishForAgent>) -> impl IntoView {
    let query = use_query_map();
    let asked =
        Memo::new(move |_| query.with(|query| query.get("wish")).filter(|wish| !wish.trim().is_empty()));
    let with_key = FormAction::<WishWithKey>::new();
    view! {
        <ActionFailure value=wish.value()/>
        <ActionFailure value=with_key.value()/>
        {move || match asked.get() {
            Some(wish) if !thinks && !may_add => view! { <NeedsShared wish/> }.into_any(),
            Some(wish) if !thinks => view! { <KeyFirst wish action=with_key/> }.into_any(),
            kept => view! { <WishField kept action=wish/> }.into_any(),
        }}
    }
}

#[component]
fn WishField(kept: Option<String>, action: FormAction<WishForAgent>) -> impl IntoView {
    let pending = action.pending();
    view! {
        <ActionForm action attr:class="field-row wish">
            <input
                class="input"
                name="wish"
                value=kept
                required
                maxlength=WISH
                autocomplete="off"
                aria-label="What should live here?"
                placeholder="A timer that knows when I work best"
            />
            <button
                type="submit"
                class="button"
                data-kind="primary"
                aria-busy=move || pending.get().then_some("true")
            >
                "Create"
            </button>
        </ActionForm>
    }
}

/// For who may enter no key.
#[component]
fn NeedsShared(wish: String) -> impl IntoView {
    view! {
        <div class="form wish-key">
            <p class="wish-kept">"You wish for: " <q>{wish}</q></p>
            <p>"It needs a model to think with. Ask whoever runs this hub to share a provider with you."</p>
            <div class="form-end">
                <a class="button" data-kind="quiet" href="/">"Wish for something else"</a>
            </div>
        </div>
    }
}

#[component]
fn KeyFirst(wish: String, action: FormAction<WishWithKey>) -> impl IntoView {
    let pending = action.pending();
    let of = RwSignal::new(KINDS[0]);
    let choose = move |event: Event| {
        if let Some(kind) = kind_sent_as(&event_target_value(&event)) {
            of.set(kind);
        }
    };
    let kinds = KINDS.into_iter().filter(|kind| *kind != ProviderKind::InBrowser);
    let kinds =
        kinds.map(|kind| view! { <option value=kind_value(kind)>{kind_label(kind)}</option> }).collect_view();
    view! {
        <ActionForm action attr:class="form wish-key" attr:autocomplete="off">
            <p class="wish-kept">"You wish for: " <q>{wish.clone()}</q></p>
            <p>"It needs a model to think with. Enter the key of one, and it begins."</p>
            <input type="hidden" name="wish" value=wish/>
            <div class="form-group">
                <Field id="wish-kind" label="Provider">
                    <select class="input" id="wish-kind" name="kind" on:change=choose>{kinds}</select>
                </Field>
                <Field
                    id="wish-secret"
                    label="Key"
                    hint={view! { "Kept encrypted, sent to this provider only, never shown again. " <KeyPlace of/> }.into_any()}
                >
                    <input
                        class="input input-code"
                        id="wish-secret"
                        name="key"
                        type="password"
                        autocomplete="off"
                        spellcheck="false"
                        aria-describedby="wish-secret-hint"
                    />
                </Field>
            </div>
            <details class="fold">
                <summary>"It has an address of its own"</summary>
                <div class="fold-body">
                    <Field id="wish-url" label="Base URL">
                        <input
                            class="input input-code"
                            id="wish-url"
                            name="base_url"
                            type="url"
                            maxlength="2048"
                            autocapitalize="none"
                            spellcheck="false"
                        />
                    </Field>
                </div>
            </details>
            <div class="form-end">
                <button
                    type="submit"
                    class="button"
                    data-kind="primary"
                    aria-busy=move || pending.get().then_some("true")
                >
                    "Keep the key and begin"
                </button>
                <a class="button" data-kind="quiet" href="/providers">"Other ways to a model"</a>
                <a class="button" data-kind="quiet" href="/">"Wish for something else"</a>
            </div>
        </ActionForm>
    }
}
