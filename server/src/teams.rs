//! Agents as the file of a team.

use crate::forms::refuse;
use crate::state::AppState;
use app::context::RequestFacts;
use axum::Extension;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Response};
use http::header;
use hub::Error;
use protocol::AgentId;
use serde::Deserialize;

#[derive(Deserialize)]
pub struct Chosen {
    /// Ids with commas between them.
    #[serde(default)]
    agents: String,
}

/// `GET /teams/agents.yaml`: these agents, for `teams/bring`.
pub async fn export(
    State(state): State<AppState>,
    Extension(facts): Extension<RequestFacts>,
    Query(Chosen { agents }): Query<Chosen>,
) -> Response {
    let Some(viewer) = facts.viewer else { return refuse(Error::Unauthenticated) };
    let agents: Vec<AgentId> = agents.split(',').filter(|id| !id.is_empty()).map(AgentId::from).collect();
    match state.hub.for_viewer(&viewer).teams().export(&agents).await {
        Ok(export) => {
            let head = [
                (header::CONTENT_TYPE, "application/yaml; charset=utf-8"),
                (header::CONTENT_DISPOSITION, "attachment; filename=\"agents.yaml\""),
            ];
            (head, export.text).into_response()
        }
        Err(error) => refuse(error),
    }
}
