//! A page that waits for what it shows, and what it shows when that does not come.

use super::resource::{Carried, Codec, PageResource};
use super::{NotFound, Shell, known_person};
use crate::AppError;
use crate::prelude::*;
use crate::ui::{FailureBanner, provide_keeper};
use leptos::ev::MouseEvent;
use leptos_meta::Title;
use protocol::FailureKind;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// Shows `view` of what `resource` brings; when it comes anew, over what is there, but for what is `kept`. Who is not signed in goes to the sign-in page.
#[component]
pub fn Loaded<T, V, F>(resource: PageResource<T>, view: F) -> impl IntoView
where
    T: Clone + Send + Sync + Serialize + DeserializeOwned + 'static,
    V: IntoView + 'static,
    F: Fn(T) -> V + Send + Sync + 'static,
{
    let draw = move |carried: Carried| carried.read().map(|loaded| view(loaded).into_any());
    loaded(resource.carried, Arc::new(draw))
}

/// The same for pages of all types.
fn loaded(
    resource: Resource<Carried, Codec>,
    draw: Arc<dyn Fn(Carried) -> Result<AnyView, AppError> + Send + Sync>,
) -> AnyView {
    provide_keeper();
    view! {
        <Transition fallback=Waiting>
            {move || {
                let draw = draw.clone();
                Suspend::new(async move {
                    let again = move || resource.refetch();
                    draw(resource.await).unwrap_or_else(|error| view! { <NotLoaded error again/> }.into_any())
                })
            }}
        </Transition>
    }
    .into_any()
}

#[component]
fn Waiting() -> impl IntoView {
    view! {
        <main id="main" class="settings" aria-busy="true">
            <span class="skeleton" data-shape="words" aria-hidden="true"></span>
            <span class="skeleton" data-shape="row" aria-hidden="true"></span>
            <span class="skeleton" data-shape="row" aria-hidden="true"></span>
        </main>
    }
}

#[component]
fn NotLoaded(error: AppError, again: impl Fn() + Send + 'static) -> impl IntoView {
    let AppError(failure) = error;
    match failure.kind {
        FailureKind::Unauthenticated => {
            sign_in_first();
            view! { <a class="button" href="/sign-in">"Sign in"</a> }.into_any()
        }
        FailureKind::NotFound => view! { <NotFound/> }.into_any(),
        FailureKind::Forbidden
        | FailureKind::Conflict
        | FailureKind::Invalid
        | FailureKind::Limit
        | FailureKind::Upstream
        | FailureKind::Unavailable
        | FailureKind::Internal => {
            // Without a connection a new document would not come either.
            let again = move |event: MouseEvent| {
                event.prevent_default();
                again();
            };
            let words = view! {
                <Title text="Not loaded"/>
                <div class="settings">
                    <h1>"This page could not be loaded"</h1>
                    <FailureBanner failure>
                        <a class="button" href="" on:click=again>"Try again"</a>
                    </FailureBanner>
                </div>
            };
            match known_person() {
                Some(me) => view! { <Shell me>{words}</Shell> }.into_any(),
                None => view! { <main id="main">{words}</main> }.into_any(),
            }
        }
    }
}

#[cfg(feature = "ssr")]
fn sign_in_first() {
    crate::context::keep_on_the_way();
    crate::context::redirect("/sign-in");
}

/// Asks for the page as a whole new document: the hub keeps where somebody was, and the sign-in page to which it leads
/// ships no script that could take over from here.
#[cfg(not(feature = "ssr"))]
fn sign_in_first() {
    let location = leptos_router::hooks::use_location();
    let (path, query) = (location.pathname.get_untracked(), location.search.get_untracked());
    let page = if query.is_empty() { path } else { format!("{path}?{}", query.trim_start_matches('?')) };
    if let Err(error) = window().location().set_href(&page) {
        leptos::logging::error!("The browser refused to go to {page}: {error:?}");
    }
}
