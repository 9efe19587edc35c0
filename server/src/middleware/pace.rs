//! Counts requests, and turns away who asks too often: with a page who wants to read one, with JSON
//! everybody else.

use crate::endpoints::{self, Caller};
use crate::router::AppState;
use app::context::RequestFacts;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};
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
    match state.limits.admit(asker, facts.address, state.hub.now()) {
        Ok(()) => next.run(request).await,
        Err(wait) => {
            let for_program = endpoints::turn_away(request.uri().path(), wait);
            for_program.unwrap_or_else(|| turn_away(request.headers(), wait))
        }
    }
}

fn turn_away(headers: &HeaderMap, Wait(milliseconds): Wait) -> Response {
    let seconds = (milliseconds + 999) / 1000;
    let message = format!("Too many requests at once. Try again in {seconds} s.");
    let mut response = if wants_page(headers) {
        let mut page = Html(page(&message)).into_response();
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

fn page(message: &str) -> String {
    format!(
        r#"<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Too many requests · Vivarium</title>
<link rel="stylesheet" href="/pkg/vivarium.css">
</head>
<body><main class="settings"><h1>Slow down a little</h1><p>{message}</p></main></body>
</html>
"#
    )
}
