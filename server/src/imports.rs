//! Files with conversations of other products, on their way in: one form with one file.

use crate::archives::{FileForm, one_file, refuse};
use crate::state::AppState;
use app::context::RequestFacts;
use axum::Extension;
use axum::extract::{Multipart, State};
use axum::response::{IntoResponse, Redirect, Response};
use http::header::{self, HeaderMap};
use hub::{Error, LARGEST_ARCHIVE, LARGEST_IMPORT};

const EXPORT: FileForm = FileForm { field: "export", too_large: "The file is larger than 20 MB." };
const _: () = assert!(LARGEST_IMPORT == LARGEST_ARCHIVE, "both forms are read to the same length");

/// Takes a file in. A page goes on to what is in it, or says why there is nothing; a program gets what is in it,
/// or why not.
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
    let uploaded = match one_file(form, &mut room, &EXPORT).await {
        Ok((name, bytes)) => scoped.imports().upload(&name, &bytes).await,
        Err(error) => Err(error),
    };
    let upload = match uploaded {
        Ok(uploaded) => uploaded.upload,
        Err(Error::Limit(_)) if is_page => return Redirect::to("/import?too-large=").into_response(),
        Err(Error::Invalid(_)) if is_page => return Redirect::to("/import?no-file=").into_response(),
        Err(error) => return refuse(error),
    };
    let review = format!("/import/{upload}");
    if is_page {
        return Redirect::to(&review).into_response();
    }
    match scoped.imports().review(&upload).await {
        Ok(reviewed) => ([(header::LOCATION, review)], axum::Json(reviewed)).into_response(),
        Err(error) => refuse(error),
    }
}
