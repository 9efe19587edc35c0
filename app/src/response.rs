//! The answer under way: its status, and to whom it goes.

use http::StatusCode;
use leptos::prelude::use_context;
use protocol::FailureKind;

/// The HTTP status of a failure.
pub fn status_of(kind: FailureKind) -> StatusCode {
    match kind {
        FailureKind::Unauthenticated => StatusCode::UNAUTHORIZED,
        FailureKind::Forbidden => StatusCode::FORBIDDEN,
        FailureKind::NotFound => StatusCode::NOT_FOUND,
        FailureKind::Conflict => StatusCode::CONFLICT,
        FailureKind::Invalid => StatusCode::UNPROCESSABLE_ENTITY,
        FailureKind::Limit => StatusCode::TOO_MANY_REQUESTS,
        FailureKind::Upstream => StatusCode::BAD_GATEWAY,
        FailureKind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        FailureKind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// Whether the answer goes to a browser without script, which follows a redirect and sees nothing else
/// of it.
pub(crate) fn is_plain_form() -> bool {
    let Some(parts) = use_context::<http::request::Parts>() else { return false };
    let accept = parts.headers.get(http::header::ACCEPT).and_then(|accept| accept.to_str().ok());
    parts.method == http::Method::POST && accept.is_some_and(|accept| accept.contains("text/html"))
}

/// The status of an answer that is read: a redirect keeps its own.
pub(crate) fn set_status(kind: FailureKind) {
    if is_plain_form() {
        return;
    }
    if let Some(options) = use_context::<leptos_axum::ResponseOptions>() {
        options.set_status(status_of(kind));
    }
}

/// Says when the same would work.
pub(crate) fn set_retry_after(seconds: u64) {
    if let Some(options) = use_context::<leptos_axum::ResponseOptions>() {
        options.insert_header(http::header::RETRY_AFTER, http::HeaderValue::from(seconds));
    }
}
