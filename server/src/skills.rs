//! Skills on their way into quarantine: one form with one file.

use crate::forms::{self, FileForm, refuse};
use crate::state::AppState;
use app::context::RequestFacts;
use app::skills::api::WriteSkill;
use axum::Extension;
use axum::extract::{Multipart, State};
use axum::response::Response;
use http::header::HeaderMap;
use hub::Error;
use leptos::server_fn::ServerFn;

const SKILL: FileForm =
    FileForm { field: "skill", too_large: "The file is larger than 20 MB.", page: "/skills" };

/// Takes a file in. A page goes on to what was found in it, or says why there is nothing; a program gets it, or why
/// not.
pub async fn upload(
    State(state): State<AppState>,
    Extension(facts): Extension<RequestFacts>,
    headers: HeaderMap,
    form: Multipart,
) -> Response {
    let is_page = forms::is_page(&headers);
    let Some(viewer) = facts.viewer.clone() else { return refuse(Error::Unauthenticated) };
    let skills = state.hub.for_viewer(&viewer).skills();
    let mut room = state.limits.body(&viewer);
    let taken = match forms::one_file(form, &mut room, &SKILL).await {
        Ok((name, bytes)) => skills.upload(&name, bytes).await,
        Err(error) => Err(error),
    };
    match taken {
        Ok(id) => forms::to_review(is_page, format!("/skills/{id}"), skills.get(&id)).await,
        Err(error) => forms::sent_back_by(is_page, &facts, SKILL.page, WriteSkill::PATH, error),
    }
}
