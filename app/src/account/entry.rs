//! The layout of the pages before sign-in.

use crate::prelude::*;
use crate::ui::{Icon, Plant};
use leptos_meta::Title;

/// One case with a plant on it. Who is signed in has no business here and goes to their agents.
#[component]
pub(super) fn Entry(title: &'static str, children: Children) -> impl IntoView {
    #[cfg(feature = "ssr")]
    if crate::context::facts().viewer.is_some() {
        crate::context::redirect("/");
    }
    view! { <Case title>{children()}</Case> }
}

/// The case itself.
#[component]
pub(super) fn Case(title: &'static str, children: Children) -> impl IntoView {
    view! {
        <Title text=title/>
        <main class="signin" id="main">
            <div class="signin-case">
                <Plant/>
                <p class="signin-brand"><Icon name="vivarium"/>{"Vivarium"}</p>
                {children()}
            </div>
        </main>
    }
}

/// For a connection that others can listen to.
#[component]
pub(super) fn InsecureWarning() -> impl IntoView {
    view! {
        <div class="banner" data-kind="warn" role="status">
            <Icon name="warn"/>
            <p class="banner-text">
                "This connection is not encrypted."
                <small>
                    "Others on this network can read what you type here, the password too, and can sign in as you. Use HTTPS."
                </small>
            </p>
        </div>
    }
}

/// A page that has no form for this visitor, and says why.
#[component]
pub(super) fn NoForm(heading: &'static str, children: Children) -> impl IntoView {
    view! {
        <div class="signin-form">
            <h1>{heading}</h1>
            <p>{children()}</p>
            <a class="button" href="/sign-in">"Go to sign-in"</a>
        </div>
    }
}

#[cfg(feature = "ssr")]
pub(super) fn insecure() -> bool {
    crate::context::facts().insecure
}

#[cfg(feature = "ssr")]
pub(super) use crate::context::tried_name;

/// These pages ship nothing that would ask.
#[cfg(not(feature = "ssr"))]
pub(super) fn tried_name() -> Option<String> {
    None
}

/// These pages ship nothing that would ask.
#[cfg(not(feature = "ssr"))]
pub(super) fn insecure() -> bool {
    false
}
