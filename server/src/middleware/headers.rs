//! Headers on every answer. A route that needs another policy sets its own, which stays.

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use http::header::{self, HeaderName, HeaderValue};
use http::{HeaderMap, StatusCode};

/// What a response has unless its route set something else.
static DEFAULTS: [(HeaderName, &str); 8] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "same-origin"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    ),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), microphone=(), geolocation=(), display-capture=(), usb=(), serial=(), payment=()",
    ),
    (header::CACHE_CONTROL, "no-store"),
];

/// What a frame document sets beside its policy: the shell may embed it.
pub static FRAME_HEADERS: [(HeaderName, &str); 2] =
    [(header::X_FRAME_OPTIONS, "SAMEORIGIN"), (header::CACHE_CONTROL, "no-cache")];

/// When to ask again what the hub could not do for the moment, in seconds.
const AGAIN_IN: u64 = 5;

pub async fn set(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let is_unavailable = response.status() == StatusCode::SERVICE_UNAVAILABLE;
    let headers = response.headers_mut();
    if is_unavailable {
        headers.entry(header::RETRY_AFTER).or_insert_with(|| HeaderValue::from(AGAIN_IN));
    }
    for (name, value) in &DEFAULTS {
        headers.entry(name).or_insert_with(|| HeaderValue::from_static(value));
    }
    response
}

pub fn put(headers: &mut HeaderMap, pairs: &[(HeaderName, &'static str)]) {
    for (name, value) in pairs {
        headers.insert(name, HeaderValue::from_static(value));
    }
}
