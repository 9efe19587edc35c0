//! The set-up page: the first account of a hub, with the one-time code of the link.

use super::api::{SetUp, welcome};
use super::entry::{Entry, InsecureWarning, NoForm, tried_name};
use super::field::{NameField, Password, PasswordField};
use crate::chrome::{Loaded, PageResource};
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, FormAction};
use leptos_router::hooks::use_params_map;
use protocol::view::Welcome;

#[component]
pub fn SetupPage() -> impl IntoView {
    let set_up = FormAction::<SetUp>::new();
    let code = use_params_map().with_untracked(|params| params.get("code")).unwrap_or_default();
    let visitor = PageResource::new(|| (), |()| welcome());
    view! {
        <Loaded
            resource=visitor
            view=move |welcome| {
                let code = code.clone();
                view! {
                    <Entry title="Set up">
                        <SetupCase set_up welcome code/>
                    </Entry>
                }
            }
        />
    }
}

#[component]
fn SetupCase(set_up: FormAction<SetUp>, welcome: Welcome, code: String) -> impl IntoView {
    if !welcome.needs_setup {
        return view! {
            <NoForm heading="This hub is set up">"Its first account exists, so this link does nothing any more."</NoForm>
        }
        .into_any();
    }
    view! {
        <ActionForm action=set_up attr:class="signin-form">
            <h1>"Make the first account"</h1>
            <p class="soft">"It is the administrator's: it can invite other people."</p>
            <ActionFailure value=set_up.value()/>
            {welcome.insecure.then(|| view! { <InsecureWarning/> })}
            <input type="hidden" name="code" value=code/>
            <NameField label="Name" hint="1 to 40 characters. You sign in with it." autocomplete="username" value=tried_name()/>
            <PasswordField name="password" label="Password" password=Password::New/>
            <button type="submit" class="button" data-kind="primary">"Make the account"</button>
        </ActionForm>
    }
    .into_any()
}
