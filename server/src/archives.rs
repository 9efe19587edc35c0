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

/// A form with one file in it.
pub struct FileForm {
    /// The name of its field.
    pub field: &'static str,
    /// Where it is larger than 20 MB.
    pub too_large: &'static str,
}

const ARCHIVE: FileForm = FileForm { field: "archive", too_large: "The archive is larger than 20 MB." };

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
    let uploaded = match one_file(form, &mut room, &ARCHIVE).await {
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

/// The form's file, with its name.
pub async fn one_file(
    form: Multipart,
    room: &mut BodyRoom,
    wanted: &FileForm,
) -> hub::Result<(String, Vec<u8>)> {
    in_time(read(form, room, wanted), sleep(WHOLE)).await
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

async fn read(mut form: Multipart, room: &mut BodyRoom, wanted: &FileForm) -> hub::Result<(String, Vec<u8>)> {
    let FileForm { field: name_of_field, too_large } = wanted;
    let mut others = 0;
    for _ in 0..FIELDS {
        let Some(mut field) = form.next_field().await.map_err(broken)? else { break };
        if field.name() == Some(name_of_field) {
            let name = field.file_name().unwrap_or_default().to_owned();
            let bytes = whole(field, room, too_large).await?;
            if !name.is_empty() || !bytes.is_empty() {
                return Ok((name, bytes));
            }
            continue;
        }
        // A field that is left alone is read to its end, however long it is.
        while let Some(chunk) = field.chunk().await.map_err(broken)? {
            others += chunk.len();
            if others > OTHERS {
                return Err(Error::invalid(format!(
                    "The form has more in it than the field {name_of_field}."
                )));
            }
        }
    }
    Err(Error::invalid(format!("The form has no file in the field {name_of_field}.")))
}

async fn whole(mut field: Field<'_>, room: &mut BodyRoom, too_large: &str) -> hub::Result<Vec<u8>> {
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
        return Err(Error::Limit(too_large.to_owned()));
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

pub fn refuse(error: Error) -> Response {
    let failure = error.into_failure();
    (app::status_of(failure.kind), axum::Json(failure)).into_response()
}
