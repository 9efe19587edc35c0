//! Which models there are, in the shape of whoever asks.

use super::{Caller, no_token, refuse, reply};
use crate::state::AppState;
use app::context::RequestFacts;
use axum::Extension;
use axum::extract::{Path, State};
use axum::response::Response;
use http::HeaderMap;
use hub::{Api, ApiError, ApiErrorKind, NamedModel, Program, Reply};
use serde_json::{Value, json};

/// `GET /v1/models`.
pub async fn models(
    State(state): State<AppState>,
    Extension(Caller(program)): Extension<Caller>,
    Extension(facts): Extension<RequestFacts>,
    headers: HeaderMap,
) -> Response {
    let api = api_of(&headers);
    match named(&state, program, &facts).await {
        Ok(models) => reply::send(Reply::immediate(list(api, &models).to_string())),
        Err(trouble) => refuse(api, &trouble),
    }
}

/// `GET /v1/models/{id}`. Names hold slashes.
pub async fn model(
    State(state): State<AppState>,
    Extension(Caller(program)): Extension<Caller>,
    Extension(facts): Extension<RequestFacts>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response {
    let api = api_of(&headers);
    let found = named(&state, program, &facts).await.and_then(|models| {
        let found = models.into_iter().find(|model| model.id == id);
        found.ok_or_else(|| {
            let message = format!("There is no model {id} here. GET /v1/models lists what there is.");
            ApiError::new(ApiErrorKind::NoSuchModel, message)
        })
    });
    match found {
        Ok(model) => reply::send(Reply::immediate(shown(api, &model).to_string())),
        Err(trouble) => refuse(api, &trouble),
    }
}

async fn named(
    state: &AppState,
    program: Option<Program>,
    facts: &RequestFacts,
) -> Result<Vec<NamedModel>, ApiError> {
    let program = program.ok_or_else(|| no_token(&facts.origin))?;
    let models = state.hub.for_program(&program).models().await;
    models.map_err(ApiError::from)
}

/// Both makers' clients ask at the same address.
fn api_of(headers: &HeaderMap) -> Api {
    if headers.contains_key("anthropic-version") { Api::Messages } else { Api::Chat }
}

/// All of them at once: there is no next page.
fn list(api: Api, models: &[NamedModel]) -> Value {
    let data: Vec<Value> = models.iter().map(|model| shown(api, model)).collect();
    let id = |model: Option<&NamedModel>| model.map(|model| model.id.clone());
    match api {
        Api::Chat | Api::Responses => json!({ "object": "list", "data": data }),
        Api::Messages => json!({
            "data": data,
            "has_more": false,
            "first_id": id(models.first()),
            "last_id": id(models.last()),
        }),
    }
}

/// When a model was made is not known here.
fn shown(api: Api, model: &NamedModel) -> Value {
    let NamedModel { id, owner } = model;
    match api {
        Api::Chat | Api::Responses => json!({ "id": id, "object": "model", "created": 0, "owned_by": owner }),
        Api::Messages => json!({
            "type": "model",
            "id": id,
            "display_name": id,
            "created_at": "1970-01-01T00:00:00Z",
        }),
    }
}
