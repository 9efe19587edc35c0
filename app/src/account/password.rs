//! Changing the password.

use super::api::ChangePassword;
use super::field::{Password, PasswordField};
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, Done, FormAction, FormEnd, Section, emptied_by};

#[component]
pub(super) fn PasswordSection(name: String) -> impl IntoView {
    let change = FormAction::<ChangePassword>::new();
    view! {
        <Section id="password" title="Password" lead="A new password signs your other devices out. API tokens stay.">
            <ActionFailure value=change.value()/>
            <Done what="password" words="The password is changed. Your other devices are signed out."/>
            <ActionForm action=change node_ref=emptied_by(change) attr:class="form">
                // Tells a password manager whose password this is.
                <input type="text" autocomplete="username" value=name hidden readonly/>
                <PasswordField name="current" label="Current password" password=Password::Current/>
                <PasswordField name="new" label="New password" password=Password::New/>
                <FormEnd words="Change the password"/>
            </ActionForm>
        </Section>
    }
}
