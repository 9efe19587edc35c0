//! Serves the two frame documents, each under its own policy, the worker, and the still picture of a
//! skin. The policies are the wall: `docs/security.md` says what each line keeps in.

use crate::middleware::{FRAME_HEADERS, put};
use crate::router::AppState;
use app::context::RequestFacts;
use axum::Extension;
use axum::extract::{Path, Query, State};
use axum::response::{Html, IntoResponse, Response};
use http::StatusCode;
use http::header::{self, HeaderName, HeaderValue};
use protocol::AgentId;

const SKIN_POLICY: &str = "sandbox allow-scripts allow-forms; default-src 'none'; \
    script-src 'unsafe-inline' 'unsafe-eval' blob:; style-src 'unsafe-inline'; img-src data: blob:; \
    font-src data: blob:; media-src data: blob:; worker-src blob:; connect-src 'none'; frame-src 'none'; \
    form-action 'none'; base-uri 'none'; frame-ancestors 'self'";

const STILL_POLICY: &str = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; \
    font-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'";

/// What a policy cannot close: Chromium closes WebRTC, lookups of names and navigation, Firefox the lookups
/// that links in a page ask for.
static NO_CONNECTIONS: [(HeaderName, &str); 2] = [
    (HeaderName::from_static("connection-allowlist"), "()"),
    (HeaderName::from_static("x-dns-prefetch-control"), "off"),
];

pub async fn skin() -> Response {
    let mut response = frame(bundle::SKIN_HTML, HeaderValue::from_static(SKIN_POLICY));
    put(response.headers_mut(), &NO_CONNECTIONS);
    response
}

pub async fn loop_frame() -> Response {
    let policy = format!(
        "sandbox allow-scripts; default-src 'none'; script-src 'sha256-{}' 'wasm-unsafe-eval' blob:; \
         worker-src blob:; connect-src 'none'; frame-src 'none'; form-action 'none'; base-uri 'none'; \
         frame-ancestors 'self'",
        bundle::LOOP_SCRIPT_SHA256
    );
    let mut response =
        frame(bundle::LOOP_HTML, HeaderValue::from_str(&policy).expect("a base64 hash is visible ASCII"));
    put(response.headers_mut(), &NO_CONNECTIONS);
    response
}

#[derive(serde::Deserialize)]
pub struct Wanted {
    version: Option<u64>,
}

/// The stored page without scripts, for cards and lists of versions.
pub async fn still(
    State(state): State<AppState>,
    Extension(facts): Extension<RequestFacts>,
    Path(agent): Path<String>,
    Query(Wanted { version }): Query<Wanted>,
) -> Response {
    let Some(viewer) = facts.viewer else { return StatusCode::UNAUTHORIZED.into_response() };
    still_of(state.hub.for_viewer(&viewer).still(&AgentId(agent), version).await)
}

/// The page of an archive, or of a template, without scripts.
pub async fn archive_still(
    State(state): State<AppState>,
    Extension(facts): Extension<RequestFacts>,
    Path(archive): Path<String>,
) -> Response {
    let Some(viewer) = facts.viewer else { return StatusCode::UNAUTHORIZED.into_response() };
    still_of(state.hub.for_viewer(&viewer).archive_still(&archive).await)
}

fn still_of(html: hub::Result<Option<String>>) -> Response {
    match html {
        Ok(Some(html)) => {
            let mut response = frame(html, HeaderValue::from_static(STILL_POLICY));
            put(response.headers_mut(), &NO_CONNECTIONS);
            response
        }
        Ok(None) => StatusCode::NOT_FOUND.into_response(),
        Err(error) => app::status_of(error.into_failure().kind).into_response(),
    }
}

pub async fn worker_script() -> Response {
    let kind =
        [(header::CONTENT_TYPE, "text/javascript; charset=utf-8"), (header::CACHE_CONTROL, "no-cache")];
    (kind, bundle::WORKER_JS).into_response()
}

pub async fn worker_module() -> Response {
    let kind = [(header::CONTENT_TYPE, "application/wasm"), (header::CACHE_CONTROL, "no-cache")];
    (kind, bundle::WORKER_WASM).into_response()
}

fn frame(html: impl Into<axum::body::Body>, policy: HeaderValue) -> Response {
    let mut response = Html(html.into()).into_response();
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    put(response.headers_mut(), &FRAME_HEADERS);
    response
}
