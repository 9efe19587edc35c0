//! The person's passkeys, on the account page. The browser's part is a script (`app/public/passkeys.js`)
//! that sends the forms marked with `data-passkey`.

pub mod api;

use super::field::{Password, PasswordField};
use crate::prelude::*;
use crate::ui::{
    ACTIONS, ActionFailure, ActionForm, Done, Field, FormAction, FormEnd, Section, Table, When, kept,
    kept_each,
};
use api::{RemovePasskey, StartPasskey};
use protocol::view::{PasskeyPlace, PasskeyView};

#[component]
pub(super) fn PasskeysSection(
    passkeys: Vec<PasskeyView>,
    place: PasskeyPlace,
    name: String,
    remove: FormAction<RemovePasskey>,
) -> impl IntoView {
    let form = match place {
        PasskeyPlace::Here => kept(name, |name| view! { <NewPasskey name/> }),
        PasskeyPlace::At(origin) => {
            let address = format!("{origin}/account");
            view! {
                <div class="empty" data-size="small">
                    <p>"Passkeys work under " <a href=address>{origin}</a> " only. Open the hub there to make one."</p>
                </div>
            }
            .into_any()
        }
        PasskeyPlace::Nowhere => view! {
            <p class="empty" data-size="small">
                "Passkeys need a hub with a name and HTTPS, or localhost. Whoever runs it sets VIVARIUM_PUBLIC_URL."
            </p>
        }
        .into_any(),
    };
    view! {
        <Section
            id="passkeys"
            title="Passkeys"
            lead="With one you sign in by your finger, your face or the PIN of your device, without name, password and code. It works at the address of this hub alone, so no other site can ask for it."
        >
            <Done what="passkey" words="The passkey is kept. Try it the next time you sign in."/>
            <ActionFailure value=remove.value()/>
            <List passkeys remove/>
            {form}
        </Section>
    }
}

#[component]
fn NewPasskey(name: String) -> impl IntoView {
    let start = FormAction::<StartPasskey>::new();
    view! {
        <ActionFailure value=start.value()/>
        <ActionForm action=start attr:class="form" attr:data-passkey="add">
            // Tells a password manager whose password this is.
            <input type="text" autocomplete="username" value=name hidden readonly/>
            <Field id="passkey-name" label="Name of a new passkey" hint="The device that holds it: phone, key on the key ring.">
                <input class="input" id="passkey-name" name="name" required maxlength="40" autocomplete="off" aria-describedby="passkey-name-hint"/>
            </Field>
            <PasswordField name="password" id="passkey-password" label="Your password" password=Password::Current/>
            <p class="field-error" role="alert" data-passkey-said hidden></p>
            <FormEnd words="Make a passkey"/>
        </ActionForm>
    }
}

#[component]
fn List(passkeys: Vec<PasskeyView>, remove: FormAction<RemovePasskey>) -> impl IntoView {
    if passkeys.is_empty() {
        return ().into_any();
    }
    let rows = kept_each(passkeys, move |passkey| view! { <Row passkey remove/> });
    view! {
        <Table columns=["Passkey", "Made", "Last used", ACTIONS] rows/>
    }
    .into_any()
}

#[component]
fn Row(passkey: PasskeyView, remove: FormAction<RemovePasskey>) -> impl IntoView {
    let PasskeyView { id, name, created_at, last_used_at } = passkey;
    let label = say!("Remove {name}");
    let last_used = match last_used_at {
        Some(at) => view! { <When at/> }.into_any(),
        None => view! { <span class="faint">"Never"</span> }.into_any(),
    };
    view! {
        <tr>
            <td>{name}</td>
            <td data-label="Made"><When at=created_at/></td>
            <td data-label="Last used">{last_used}</td>
            <td class="list-end">
                <ActionForm action=remove>
                    <input type="hidden" name="id" value=id.0/>
                    <button type="submit" class="button" data-kind="quiet" aria-label=label>"Remove"</button>
                </ActionForm>
            </td>
        </tr>
    }
}
