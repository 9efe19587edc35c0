//! The second step of signing in: a code.

use super::api::{SignInCode, pending_sign_in};
use super::entry::{Entry, InsecureWarning, NoForm, insecure};
use super::field::{Code, CodeField};
use crate::chrome::{Loaded, PageResource};
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, FormAction};
use leptos_router::hooks::use_query_map;

#[component]
pub fn CodePage() -> impl IntoView {
    let sign_in = FormAction::<SignInCode>::new();
    let pending = PageResource::new(|| (), |()| pending_sign_in());
    view! {
        <Loaded
            resource=pending
            view=move |name| view! { <Entry title="Code"><CodeCase sign_in name/></Entry> }
        />
    }
}

#[component]
fn CodeCase(sign_in: FormAction<SignInCode>, name: Option<String>) -> impl IntoView {
    let Some(name) = name else {
        return view! {
            <NoForm heading="Enter your password again">"The code has five minutes, and is good once."</NoForm>
        }
        .into_any();
    };
    let by_recovery = use_query_map().with_untracked(|query| query.get_str("with") == Some("recovery"));
    let (field, other) = if by_recovery {
        (
            view! {
                <CodeField
                    id="code"
                    label="Recovery code"
                    code=Code::Recovery
                    hint="One of the ten that you kept. It is used up then."
                />
            }
            .into_any(),
            view! { <a href="/sign-in/code">"Use a code from the app"</a> }.into_any(),
        )
    } else {
        (
            view! {
                <CodeField
                    id="code"
                    label="Code"
                    code=Code::ByTime
                    hint="The six digits that your authenticator app shows now."
                />
            }
            .into_any(),
            view! { <a href="/sign-in/code?with=recovery">"Use a recovery code instead"</a> }.into_any(),
        )
    };
    view! {
        <ActionForm action=sign_in attr:class="signin-form">
            <h1>"One more step"</h1>
            <p class="soft">{say!("The password of {name} was right.")}</p>
            <ActionFailure value=sign_in.value()/>
            {insecure().then(|| view! { <InsecureWarning/> })}
            {field}
            <button type="submit" class="button" data-kind="primary">"Sign in"</button>
        </ActionForm>
        <p class="signin-foot">{other} " · " <a href="/sign-in">"Start over"</a></p>
    }
    .into_any()
}
