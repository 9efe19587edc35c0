//! The ordered stack that every request passes, outermost first: security headers, the name the hub
//! was reached under, who asks, how often, where a change comes from, JSON bodies.

mod facts;
mod headers;
mod json_body;
mod origin;
mod pace;

pub use headers::{FRAME_HEADERS, put};

use crate::router::AppState;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};

/// `uploads` are routes that bound their bodies themselves.
pub fn wrap(router: Router<AppState>, uploads: Router<AppState>, state: &AppState) -> Router<AppState> {
    router
        // Server functions take forms; programs send JSON.
        .layer(from_fn(json_body::accept))
        .merge(uploads)
        // Every body is bounded by now, and a form is longer than its JSON.
        .layer(DefaultBodyLimit::disable())
        // Deny by default: a change needs our own Origin, or a bearer token and no foreign one.
        .layer(from_fn(origin::guard))
        // Strangers are counted by address, everybody else by who they are.
        .layer(from_fn_with_state(state.clone(), pace::keep))
        // Everything below knows the viewer.
        .layer(from_fn_with_state(state.clone(), facts::find))
        .layer(from_fn(headers::set))
}
