//! Counts requests, and turns away who asks too often: with a page who wants to read one, with JSON
//! everybody else.

use crate::model_endpoints::{self, Caller};
use crate::state::AppState;
use app::context::RequestFacts;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use hub::Program;
use hub::buckets::Wait;
use protocol::{Failure, FailureKind};

const STYLED: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
);

pub async fn keep(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let facts = request.extensions().get::<RequestFacts>().expect("the facts are found before");
    let Caller(program) = request.extensions().get().expect("they are found before");
    let asker = facts.viewer.as_ref().or(program.as_ref().map(Program::counted_as));
    match state.limits.admit(asker, facts.address, state.hub.moment()) {
        Ok(()) => next.run(request).await,
        Err(wait) => {
            let for_program = model_endpoints::turn_away(request.uri().path(), wait);
            for_program.unwrap_or_else(|| turn_away(&request, asker.is_some(), wait, &state.assets.prefix()))
        }
    }
}

fn turn_away(request: &Request, is_known: bool, Wait(milliseconds): Wait, assets: &str) -> Response {
    let seconds = (milliseconds + 999) / 1000;
    let who = if is_known { "you" } else { "your address" };
    let message = format!("Too many requests came from {who} at once. Try again in {seconds} s.");
    let mut response = if wants_page(request.headers()) {
        let way_on = RetryHint::of(request.method());
        let mut page = Html(page(&message, way_on, seconds, assets)).into_response();
        page.headers_mut().insert(header::CONTENT_SECURITY_POLICY, STYLED);
        page
    } else {
        axum::Json(Failure::new(FailureKind::Limit, message)).into_response()
    };
    *response.status_mut() = StatusCode::TOO_MANY_REQUESTS;
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
}

impl RetryHint {
    fn of(method: &Method) -> Self {
        if method.is_safe() { Self::Wait } else { Self::Return }
    }
}

fn page(message: &str, way_on: RetryHint, seconds: i64, assets: &str) -> String {
    let (refresh, words) = match way_on {
        RetryHint::Wait => (
            format!("\n<meta http-equiv=\"refresh\" content=\"{seconds}\">"),
            "This page then comes by itself.",
        ),
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
<title>Too many requests · Vivarium</title>
<link rel="stylesheet" href="{assets}/pkg/vivarium.css">
</head>
<body><main class="settings"><h1>Slow down a little</h1><p>{message} {words}</p></main></body>
</html>
"#
    )
}
