//! Archives on their way in and out: one form with one file, and a download.

use crate::files::disposed;
use crate::forms::{self, FileForm, refuse};
use crate::state::AppState;
use app::context::RequestFacts;
use axum::Extension;
use axum::extract::{Multipart, Path, Query, State};
use axum::response::{IntoResponse, Response};
use http::header::{self, HeaderMap, HeaderValue};
use hub::Error;
use protocol::AgentId;
use serde::Deserialize;

const ARCHIVE: FileForm =
    FileForm { field: "archive", too_large: "The archive is larger than 20 MB.", page: "/gallery" };

/// Takes an archive in. A page goes on to the review, or says why there is none; a program gets the
/// review, or why not.
pub async fn upload(
    State(state): State<AppState>,
    Extension(facts): Extension<RequestFacts>,
    headers: HeaderMap,
    form: Multipart,
) -> Response {
    let is_page = forms::is_page(&headers);
    let Some(viewer) = facts.viewer else { return refuse(Error::Unauthenticated) };
    let scoped = state.hub.for_viewer(&viewer);
    let mut room = state.limits.body(&viewer);
    let uploaded = match forms::one_file(form, &mut room, &ARCHIVE).await {
        Ok((name, bytes)) => scoped.archives().upload(&name, &bytes).await,
        Err(error) => Err(error),
    };
    let uploaded = match uploaded {
        Ok(uploaded) => uploaded.archive,
        Err(error) => return forms::sent_back(is_page, ARCHIVE.page, error),
    };
    forms::to_review(is_page, format!("/gallery/{uploaded}"), scoped.archives().review_stored(&uploaded))
        .await
}

#[derive(Debug, Deserialize)]
pub struct Asked {
    /// `1`: what was said goes along.
    conversations: Option<String>,
}

/// An agent as an archive.
pub async fn export(
    State(state): State<AppState>,
    Extension(facts): Extension<RequestFacts>,
    Path(agent): Path<String>,
    Query(asked): Query<Asked>,
) -> Response {
    let Some(viewer) = facts.viewer else { return refuse(Error::Unauthenticated) };
    let (scoped, agent) = (state.hub.for_viewer(&viewer), AgentId(agent));
    let exported = match asked.conversations.as_deref() {
        Some("1") => scoped.archives().export_with_conversations(&agent).await,
        Some(_) | None => scoped.archives().export(&agent).await,
    };
    match exported {
        Ok(export) => {
            let headers = [
                (header::CONTENT_TYPE, HeaderValue::from_static("application/zip")),
                (header::CONTENT_DISPOSITION, disposed("attachment", &export.file_name)),
            ];
            (headers, export.bytes).into_response()
        }
        Err(error) => refuse(error),
    }
}
