//! Conversations as files.

use crate::files::disposed;
use crate::state::AppState;
use app::context::RequestFacts;
use axum::Extension;
use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Response};
use futures_util::stream::try_unfold;
use http::header::{self, HeaderValue};
use hub::{Error, ExportFormat};
use protocol::ConversationId;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub struct Wanted {
    #[serde(default)]
    format: Format,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Format {
    #[default]
    Markdown,
    Json,
}

/// `GET /conversations/{id}/export`: all of a conversation, as it is read.
pub async fn export(
    State(state): State<AppState>,
    Extension(facts): Extension<RequestFacts>,
    Path(id): Path<String>,
    Query(Wanted { format }): Query<Wanted>,
) -> Response {
    let Some(viewer) = facts.viewer else { return refuse(Error::Unauthenticated) };
    let (format, kind) = match format {
        Format::Markdown => (ExportFormat::Markdown, "text/markdown; charset=utf-8"),
        Format::Json => (ExportFormat::Json, "application/json"),
    };
    let scoped = state.hub.for_viewer(&viewer);
    let export = match scoped.conversations().export(&ConversationId(id), format).await {
        Ok(export) => export,
        Err(error) => return refuse(error),
    };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CONTENT_DISPOSITION, disposed("attachment", &export.file_name())),
    ];
    // A part that cannot be read ends the download: a file that looks whole and is not would be worse.
    let parts = try_unfold(export, |mut export| async move {
        let part = export.next().await.map_err(|error| std::io::Error::other(error.into_failure()))?;
        Ok::<_, std::io::Error>(part.map(|part| (part, export)))
    });
    (headers, Body::from_stream(parts)).into_response()
}

fn refuse(error: Error) -> Response {
    let failure = error.into_failure();
    (app::status_of(failure.kind), axum::Json(failure)).into_response()
}
