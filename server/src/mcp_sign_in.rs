//! Where people come back to from signing in to an MCP server, and what the hub says of itself to those who ask them.

use crate::state::AppState;
use app::context::RequestFacts;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Extension, Json};
use http::header;
use hub::Returned;
use serde::Deserialize;

#[derive(Deserialize)]
pub struct Answer {
    #[serde(default)]
    state: String,
    code: Option<String>,
    error: Option<String>,
    iss: Option<String>,
}

/// `GET /mcp-client.json`: the hub as a client of OAuth.
pub async fn client(Extension(facts): Extension<RequestFacts>) -> Response {
    let document = hub::client_document(&facts.front_door);
    ([(header::CACHE_CONTROL, "public, max-age=3600")], Json(document)).into_response()
}

/// `GET /mcp-sign-in`: goes on to the page of the server, which says what came of it.
pub async fn back(
    State(state): State<AppState>,
    Extension(facts): Extension<RequestFacts>,
    Query(answer): Query<Answer>,
) -> Response {
    let Some(viewer) = facts.viewer else { return Redirect::to("/sign-in").into_response() };
    let returned = Returned {
        state: &answer.state,
        code: answer.code.as_deref(),
        error: answer.error.as_deref(),
        iss: answer.iss.as_deref(),
    };
    let page = match state.hub.for_viewer(&viewer).mcp_servers().signed_in(returned).await {
        Ok(id) => format!("/mcp-servers/{id}?done=signed-in"),
        Err(error) => {
            tracing::debug!("an answer to a sign-in was not taken: {error}");
            "/mcp-servers?done=none".to_owned()
        }
    };
    Redirect::to(&page).into_response()
}
