//! What somebody is told whose request was not taken now, and would be later: with a page who wants to read one, with
//! JSON everybody else.

use axum::response::{Html, IntoResponse, Response};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use protocol::{Failure, FailureKind};

const STYLED: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
);

/// Why, and when it would be taken.
pub(super) struct AgainLater {
    pub(super) status: StatusCode,
    pub(super) kind: FailureKind,
    pub(super) title: &'static str,
    pub(super) heading: &'static str,
    pub(super) message: String,
    /// What was sent, in spite of all.
    pub(super) may_be_taken: bool,
    pub(super) seconds: i64,
}

pub(super) fn answer(method: &Method, headers: &HeaderMap, why: AgainLater, assets: &str) -> Response {
    let (status, seconds) = (why.status, why.seconds);
    let mut response = if wants_page(headers) {
        let mut page = Html(page(&why, RetryHint::of(method, why.may_be_taken), assets)).into_response();
        page.headers_mut().insert(header::CONTENT_SECURITY_POLICY, STYLED);
        page
    } else {
        axum::Json(Failure::new(why.kind, why.message)).into_response()
    };
    *response.status_mut() = status;
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    response
}

fn wants_page(headers: &HeaderMap) -> bool {
    headers
        .get(header::ACCEPT)
        .and_then(|accept| accept.to_str().ok())
        .is_some_and(|accept| accept.contains("text/html"))
}

/// What somebody can do who reads that they came too often.
#[derive(Clone, Copy)]
enum RetryHint {
    /// The page comes by itself.
    Wait,
    /// What was sent is not sent again by itself.
    Return,
    /// What was sent may have been taken.
    Look,
}

impl RetryHint {
    fn of(method: &Method, may_be_taken: bool) -> Self {
        match method.is_safe() {
            true => Self::Wait,
            false if may_be_taken => Self::Look,
            false => Self::Return,
        }
    }
}

fn page(why: &AgainLater, way_on: RetryHint, assets: &str) -> String {
    let AgainLater { title, heading, message, seconds, .. } = why;
    let (refresh, words) = match way_on {
        RetryHint::Wait => (
            format!("\n<meta http-equiv=\"refresh\" content=\"{seconds}\">"),
            "This page then comes by itself.",
        ),
        RetryHint::Look => (String::new(), "<a href=\"/\">Look at your agents</a>."),
        RetryHint::Return => (
            String::new(),
            "What you sent was not taken. Go back and send it again then, or <a href=\"/\">begin anew</a>.",
        ),
    };
    format!(
        r#"<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">{refresh}
<title>{title} · Vivarium</title>
<link rel="stylesheet" href="{assets}/pkg/vivarium.css">
</head>
<body><main class="settings"><h1>{heading}</h1><p>{message} {words}</p></main></body>
</html>
"#
    )
}
