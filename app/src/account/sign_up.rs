//! The sign-up page: the form, where this visitor may make an account.

use super::api::{SignUp, welcome};
use super::entry::{Entry, InsecureWarning, NoForm, tried_name};
use super::field::{NameField, Password, PasswordField};
use crate::chrome::{Loaded, PageResource};
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, FormAction};
use leptos_router::hooks::use_query_map;
use protocol::view::{SignUpMode, Welcome};

#[component]
pub fn SignUpPage() -> impl IntoView {
    let sign_up = FormAction::<SignUp>::new();
    let invite = use_query_map().with_untracked(|query| query.get("invite"));
    let visitor = PageResource::new(|| (), |()| welcome());
    view! {
        <Loaded
            resource=visitor
            view=move |welcome| {
                let invite = invite.clone();
                view! {
                    <Entry title="Make an account">
                        <SignUpCase sign_up welcome invite/>
                    </Entry>
                }
            }
        />
    }
}

#[component]
fn SignUpCase(sign_up: FormAction<SignUp>, welcome: Welcome, invite: Option<String>) -> impl IntoView {
    let invite = match (welcome.needs_setup, welcome.sign_up, invite) {
        (true, _, _) => {
            return view! {
                <NoForm heading="Nobody has an account yet">
                    "Open the set-up link that the hub printed when it started."
                </NoForm>
            }
            .into_any();
        }
        (false, SignUpMode::Closed, _) => {
            return view! {
                <NoForm heading="No new accounts">"Whoever runs this hub closed the sign-up."</NoForm>
            }
            .into_any();
        }
        (false, SignUpMode::Invite, None) => {
            return view! {
                <NoForm heading="You need an invitation">
                    "Ask an administrator of this hub for an invitation link and open it."
                </NoForm>
            }
            .into_any();
        }
        (false, SignUpMode::Invite | SignUpMode::Open, invite) => invite.unwrap_or_default(),
    };
    view! {
        <ActionForm action=sign_up attr:class="signin-form">
            <h1>"Make an account"</h1>
            <ActionFailure value=sign_up.value()/>
            {welcome.insecure.then(|| view! { <InsecureWarning/> })}
            <input type="hidden" name="invite" value=invite/>
            <NameField label="Name" hint="1 to 40 characters. You sign in with it." autocomplete="username" value=tried_name()/>
            <PasswordField name="password" label="Password" password=Password::New/>
            <button type="submit" class="button" data-kind="primary">"Make the account"</button>
        </ActionForm>
        <p class="signin-foot">"You have an account? " <a href="/sign-in">"Sign in"</a></p>
    }
    .into_any()
}
