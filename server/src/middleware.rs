//! The ordered stack that every request passes, outermost first: its span, security headers, the name the hub
//! was reached under, who asks, how often, on which node, where a change comes from, JSON bodies.

pub mod accepted_language;
mod again_later;
mod facts;
mod hand_on;
mod headers;
mod json_body;
mod origin;
mod own_words;
mod pace;
mod span;

pub use headers::{FRAME_HEADERS, put};

use crate::state::AppState;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};

/// `uploads` are routes that bound their bodies themselves, and so are `deliveries`, for which no cookie counts.
pub fn wrap(
    router: Router<AppState>,
    uploads: Router<AppState>,
    deliveries: Router<AppState>,
    state: &AppState,
) -> Router<AppState> {
    router
        // Server functions take forms and JSON.
        .layer(from_fn(json_body::accept))
        .merge(uploads)
        // Every body is bounded by now, and a form is longer than its JSON.
        .layer(DefaultBodyLimit::disable())
        // Deny by default: a change needs our own Origin, or a bearer token and no foreign one.
        .layer(from_fn(origin::guard))
        .merge(deliveries.layer(DefaultBodyLimit::disable()))
        // A page says nothing that somebody else put into its address.
        .layer(from_fn_with_state(state.clone(), own_words::keep))
        // Who is placed on another node is served there.
        .layer(from_fn_with_state(state.clone(), hand_on::hand_on))
        // Strangers are counted by address, everybody else by who they are.
        .layer(from_fn_with_state(state.clone(), pace::keep))
        // Everything below knows the viewer.
        .layer(from_fn_with_state(state.clone(), facts::find))
        .layer(from_fn(headers::set))
        .layer(from_fn(span::enter))
}
