//! Files with conversations of other products, on their way in: one form with one file.

use crate::forms::{self, FileForm, refuse};
use crate::state::AppState;
use app::context::RequestFacts;
use axum::Extension;
use axum::extract::{Multipart, State};
use axum::response::Response;
use http::header::HeaderMap;
use hub::Error;

const EXPORT: FileForm =
    FileForm { field: "export", too_large: "The file is larger than 20 MB.", page: "/import" };

/// Takes a file in. A page goes on to what is in it, or says why there is nothing; a program gets what is in it,
/// or why not.
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
    let uploaded = match forms::one_file(form, &mut room, &EXPORT).await {
        Ok((name, bytes)) => scoped.imports().upload(&name, &bytes).await,
        Err(error) => Err(error),
    };
    let uploaded = match uploaded {
        Ok(uploaded) => uploaded.upload,
        Err(error) => return forms::sent_back(is_page, EXPORT.page, error),
    };
    forms::to_review(is_page, format!("/import/{uploaded}"), scoped.imports().review(&uploaded)).await
}
