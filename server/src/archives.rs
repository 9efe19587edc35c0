//! Archives on their way in and out: one form with one file, and a download.

use crate::files::disposed;
use crate::forms::{self, FileForm, refuse};
use crate::state::AppState;
use app::context::RequestFacts;
use axum::Extension;
use axum::extract::{Multipart, Path, State};
use axum::response::{IntoResponse, Response};
use http::header::{self, HeaderMap, HeaderValue};
use hub::Error;
use protocol::AgentId;

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

/// An agent as an archive.
pub async fn export(
    State(state): State<AppState>,
    Extension(facts): Extension<RequestFacts>,
    Path(agent): Path<String>,
) -> Response {
    let Some(viewer) = facts.viewer else { return refuse(Error::Unauthenticated) };
    match state.hub.for_viewer(&viewer).archives().export(&AgentId(agent)).await {
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
