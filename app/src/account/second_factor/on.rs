//! What can be done while it is on.

use super::super::field::{Code, CodeField, Password, PasswordField};
use super::api::{RenewRecoveryCodes, StopSecondFactor};
use super::section::codes_left;
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, FormAction, Section, When};

#[component]
pub(super) fn On(
    name: String,
    since: i64,
    left: u32,
    renew: FormAction<RenewRecoveryCodes>,
    stop: FormAction<StopSecondFactor>,
) -> impl IntoView {
    let same = name.clone();
    view! {
        <Section id="renew" title="It is on" lead=view! { "Since " <When at=since/> ". " {codes_left(left)} }.into_any()>
            <ActionFailure value=renew.value()/>
            <ActionForm action=renew attr:class="form">
                <Proof name=same password_id="renew-password" code_id="renew-code"/>
                <div class="form-end"><button type="submit" class="button">"Make new recovery codes"</button></div>
            </ActionForm>
        </Section>
        <Section
            id="stop"
            title="Turn it off"
            lead="Then your password is enough again. To move to another phone, turn it off here and set it up there."
        >
            <ActionFailure value=stop.value()/>
            <ActionForm action=stop attr:class="form">
                <Proof name password_id="stop-password" code_id="stop-code"/>
                <div class="form-end">
                    <button type="submit" class="button" data-kind="danger">"Turn it off"</button>
                </div>
            </ActionForm>
        </Section>
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
