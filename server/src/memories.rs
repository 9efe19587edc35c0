//! What is remembered of a person, as a file.

use crate::forms::refuse;
use crate::state::AppState;
use app::context::RequestFacts;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use http::header;
use hub::Error;

/// `GET /memories/export`: all that is kept, for `memories/import`.
pub async fn export(State(state): State<AppState>, Extension(facts): Extension<RequestFacts>) -> Response {
    let Some(viewer) = facts.viewer else { return refuse(Error::Unauthenticated) };
    match state.hub.for_viewer(&viewer).memories().export().await {
        Ok(carried) => {
            let name = [(header::CONTENT_DISPOSITION, "attachment; filename=\"memories.json\"")];
            (name, Json(carried)).into_response()
        }
        Err(error) => refuse(error),
    }
}
