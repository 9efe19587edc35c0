//! The worker beside the pages: it shows notifications, and keeps pages for when the hub is away. Its address is its scope, so it stands at the root, and does not change
//! with the build.

use crate::middleware::put;
use axum::response::{IntoResponse, Response};
use http::header::{self, HeaderName};

const SCRIPT: &str = include_str!("service-worker.js");

/// It calls the hub and nothing else.
static HEADERS: [(HeaderName, &str); 3] = [
    (header::CONTENT_TYPE, "text/javascript; charset=utf-8"),
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    ),
    (header::CACHE_CONTROL, "no-cache"),
];

pub async fn serve() -> Response {
    let mut response = SCRIPT.into_response();
    put(response.headers_mut(), &HEADERS);
    response
}
