//! Answers on their way out: JSON, or server-sent events that leave as they come.

use super::api_of;
use crate::event_stream::kept_alive;
use axum::body::Body as HttpBody;
use axum::response::Response;
use http::header::{CONTENT_TYPE, HeaderName, RETRY_AFTER};
use http::{HeaderValue, StatusCode};
use hub::buckets::Wait;
use hub::{ApiError, ApiErrorKind, Body, Reply};

/// What clients of both makers go by when they try again by themselves.
const RETRY_AFTER_MS: HeaderName = HeaderName::from_static("retry-after-ms");
const SHOULD_RETRY: HeaderName = HeaderName::from_static("x-should-retry");
/// Under which names the clients of OpenAI and Anthropic look for what a request is called.
const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const REQUEST_ID: HeaderName = HeaderName::from_static("request-id");

pub(super) fn send(reply: Reply) -> Response {
    let Reply { id, status, retry_after_ms, should_retry, body } = reply;
    let (kind, body) = match body {
        Body::Json(bytes) => ("application/json", HttpBody::from(bytes)),
        Body::Events(events) => ("text/event-stream", HttpBody::from_stream(kept_alive(events))),
    };
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    if let Ok(id) = HeaderValue::from_str(&id) {
        headers.insert(X_REQUEST_ID, id.clone());
        headers.insert(REQUEST_ID, id);
    }
    if let Some(milliseconds) = retry_after_ms {
        headers.insert(RETRY_AFTER, HeaderValue::from(milliseconds.div_ceil(1000)));
        headers.insert(RETRY_AFTER_MS, HeaderValue::from(milliseconds));
    }
    if let Some(should_retry) = should_retry {
        let word = if should_retry { "true" } else { "false" };
        headers.insert(SHOULD_RETRY, HeaderValue::from_static(word));
    }
    response
}

/// Too many requests, for a program; `None` where none asks.
pub fn turn_away(path: &str, Wait(milliseconds): Wait) -> Option<Response> {
    let seconds = (milliseconds + 999) / 1000;
    let message = format!("Too many requests at once. Try again in {seconds} s.");
    let trouble = ApiError {
        retry_after_ms: u64::try_from(milliseconds).ok(),
        ..ApiError::new(ApiErrorKind::TooOften, message)
    };
    Some(send(Reply::refused(api_of(path)?, &trouble)))
}
