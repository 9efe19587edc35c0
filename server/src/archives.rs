//! Archives on their way in and out: one form with one file, and a download.

use crate::files::disposed;
use crate::limits::{BodyRoom, QuotaFull};
use crate::state::AppState;
use app::context::RequestFacts;
use axum::Extension;
use axum::extract::multipart::{Field, MultipartError};
use axum::extract::{Multipart, Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use http::header::{self, HeaderMap, HeaderValue};
use hub::{Error, LARGEST_ARCHIVE};
use protocol::AgentId;
use std::time::Duration;
use tokio::time::sleep;

/// Bytes that are read of a file that is too large: a client that is still sending would not see the
/// answer.
const DRAINED: usize = 4 * LARGEST_ARCHIVE;

/// Fields of the form, and bytes of those that are not the file.
const FIELDS: usize = 10;
const OTHERS: usize = 64 * 1024;
/// How long the whole form may take to come.
const WHOLE: Duration = Duration::from_secs(5 * 60);

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
    let mut room = state.limits.body(&viewer);
    let uploaded = match in_time(read(form, &mut room), sleep(WHOLE)).await {
        Ok((name, bytes)) => scoped.archives().upload(&name, &bytes).await,
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
    match scoped.archives().review_stored(&archive).await {
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

async fn in_time<T>(
    form: impl Future<Output = hub::Result<T>>,
    end: impl Future<Output = ()>,
) -> hub::Result<T> {
    tokio::select! {
        biased;
        read = form => read,
        () = end => Err(Error::invalid("The form did not come to its end in five minutes. Send it again.")),
    }
}

/// The form's file, with its name.
async fn read(mut form: Multipart, room: &mut BodyRoom) -> hub::Result<(String, Vec<u8>)> {
    let mut others = 0;
    for _ in 0..FIELDS {
        let Some(mut field) = form.next_field().await.map_err(broken)? else { break };
        if field.name() == Some("archive") {
            let name = field.file_name().unwrap_or_default().to_owned();
            let bytes = whole(field, room).await?;
            if !name.is_empty() || !bytes.is_empty() {
                return Ok((name, bytes));
            }
            continue;
        }
        // A field that is left alone is read to its end, however long it is.
        while let Some(chunk) = field.chunk().await.map_err(broken)? {
            others += chunk.len();
            if others > OTHERS {
                return Err(Error::invalid("The form has more in it than the field archive."));
            }
        }
    }
    Err(Error::invalid("The form has no file in the field archive."))
}

async fn whole(mut field: Field<'_>, room: &mut BodyRoom) -> hub::Result<Vec<u8>> {
    let (mut bytes, mut seen) = (Vec::new(), 0);
    while let Some(chunk) = field.chunk().await.map_err(broken)? {
        seen += chunk.len();
        if seen > DRAINED {
            break;
        }
        if seen <= LARGEST_ARCHIVE {
            room.grow(chunk.len()).map_err(full)?;
            bytes.extend_from_slice(&chunk);
        }
    }
    if seen > LARGEST_ARCHIVE {
        return Err(Error::Limit("The archive is larger than 20 MB.".to_owned()));
    }
    Ok(bytes)
}

fn full(full: QuotaFull) -> Error {
    Error::Limit(match full {
        QuotaFull::Own => {
            "You send too much at the same time. Wait for the answers to some of it.".to_owned()
        }
        QuotaFull::All => "The hub takes in as much as it can at the moment. Try again soon.".to_owned(),
    })
}

fn broken(error: MultipartError) -> Error {
    Error::invalid(format!("The form cannot be read: {error}."))
}

fn refuse(error: Error) -> Response {
    let failure = error.into_failure();
    (app::status_of(failure.kind), axum::Json(failure)).into_response()
}
