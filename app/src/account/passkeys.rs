//! The person's passkeys, on the account page. The browser's part is a script (`app/public/passkeys.js`)
//! that sends the forms marked with `data-passkey`.

pub mod api;

use super::field::{Password, PasswordField};
use crate::ui::{ActionFailure, Done, When};
use api::{RemovePasskey, StartPasskey};
use leptos::form::ActionForm;
use leptos::prelude::*;
use protocol::view::{PasskeyPlace, PasskeyView};

#[component]
pub(super) fn PasskeysSection(
    passkeys: Vec<PasskeyView>,
    place: PasskeyPlace,
    name: String,
    remove: ServerAction<RemovePasskey>,
) -> impl IntoView {
    let form = match place {
        PasskeyPlace::Here => view! { <NewPasskey name/> }.into_any(),
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
        <section class="section" aria-labelledby="passkeys">
            <div class="section-head">
                <h2 id="passkeys">"Passkeys"</h2>
                <p>
                    "With one you sign in by your finger, your face or the PIN of your device, without name, password "
                    "and code. It works at the address of this hub alone, so no other site can ask for it."
                </p>
            </div>
            <Done what="passkey" words="The passkey is kept. Try it the next time you sign in."/>
            <ActionFailure value=remove.value()/>
            <List passkeys remove/>
            {form}
        </section>
    }
}

#[component]
fn NewPasskey(name: String) -> impl IntoView {
    let start = ServerAction::<StartPasskey>::new();
    view! {
        <ActionFailure value=start.value()/>
        <ActionForm action=start attr:class="form" attr:data-passkey="add">
            // Tells a password manager whose password this is.
            <input type="text" autocomplete="username" value=name hidden readonly/>
            <div class="field">
                <label class="field-label" for="passkey-name">"Name of a new passkey"</label>
                <input class="input" id="passkey-name" name="name" required maxlength="40" autocomplete="off" aria-describedby="passkey-hint"/>
                <p class="field-hint" id="passkey-hint">"The device that holds it: phone, key on the key ring."</p>
            </div>
            <PasswordField name="password" id="passkey-password" label="Your password" password=Password::Current/>
            <p class="field-error" role="alert" data-passkey-said hidden></p>
            <div class="form-end">
                <button type="submit" class="button" data-kind="primary">"Make a passkey"</button>
            </div>
        </ActionForm>
    }
}

#[component]
fn List(passkeys: Vec<PasskeyView>, remove: ServerAction<RemovePasskey>) -> impl IntoView {
    if passkeys.is_empty() {
        return ().into_any();
    }
    let rows = passkeys.into_iter().map(|passkey| view! { <Row passkey remove/> }).collect_view();
    view! {
        <table class="list">
            <thead>
                <tr>
                    <th scope="col">"Passkey"</th>
                    <th scope="col">"Made"</th>
                    <th scope="col">"Last used"</th>
                    <th scope="col" class="list-end"><span class="sr-only">"Actions"</span></th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
    .into_any()
}

#[component]
fn Row(passkey: PasskeyView, remove: ServerAction<RemovePasskey>) -> impl IntoView {
    let PasskeyView { id, name, created_at, last_used_at } = passkey;
    let label = format!("Remove {name}");
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
