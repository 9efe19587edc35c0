//! Ends mails of the hub by the link in one of them (RFC 8058): whoever presses it may not be signed in, and a
//! program for mail presses it without showing a page. All that is believed is the key in the address.

use crate::forms::{is_page, refuse};
use crate::state::AppState;
use app::context::RequestFacts;
use axum::Extension;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use http::HeaderMap;
use hub::Error;
use protocol::ChannelId;

/// A browser comes back to the page with the button, which says what came of it.
pub async fn end(
    State(state): State<AppState>,
    Extension(facts): Extension<RequestFacts>,
    Path((channel, key)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    let ended = state.hub.notifications().unsubscribe(facts.visitor(), &ChannelId(channel), &key).await;
    let back = |done: &str| Redirect::to(&format!("{}?done={done}", facts.path)).into_response();
    match ended {
        Ok(()) if is_page(&headers) => back("ended"),
        Ok(()) => "Nothing more is sent there.\n".into_response(),
        Err(Error::NotFound(_)) if is_page(&headers) => back("unknown"),
        Err(error) => refuse(error),
    }
}
