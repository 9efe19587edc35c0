//! The page behind a reset link: a new password.

use super::api::{ChoosePassword, reset_for};
use super::entry::{Entry, InsecureWarning, NoForm, insecure};
use super::field::{Password, PasswordField};
use crate::chrome::{Loaded, PageResource};
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, FormAction};
use leptos_router::hooks::use_params_map;

#[component]
pub fn ResetPage() -> impl IntoView {
    let choose = FormAction::<ChoosePassword>::new();
    let code = use_params_map().with_untracked(|params| params.get("code")).unwrap_or_default();
    let asked = code.clone();
    let whose = PageResource::new(move || asked.clone(), reset_for);
    view! {
        <Loaded
            resource=whose
            view=move |name| {
                let code = code.clone();
                view! { <Entry title="New password"><ResetCase choose code name/></Entry> }
            }
        />
    }
}

#[component]
fn ResetCase(choose: FormAction<ChoosePassword>, code: String, name: Option<String>) -> impl IntoView {
    let Some(name) = name else {
        return view! {
            <NoForm heading="This link is over">
                "It was used, or it is older than a day. Ask an administrator of this hub for a new one."
            </NoForm>
        }
        .into_any();
    };
    view! {
        <ActionForm action=choose attr:class="signin-form">
            <h1>"Choose a new password"</h1>
            <p class="soft">{say!("For {name}. All devices are signed out then.")}</p>
            <ActionFailure value=choose.value()/>
            {insecure().then(|| view! { <InsecureWarning/> })}
            <input type="hidden" name="code" value=code/>
            // Tells a password manager whose password this is.
            <input type="text" autocomplete="username" value=name hidden readonly/>
            <PasswordField name="password" label="New password" password=Password::New/>
            <button type="submit" class="button" data-kind="primary">"Save the password"</button>
        </ActionForm>
    }
    .into_any()
}
