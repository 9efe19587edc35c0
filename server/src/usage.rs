//! What a person used, as a file for spreadsheets.

use crate::router::AppState;
use app::context::RequestFacts;
use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::{StatusCode, header};

/// `GET /usage.csv`: the last year, a line for each day, agent and model.
pub async fn sheet(State(state): State<AppState>, Extension(facts): Extension<RequestFacts>) -> Response {
    let Some(viewer) = facts.viewer else { return StatusCode::UNAUTHORIZED.into_response() };
    match state.hub.for_viewer(&viewer).usage_sheet().await {
        Ok(sheet) => {
            let headers = [
                (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
                (header::CONTENT_DISPOSITION, "attachment; filename=\"vivarium-usage.csv\""),
            ];
            (headers, sheet).into_response()
        }
        Err(error) => {
            let failure = error.into_failure();
            (app::status_of(failure.kind), axum::Json(failure)).into_response()
        }
    }
}
