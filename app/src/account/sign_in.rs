//! The sign-in page.

use super::api::{SignIn, welcome};
use super::entry::{Entry, InsecureWarning, tried_name};
use super::field::{NameField, Password, PasswordField};
use super::passkeys::api::passkeys_offered;
use crate::AppError;
use crate::chrome::{Loaded, PageResource};
use crate::prelude::*;
use crate::together::together;
use crate::ui::{ActionFailure, ActionForm, Done, FormAction, Icon};
use protocol::view::{PasskeyPlace, SignUpMode, Welcome};
use serde::{Deserialize, Serialize};

/// All that the page shows.
#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    welcome: Welcome,
    passkeys: Option<PasskeyPlace>,
}

#[component]
pub fn SignInPage() -> impl IntoView {
    let sign_in = FormAction::<SignIn>::new();
    let visit = PageResource::new(|| (), |()| load());
    view! {
        <Loaded
            resource=visit
            view=move |PageData { welcome: Welcome { needs_setup, sign_up, insecure }, passkeys }| view! {
                <Entry title="Sign in">
                    <ActionForm action=sign_in attr:class="signin-form">
                        <h1>"Sign in"</h1>
                        <Done what="reset" words="Your new password is saved."/>
                        <Done what="erased" words="Your account is deleted, with all that was yours."/>
                        <ActionFailure value=sign_in.value()/>
                        {needs_setup.then(|| view! { <SetupHint/> })}
                        {insecure.then(|| view! { <InsecureWarning/> })}
                        <NameField label="Name" autocomplete="username webauthn" value=tried_name()/>
                        <PasswordField name="password" label="Password" password=Password::Current/>
                        <button type="submit" class="button" data-kind="primary">"Sign in"</button>
                    </ActionForm>
                    {passkeys.map(|place| view! { <WithPasskey place/> })}
                    <NewHere mode=sign_up/>
                </Entry>
            }
        />
    }
}

/// Without its script (`app/public/passkeys.js`) the form stays hidden.
#[component]
fn WithPasskey(place: PasskeyPlace) -> impl IntoView {
    match place {
        PasskeyPlace::Here => view! {
            <form class="signin-form signin-other" data-passkey="sign-in" hidden>
                <p class="field-error" role="alert" data-passkey-said hidden></p>
                <button type="submit" class="button">"Sign in with a passkey"</button>
            </form>
        }
        .into_any(),
        PasskeyPlace::At(origin) => {
            let address = format!("{origin}/sign-in");
            view! { <p class="signin-foot">"Passkeys work under " <a href=address>{origin}</a> " only."</p> }
                .into_any()
        }
        PasskeyPlace::Nowhere => ().into_any(),
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

async fn load() -> Result<PageData, AppError> {
    let (welcome, passkeys) = together!(welcome(), passkeys_offered());
    Ok(PageData { welcome, passkeys })
}
