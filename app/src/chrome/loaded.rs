//! A page that waits for what it shows, and what it shows when that does not come.

use super::leaving::rest_while;
use super::outdated::Outdated;
use super::resource::{Carried, Codec, PageResource};
use super::{NotFound, Shell, known_person};
use crate::AppError;
use crate::prelude::*;
use crate::ui::{FailureBanner, provide_keeper};
use leptos::ev::MouseEvent;
use leptos_meta::Title;
use leptos_router::hooks::use_location;
use leptos_router::location::Location;
use protocol::FailureKind;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// Shows `view` of what `resource` brings; when it comes anew, over what is there, but for what is `kept`. If it does not come
/// anew, what is there stays. Who is not signed in goes to the sign-in page.
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
    let Location { pathname, search, .. } = use_location();
    let address = move || (pathname.get_untracked(), search.get_untracked());
    let shown = StoredValue::new(None::<Shown>);
    let is_outdated = RwSignal::new(false);
    let is_pending = RwSignal::new(false);
    rest_while(move || {
        let path = pathname.get();
        let is_other = |shown: &Option<Shown>| shown.as_ref().is_some_and(|shown| shown.address.0 != path);
        is_pending.get() && shown.with_value(is_other)
    });
    let again = Callback::new(move |()| resource.refetch());
    let newest = move |carried: Carried| {
        let address = address();
        let kept = shown.with_value(|shown| {
            let same = shown.as_ref().filter(|shown| shown.address == address && !shown.carried.has_failed());
            same.filter(|_| carried.may_pass()).map(|shown| shown.carried.clone())
        });
        if is_outdated.get_untracked() != kept.is_some() {
            is_outdated.set(kept.is_some());
        }
        let carried = kept.unwrap_or(carried);
        shown.set_value(Some(Shown { address, carried: carried.clone() }));
        carried
    };
    view! {
        <Transition fallback=Waiting set_pending=is_pending>
            {move || {
                let draw = draw.clone();
                Suspend::new(async move {
                    let carried = newest(resource.await);
                    draw(carried).unwrap_or_else(|error| view! { <NotLoaded error again/> }.into_any())
                })
            }}
        </Transition>
        <Show when=move || is_outdated.get()><Outdated again/></Show>
    }
    .into_any()
}

/// What is on the screen, and the path and query that it was asked for by.
struct Shown {
    address: (String, String),
    carried: Carried,
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
fn NotLoaded(error: AppError, again: Callback<()>) -> impl IntoView {
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
                again.run(());
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
