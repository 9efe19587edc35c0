//! The page behind the link in each mail: one press, with or without an account here.

use crate::prelude::*;
use crate::ui::{Icon, Plant};
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

#[component]
pub fn UnsubscribePage() -> impl IntoView {
    let done = use_query_map().with_untracked(|query| query.get("done"));
    let case = match done.as_deref() {
        Some("ended") => said(
            t("No more mail"),
            t(
                "Nothing more is sent to that address. Who wants it again adds the address under \"What you hear of\".",
            ),
        ),
        Some("unknown") => said(
            t("This link is not whole"),
            t("Take it from the mail once more, all of it. Nothing was changed."),
        ),
        Some(_) | None => view! { <Press/> }.into_any(),
    };
    view! {
        <Title text="Mail"/>
        <main class="signin" id="main">
            <div class="signin-case">
                <Plant/>
                <p class="signin-brand"><Icon name="vivarium"/>{"Vivarium"}</p>
                {case}
            </div>
        </main>
    }
}

/// Sent to the address of the page itself.
#[component]
fn Press() -> impl IntoView {
    view! {
        <form class="signin-form" method="post">
            <h1>"No more mail from here?"</h1>
            <p class="soft">"The address that this link was sent to is not told of anything any more."</p>
            <button type="submit" class="button" data-kind="primary">"No more mail"</button>
        </form>
    }
}

fn said(heading: &'static str, words: &'static str) -> AnyView {
    view! {
        <div class="signin-form" role="status">
            <h1>{heading}</h1>
            <p>{words}</p>
        </div>
    }
    .into_any()
}
