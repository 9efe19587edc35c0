//! Changing the password.

use super::api::ChangePassword;
use super::field::{Password, PasswordField};
use crate::ui::{ActionFailure, Done, emptied_by};
use leptos::form::ActionForm;
use leptos::prelude::*;

#[component]
pub(super) fn PasswordSection(name: String) -> impl IntoView {
    let change = ServerAction::<ChangePassword>::new();
    view! {
        <section class="section" aria-labelledby="password">
            <div class="section-head">
                <h2 id="password">"Password"</h2>
                <p>"A new password signs your other devices out. API tokens stay."</p>
            </div>
            <ActionFailure value=change.value()/>
            <Done what="password" words="The password is changed. Your other devices are signed out."/>
            <ActionForm action=change node_ref=emptied_by(change) attr:class="form">
                // Tells a password manager whose password this is.
                <input type="text" autocomplete="username" value=name hidden readonly/>
                <PasswordField name="current" label="Current password" password=Password::Current/>
                <PasswordField name="new" label="New password" password=Password::New/>
                <div class="form-end">
                    <button type="submit" class="button" data-kind="primary">"Change the password"</button>
                </div>
            </ActionForm>
        </section>
    }
}
