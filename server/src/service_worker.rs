//! The worker beside the pages: it shows notifications, and keeps pages for when the hub is away. Its address is its scope, so it stands at the root, and does not change
//! with the build.

use crate::middleware::put;
use app::worker_words;
use axum::response::{IntoResponse, Response};
use http::header::{self, HeaderName};
use std::sync::LazyLock;

const SCRIPT: &str = include_str!("service-worker.js");
/// Where the script has its words.
const NO_WORDS: &str = "const WORDS = {};";

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
    static WITH_WORDS: LazyLock<String> =
        LazyLock::new(|| SCRIPT.replacen(NO_WORDS, &format!("const WORDS = {};", worker_words()), 1));
    let mut response = WITH_WORDS.as_str().into_response();
    put(response.headers_mut(), &HEADERS);
    response
}
