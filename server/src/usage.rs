//! What was used, as files for spreadsheets: a person's own, and for administrators everybody's.

use crate::state::AppState;
use app::context::RequestFacts;
use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::{StatusCode, header};
use hub::Error;

/// `GET /usage.csv`: the last year, a line for each day, agent and model.
pub async fn sheet(State(state): State<AppState>, Extension(facts): Extension<RequestFacts>) -> Response {
    let Some(viewer) = facts.viewer else { return StatusCode::UNAUTHORIZED.into_response() };
    answer("vivarium-usage.csv", state.hub.for_viewer(&viewer).ledger().usage_sheet().await)
}

/// `GET /usage/tools.csv`: the last year, a line for each day, agent, tool and outcome.
pub async fn tools(State(state): State<AppState>, Extension(facts): Extension<RequestFacts>) -> Response {
    let Some(viewer) = facts.viewer else { return StatusCode::UNAUTHORIZED.into_response() };
    answer("vivarium-tools.csv", state.hub.for_viewer(&viewer).ledger().tool_sheet().await)
}

/// `GET /admin/usage.csv`: the last year, a line for each day, person and model.
pub async fn sheet_of_all(
    State(state): State<AppState>,
    Extension(facts): Extension<RequestFacts>,
) -> Response {
    let Some(viewer) = facts.viewer else { return StatusCode::UNAUTHORIZED.into_response() };
    match state.hub.as_admin(&viewer) {
        Some(admin) => answer("vivarium-usage-of-all.csv", admin.ledger().usage_sheet().await),
        None => refused(Error::Forbidden(ADMINS)),
    }
}

/// `GET /admin/usage/tools.csv`: the last year, a line for each day, tool and outcome.
pub async fn tools_of_all(
    State(state): State<AppState>,
    Extension(facts): Extension<RequestFacts>,
) -> Response {
    let Some(viewer) = facts.viewer else { return StatusCode::UNAUTHORIZED.into_response() };
    match state.hub.as_admin(&viewer) {
        Some(admin) => answer("vivarium-tools-of-all.csv", admin.ledger().tool_sheet().await),
        None => refused(Error::Forbidden(ADMINS)),
    }
}

const ADMINS: &str = "Only an administrator sees what others used.";

fn answer(name: &str, sheet: hub::Result<String>) -> Response {
    match sheet {
        Ok(sheet) => {
            let headers = [
                (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
                (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
            ];
            (headers, sheet).into_response()
        }
        Err(error) => refused(error),
    }
}

fn refused(error: Error) -> Response {
    let failure = error.into_failure();
    (app::status_of(failure.kind), axum::Json(failure)).into_response()
}
