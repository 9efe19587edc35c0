//! Deleting one's own account.

use super::api::EraseAccount;
use super::field::{Password, PasswordField};
use crate::browser::storage::forget_own;
use crate::prelude::*;
use crate::ui::{ActionFailure, FormAction, Section};
use leptos::server_fn::ServerFn;

/// The form is sent as it stands: what it leads to is a page for who is signed in nowhere.
#[component]
pub(super) fn EraseSection(name: String) -> impl IntoView {
    let erase = FormAction::<EraseAccount>::new();
    view! {
        <Section
            id="erase"
            title="Delete the account"
            lead="All of yours goes for good: agents with their pages and files, conversations, memories, skills, pipelines, keys and settings. You are signed out everywhere. What others copied stays theirs, what was spent stays in the sums of the hub without your name, and its audit goes on to say what happened. Download everything first."
        >
            <ActionFailure value=erase.value()/>
            <form class="form" method="post" action=EraseAccount::url() on:submit=|_| forget_own()>
                // Tells a password manager whose password this is.
                <input type="text" autocomplete="username" value=name hidden readonly/>
                <PasswordField
                    name="password"
                    id="erase-password"
                    label="Your password"
                    password=Password::Current
                />
                <div class="form-end">
                    <button type="submit" class="button" data-kind="danger">"Delete my account for good"</button>
                </div>
            </form>
        </Section>
    }
}
