//! The sign-in page.

use super::api::{SignIn, welcome};
use super::entry::{Entry, InsecureWarning};
use super::field::{NameField, Password, PasswordField};
use crate::ui::{ActionFailure, Done, Icon, Loaded};
use leptos::form::ActionForm;
use leptos::prelude::*;
use protocol::view::{SignUpMode, Welcome};

#[component]
pub fn SignInPage() -> impl IntoView {
    let sign_in = ServerAction::<SignIn>::new();
    let visitor = Resource::new_blocking(|| (), |()| welcome());
    view! {
        <Loaded
            resource=visitor
            view=move |Welcome { needs_setup, sign_up, insecure }| view! {
                <Entry title="Sign in">
                    <ActionForm action=sign_in attr:class="signin-form">
                        <h1>"Sign in"</h1>
                        <Done what="reset" words="Your new password is saved."/>
                        <ActionFailure value=sign_in.value()/>
                        {needs_setup.then(|| view! { <SetupHint/> })}
                        {insecure.then(|| view! { <InsecureWarning/> })}
                        <NameField label="Name" autocomplete="username"/>
                        <PasswordField name="password" label="Password" password=Password::Current/>
                        <button type="submit" class="button" data-kind="primary">"Sign in"</button>
                    </ActionForm>
                    <NewHere mode=sign_up/>
                </Entry>
            }
        />
    }
}

#[component]
fn SetupHint() -> impl IntoView {
    view! {
        <div class="banner" data-kind="info" role="status">
            <Icon name="info"/>
            <p class="banner-text">
                "Nobody has an account yet."
                <small>"Open the set-up link that the hub printed when it started."</small>
            </p>
        </div>
    }
}

#[component]
fn NewHere(mode: SignUpMode) -> impl IntoView {
    match mode {
        SignUpMode::Open => {
            view! { <p class="signin-foot">"New here? " <a href="/sign-up">"Make an account"</a></p> }
                .into_any()
        }
        SignUpMode::Invite => {
            view! { <p class="signin-foot">"New here? Ask for an invitation link."</p> }.into_any()
        }
        SignUpMode::Closed => ().into_any(),
    }
}
