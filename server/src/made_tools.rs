//! Tools that people add to their agents, as files on their way in and out.

use crate::files::disposed;
use crate::forms::{self, FileForm, refuse};
use crate::state::AppState;
use app::context::RequestFacts;
use app::made_tools::api::WriteMadeTool;
use axum::Extension;
use axum::extract::{Multipart, Path, State};
use axum::response::{IntoResponse, Response};
use http::header::{self, HeaderMap, HeaderValue};
use hub::Error;
use leptos::server_fn::ServerFn;
use protocol::AgentId;

const TOOL: FileForm =
    FileForm { field: "tool", too_large: "The file is larger than 20 MB.", page: "/agents" };

/// Takes the file of a tool in, which then waits. A page goes on to what it declares, or says why there is nothing; a
/// program gets all tools of the agent's own, or why not.
pub async fn upload(
    State(state): State<AppState>,
    Extension(facts): Extension<RequestFacts>,
    Path(agent): Path<String>,
    headers: HeaderMap,
    form: Multipart,
) -> Response {
    let is_page = forms::is_page(&headers);
    let Some(viewer) = facts.viewer.clone() else { return refuse(Error::Unauthenticated) };
    let (page, agent) = (format!("/agents/{agent}/tools"), AgentId(agent));
    let tools = state.hub.for_viewer(&viewer).made_tools();
    let mut room = state.limits.body(&viewer);
    let taken = match forms::one_file(form, &mut room, &TOOL).await {
        Ok((_, bytes)) => tools.bring(&agent, &bytes).await,
        Err(error) => Err(error),
    };
    match taken {
        Ok(_) => forms::to_review(is_page, page, tools.list(&agent)).await,
        Err(error) => forms::sent_back_by(is_page, &facts, &page, WriteMadeTool::PATH, error),
    }
}

/// A tool as a file, for `upload`.
pub async fn export(
    State(state): State<AppState>,
    Extension(facts): Extension<RequestFacts>,
    Path((agent, name)): Path<(String, String)>,
) -> Response {
    let Some(viewer) = facts.viewer else { return refuse(Error::Unauthenticated) };
    match state.hub.for_viewer(&viewer).made_tools().export(&AgentId(agent), &name).await {
        Ok(file) => {
            let headers = [
                (header::CONTENT_TYPE, HeaderValue::from_static("application/json")),
                (header::CONTENT_DISPOSITION, disposed("attachment", &file.name)),
            ];
            (headers, file.bytes).into_response()
        }
        Err(error) => refuse(error),
    }
}
