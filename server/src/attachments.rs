//! What people bring along with messages, on its way in and out: one file a request, its bytes as the body.

use crate::files::{FILE_HEADERS, disposed};
use crate::forms::{full, refuse};
use crate::limits::BodyRoom;
use crate::middleware::put;
use crate::state::AppState;
use app::context::RequestFacts;
use axum::Extension;
use axum::body::{Body, BodyDataStream};
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use http::header::{self, HeaderValue};
use hub::{Error, LARGEST_UPLOAD, StoredFile};
use protocol::{AgentId, AttachmentId};
use serde::Deserialize;
use std::time::Duration;
use tokio::time::timeout;

/// How long the whole file may take to come.
const WHOLE: Duration = Duration::from_secs(5 * 60);

/// What is kept of a file never changes: its address is the digest of it.
const KEPT: HeaderValue = HeaderValue::from_static("private, max-age=31536000, immutable");

/// Bytes of what a model is told of a file.
const MOST_TOLD: usize = 1024 * 1024;

#[derive(Debug, Deserialize)]
pub struct Named {
    #[serde(default)]
    name: String,
}

/// Takes a file in, and says what became of it.
pub async fn upload(
    State(state): State<AppState>,
    Extension(facts): Extension<RequestFacts>,
    Query(Named { name }): Query<Named>,
    body: Body,
) -> Response {
    let Some(viewer) = facts.viewer else { return refuse(Error::Unauthenticated) };
    let mut room = state.limits.body(&viewer);
    let read = timeout(WHOLE, whole(body.into_data_stream(), &mut room, LARGEST_UPLOAD)).await;
    let late = || Err(Error::invalid("The file did not come to its end in five minutes. Send it again."));
    let taken = match read.unwrap_or_else(|_| late()) {
        Ok(Some(bytes)) => state.hub.for_viewer(&viewer).attachments().take_in(&name, bytes).await,
        Ok(None) => Err(Error::Limit("A file can have 20 MB.".to_owned())),
        Err(error) => Err(error),
    };
    match taken {
        Ok(attachment) => axum::Json(attachment).into_response(),
        Err(error) => refuse(error),
    }
}

#[derive(Debug, Deserialize)]
pub struct Of {
    /// The agent whose model is to have it.
    of: Option<AgentId>,
    /// Not the file, but what that model is told of it, in so many bytes at most.
    told: Option<usize>,
    /// The model has the tool for the rest.
    #[serde(default)]
    reads: bool,
}

/// A file that the viewer brought. With an agent only one that its model may have.
pub async fn open(
    State(state): State<AppState>,
    Extension(facts): Extension<RequestFacts>,
    Path(id): Path<String>,
    Query(Of { of, told, reads }): Query<Of>,
) -> Response {
    let Some(viewer) = facts.viewer else { return refuse(Error::Unauthenticated) };
    let scoped = state.hub.for_viewer(&viewer);
    let id = AttachmentId(id);
    if let (Some(agent), Some(most)) = (&of, told) {
        let told = scoped.attachments().tell_of(agent, &id, most.min(MOST_TOLD), reads).await;
        return told.map_or_else(refuse, words);
    }
    answer(match &of {
        Some(agent) => scoped.attachments().open_of(agent, &id).await,
        None => scoped.attachments().open(&id).await,
    })
}

/// They are found anew each time.
fn words(text: String) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    let mut response = (headers, text).into_response();
    put(response.headers_mut(), &FILE_HEADERS);
    response
}

/// A small form of a picture that the viewer brought.
pub async fn open_thumbnail(
    State(state): State<AppState>,
    Extension(facts): Extension<RequestFacts>,
    Path(id): Path<String>,
) -> Response {
    let Some(viewer) = facts.viewer else { return refuse(Error::Unauthenticated) };
    answer(state.hub.for_viewer(&viewer).attachments().open_thumbnail(&AttachmentId(id)).await)
}

fn answer(found: hub::Result<StoredFile>) -> Response {
    let StoredFile { bytes, name, mime } = match found {
        Ok(found) => found,
        Err(error) => return refuse(error),
    };
    // Only what the hub wrote itself is shown, and everything else is saved.
    let (disposition, kind) = match mime.as_str() {
        "image/png" => ("inline", "image/png"),
        "image/jpeg" => ("inline", "image/jpeg"),
        _ => ("attachment", "application/octet-stream"),
    };
    let headers = [(header::CONTENT_TYPE, HeaderValue::from_static(kind)), (header::CACHE_CONTROL, KEPT)];
    let mut response = (headers, bytes).into_response();
    response.headers_mut().insert(header::CONTENT_DISPOSITION, disposed(disposition, &name));
    put(response.headers_mut(), &FILE_HEADERS);
    response
}

/// All of it; `None`: it is longer than `most`. A client that is still sending would not see the answer, so more is read and
/// let go.
pub async fn whole(
    mut body: BodyDataStream,
    room: &mut BodyRoom,
    most: usize,
) -> hub::Result<Option<Vec<u8>>> {
    let (mut bytes, mut seen) = (Vec::new(), 0);
    while let Some(chunk) = body.next().await {
        let chunk = chunk.map_err(|error| Error::invalid(format!("The file did not arrive: {error}.")))?;
        seen += chunk.len();
        if seen > 2 * most {
            break;
        }
        if seen <= most {
            room.grow(chunk.len()).map_err(full)?;
            bytes.extend_from_slice(&chunk);
        }
    }
    Ok((seen <= most).then_some(bytes))
}
