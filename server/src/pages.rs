//! Pages and server functions: what Leptos answers, with the hub and the request's facts as context.

mod size;

use crate::limits::QueuedPermit;
use crate::state::AppState;
use app::context::{AssetPrefix, DeviceOrigins, RequestFacts};
use app::{App, shell};
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Router};
use http::StatusCode;
use leptos::context::provide_context;
use leptos::server_fn::axum::get_server_fn_service;
use leptos_axum::{AxumRouteListing, LeptosRoutes, generate_route_list};
use protocol::{Failure, FailureKind, UserId};
use size::Size;
use std::time::Duration;

/// A page is made within this time, its wait for a turn included, or is given up.
const LONGEST_MAKING: Duration = Duration::from_secs(60);

/// The application's pages, and behind them its "not here" page.
pub fn mount(router: Router<AppState>) -> Router<AppState> {
    let listing: Vec<AxumRouteListing> = generate_route_list(App);
    let routes = listing.clone();
    let page =
        move |State(state): State<AppState>, Extension(facts): Extension<RequestFacts>, request: Request| {
            let routes = routes.clone();
            in_time(async move {
                let _turn = turn(&state, &facts).await;
                let options = state.options.clone();
                let size = Size::of(&request);
                let context = page_context(&state, facts).await;
                let handler =
                    leptos_axum::render_route_with_context(routes, context, move || shell(options.clone()));
                size.give(handler(State(state), request).await.into_response()).await
            })
        };
    router.leptos_routes_with_handler(listing, page).fallback(nothing)
}

/// A page is in memory several times while it is made, so a person has a few made at a time.
async fn turn(state: &AppState, facts: &RequestFacts) -> Option<QueuedPermit<UserId>> {
    match &facts.viewer {
        Some(viewer) => Some(state.limits.page(viewer).await),
        None => None,
    }
}

/// The context of pages and server functions.
fn context(state: &AppState, facts: RequestFacts) -> impl Fn() + Clone + Send + Sync + use<> + 'static {
    let hub = state.hub.clone();
    let prefix = AssetPrefix(state.assets.prefix().into());
    let parts = state.assets.parts();
    move || {
        provide_context(hub.clone());
        provide_context(facts.language);
        provide_context(facts.clone());
        provide_context(prefix.clone());
        if let Some(parts) = parts.clone() {
            provide_context(parts);
        }
    }
}

/// The same, with what the policy of a page needs to know.
async fn page_context(
    state: &AppState,
    facts: RequestFacts,
) -> impl Fn() + Clone + Send + Sync + use<> + 'static {
    let origins = match &facts.viewer {
        Some(viewer) => {
            state.hub.for_viewer(viewer).providers().device_origins().await.unwrap_or_else(|error| {
                tracing::error!(error = ?error, "the page goes out without the models on devices");
                Default::default()
            })
        }
        None => Default::default(),
    };
    let context = context(state, facts);
    move || {
        context();
        provide_context(DeviceOrigins(origins.clone()));
    }
}

pub async fn server_function(
    State(state): State<AppState>,
    Extension(facts): Extension<RequestFacts>,
    request: Request,
) -> Response {
    if get_server_fn_service(request.uri().path(), request.method().clone()).is_none() {
        let failure =
            Failure::new(FailureKind::NotFound, "There is no such function. docs/api.md lists them all.");
        return (StatusCode::NOT_FOUND, axum::Json(failure)).into_response();
    }
    leptos_axum::handle_server_fns_with_context(context(&state, facts), request).await.into_response()
}

/// Where no page and no route is.
async fn nothing(
    State(state): State<AppState>,
    Extension(facts): Extension<RequestFacts>,
    request: Request,
) -> Response {
    in_time(async move {
        let _turn = turn(&state, &facts).await;
        let options = state.options.clone();
        let context = page_context(&state, facts).await;
        let handler = leptos_axum::render_app_async_with_context(context, move || shell(options.clone()));
        handler(request).await.into_response()
    })
    .await
}

/// One that does not come to its end gives back the person's turn.
async fn in_time(page: impl Future<Output = Response>) -> Response {
    tokio::time::timeout(LONGEST_MAKING, page).await.unwrap_or_else(|_| {
        tracing::error!("a page was not made in time");
        let words = "This page took too long to make. Try again.";
        (StatusCode::SERVICE_UNAVAILABLE, words).into_response()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::pending;

    #[tokio::test(start_paused = true)]
    async fn a_page_that_does_not_come_is_given_up() {
        let given_up = in_time(pending()).await;
        assert_eq!(given_up.status(), StatusCode::SERVICE_UNAVAILABLE);
        let made = in_time(async { StatusCode::OK.into_response() }).await;
        assert_eq!(made.status(), StatusCode::OK);
    }
}
