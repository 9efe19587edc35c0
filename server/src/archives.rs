//! Archives on their way in and out: one form with one file, and a download.

use crate::files::disposed;
use crate::router::AppState;
use app::context::RequestFacts;
use axum::Extension;
use axum::extract::multipart::{Field, MultipartError};
use axum::extract::{Multipart, Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use http::header::{self, HeaderMap, HeaderValue};
use hub::{Error, LARGEST_ARCHIVE};
use protocol::AgentId;

/// Bytes that are read of a file that is too large: a client that is still sending would not see the
/// answer.
const DRAINED: usize = 4 * LARGEST_ARCHIVE;

/// Takes an archive in. A page goes on to the review, or says why there is none; a program gets the
/// review, or why not.
pub async fn upload(
    State(state): State<AppState>,
    Extension(facts): Extension<RequestFacts>,
    headers: HeaderMap,
    form: Multipart,
) -> Response {
    let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    let is_page = accept.is_some_and(|accept| accept.contains("text/html"));
    let Some(viewer) = facts.viewer else { return refuse(Error::Unauthenticated) };
    let scoped = state.hub.for_viewer(&viewer);
    let uploaded = match read(form).await {
        Ok((name, bytes)) => scoped.upload_archive(&name, &bytes).await,
        Err(error) => Err(error),
    };
    let archive = match uploaded {
        Ok(uploaded) => uploaded.archive,
        Err(Error::Limit(_)) if is_page => return Redirect::to("/gallery?too-large=").into_response(),
        Err(Error::Invalid(_)) if is_page => return Redirect::to("/gallery?no-file=").into_response(),
        Err(error) => return refuse(error),
    };
    let review = format!("/gallery/{archive}");
    if is_page {
        return Redirect::to(&review).into_response();
    }
    match scoped.review_archive(&archive).await {
        Ok(reviewed) => ([(header::LOCATION, review)], axum::Json(reviewed)).into_response(),
        Err(error) => refuse(error),
    }
}

/// An agent as an archive.
pub async fn export(
    State(state): State<AppState>,
    Extension(facts): Extension<RequestFacts>,
    Path(agent): Path<String>,
) -> Response {
    let Some(viewer) = facts.viewer else { return refuse(Error::Unauthenticated) };
    match state.hub.for_viewer(&viewer).export_agent(&AgentId(agent)).await {
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

/// The form's file, with its name.
async fn read(mut form: Multipart) -> hub::Result<(String, Vec<u8>)> {
    while let Some(field) = form.next_field().await.map_err(broken)? {
        if field.name() == Some("archive") {
            let name = field.file_name().unwrap_or_default().to_owned();
            let bytes = whole(field).await?;
            if !name.is_empty() || !bytes.is_empty() {
                return Ok((name, bytes));
            }
        }
    }
    Err(Error::invalid("The form has no file in the field archive."))
}

async fn whole(mut field: Field<'_>) -> hub::Result<Vec<u8>> {
    let (mut bytes, mut seen) = (Vec::new(), 0);
    while let Some(chunk) = field.chunk().await.map_err(broken)? {
        seen += chunk.len();
        if seen > DRAINED {
            break;
        }
        if seen <= LARGEST_ARCHIVE {
            bytes.extend_from_slice(&chunk);
        }
    }
    if seen > LARGEST_ARCHIVE {
        return Err(Error::Limit("The archive is larger than 20 MB.".to_owned()));
    }
    Ok(bytes)
}

fn broken(error: MultipartError) -> Error {
    Error::invalid(format!("The form cannot be read: {error}."))
}

fn refuse(error: Error) -> Response {
    let failure = error.into_failure();
    (app::status_of(failure.kind), axum::Json(failure)).into_response()
}
