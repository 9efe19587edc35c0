//! The form for one more peer.

use super::api::AddPeer;
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, Field, FormAction, FormEnd, Section, hint_id};

#[component]
pub(super) fn PeerForm(add: FormAction<AddPeer>) -> impl IntoView {
    view! {
        <Section id="peer-form" title="Add a peer">
            <ActionFailure value=add.value()/>
            <ActionForm action=add attr:class="form" attr:autocomplete="off">
                <Field id="peer-name" label="Name" hint="Short, in small letters. Your agents name it by this.">
                    <input
                        class="input input-code"
                        id="peer-name"
                        name="name"
                        required
                        maxlength="20"
                        autocapitalize="none"
                        spellcheck="false"
                        aria-describedby=hint_id("peer-name")
                    />
                </Field>
                <Field
                    id="peer-url"
                    label="Address"
                    hint={view! { "Of a hub like this one, for example " <code>{"https://hub.example.com"}</code> ", or of a single agent that speaks A2A 1.0." }.into_any()}
                >
                    <input
                        class="input input-code"
                        id="peer-url"
                        name="url"
                        type="url"
                        required
                        maxlength="2048"
                        autocapitalize="none"
                        spellcheck="false"
                        aria-describedby=hint_id("peer-url")
                    />
                </Field>
                <TokenField/>
                <FormEnd words="Add peer"/>
            </ActionForm>
        </Section>
    }
}

/// What says who asks.
#[component]
pub(super) fn TokenField() -> impl IntoView {
    view! {
        <Field
            id="peer-token"
            label="Token, if it wants one"
            hint="Of a hub like this one: a token that may call agents, made on its account page. Kept encrypted, sent to this server only, never shown again."
        >
            <input
                class="input input-code"
                id="peer-token"
                name="token"
                type="password"
                autocomplete="off"
                spellcheck="false"
                aria-describedby=hint_id("peer-token")
            />
        </Field>
    }
}
