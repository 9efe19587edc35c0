//! What can be done while it is on.

use super::super::field::{Code, CodeField, Password, PasswordField};
use super::api::{RenewRecoveryCodes, StopSecondFactor};
use super::section::codes_left;
use crate::ui::{ActionFailure, When};
use leptos::form::ActionForm;
use leptos::prelude::*;

#[component]
pub(super) fn On(
    name: String,
    since: i64,
    left: u32,
    renew: ServerAction<RenewRecoveryCodes>,
    stop: ServerAction<StopSecondFactor>,
) -> impl IntoView {
    let same = name.clone();
    view! {
        <section class="section" aria-labelledby="renew">
            <div class="section-head">
                <h2 id="renew">"It is on"</h2>
                <p>"Since " <When at=since/> ". " {codes_left(left)}</p>
            </div>
            <ActionFailure value=renew.value()/>
            <ActionForm action=renew attr:class="form">
                <Proof name=same password_id="renew-password" code_id="renew-code"/>
                <div class="form-end"><button type="submit" class="button">"Make new recovery codes"</button></div>
            </ActionForm>
        </section>
        <section class="section" aria-labelledby="stop">
            <div class="section-head">
                <h2 id="stop">"Turn it off"</h2>
                <p>"Then your password is enough again. To move to another phone, turn it off here and set it up there."</p>
            </div>
            <ActionFailure value=stop.value()/>
            <ActionForm action=stop attr:class="form">
                <Proof name password_id="stop-password" code_id="stop-code"/>
                <div class="form-end">
                    <button type="submit" class="button" data-kind="danger">"Turn it off"</button>
                </div>
            </ActionForm>
        </section>
    }
}

/// Password and code.
#[component]
fn Proof(name: String, password_id: &'static str, code_id: &'static str) -> impl IntoView {
    view! {
        // Tells a password manager whose password this is.
        <input type="text" autocomplete="username" value=name hidden readonly/>
        <PasswordField name="password" id=password_id label="Your password" password=Password::Current/>
        <CodeField id=code_id label="Code" code=Code::Any hint="From the app, or a recovery code."/>
    }
}
