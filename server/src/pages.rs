//! Pages, server functions and static files: what Leptos answers, with the hub and the request's
//! facts as context.

use crate::router::AppState;
use app::context::{DeviceOrigins, RequestFacts};
use app::{App, shell};
use axum::Router;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use axum::{Extension, body::Body};
use http::{HeaderValue, StatusCode, header};
use leptos::context::provide_context;
use leptos::server_fn::axum::get_server_fn_service;
use leptos_axum::{AxumRouteListing, LeptosRoutes, generate_route_list};
use protocol::{Failure, FailureKind};
use tower::ServiceExt;
use tower_http::services::ServeDir;

/// The application's pages, and behind them static files, and behind those its "not here" page.
pub fn mount(router: Router<AppState>) -> Router<AppState> {
    let listing: Vec<AxumRouteListing> = generate_route_list(App);
    let routes = listing.clone();
    let page =
        move |State(state): State<AppState>, Extension(facts): Extension<RequestFacts>, request: Request| {
            let routes = routes.clone();
            async move {
                let options = state.options.clone();
                let context = page_context(&state, facts).await;
                let handler =
                    leptos_axum::render_route_with_context(routes, context, move || shell(options.clone()));
                handler(State(state), request).await.into_response()
            }
        };
    router.leptos_routes_with_handler(listing, page).fallback(file_or_page)
}

/// The context of pages and server functions.
fn context(state: &AppState, facts: RequestFacts) -> impl Fn() + Clone + Send + Sync + use<> + 'static {
    let hub = state.hub.clone();
    move || {
        provide_context(hub.clone());
        provide_context(facts.clone());
    }
}

/// The same, with what the policy of a page needs to know.
async fn page_context(
    state: &AppState,
    facts: RequestFacts,
) -> impl Fn() + Clone + Send + Sync + use<> + 'static {
    let origins = match &facts.viewer {
        Some(viewer) => state.hub.for_viewer(viewer).device_origins().await.unwrap_or_else(|error| {
            tracing::error!(error = ?error, "the page goes out without the models on devices");
            Default::default()
        }),
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

async fn file_or_page(
    State(state): State<AppState>,
    Extension(facts): Extension<RequestFacts>,
    request: Request,
) -> Response {
    if let Some(asked) = asked_file(&request)
        && let Some(file) = file(&state, asked).await
    {
        return file;
    }
    let options = state.options.clone();
    let context = page_context(&state, facts).await;
    let handler = leptos_axum::render_app_async_with_context(context, move || shell(options.clone()));
    handler(request).await.into_response()
}

fn asked_file(request: &Request) -> Option<Request> {
    let mut asked =
        Request::builder().method(request.method()).uri(request.uri()).body(Body::empty()).ok()?;
    *asked.headers_mut() = request.headers().clone();
    Some(asked)
}

async fn file(state: &AppState, asked: Request) -> Option<Response> {
    let files = ServeDir::new(&*state.options.site_root)
        .append_index_html_on_directories(false)
        .precompressed_br()
        .precompressed_gzip();
    let mut response = files.oneshot(asked).await.ok()?.map(Body::new);
    if response.status() == StatusCode::NOT_FOUND || response.status() == StatusCode::METHOD_NOT_ALLOWED {
        return None;
    }
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    Some(response)
}
