//! Speech of a conversation, on its way through the hub: a sound in and its words out, words in and their sound out. Keys
//! and addresses of the endpoints stay in the hub.

use crate::attachments::whole;
use crate::files::FILE_HEADERS;
use crate::forms::refuse;
use crate::middleware::put;
use crate::state::AppState;
use app::context::RequestFacts;
use axum::body::Body;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use futures_util::StreamExt;
use http::header::{self, HeaderMap, HeaderValue};
use hub::{Error, LARGEST_SOUND};
use protocol::AgentId;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use tokio::time::timeout;

/// How long a sound may take to come.
const WHOLE: Duration = Duration::from_secs(60);

#[derive(Debug, Deserialize)]
pub struct Recording {
    agent: AgentId,
    /// How long it is, in seconds, as the page measured it.
    #[serde(default)]
    seconds: u64,
}

#[derive(Debug, Serialize)]
struct Heard {
    text: String,
}

#[derive(Debug, Deserialize)]
pub struct Words {
    agent: AgentId,
    text: String,
}

/// `POST /speech/hear?agent=…&seconds=…`, with the sound as the body.
pub async fn hear(
    State(state): State<AppState>,
    Extension(facts): Extension<RequestFacts>,
    Query(Recording { agent, seconds }): Query<Recording>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let Some(viewer) = facts.viewer else { return refuse(Error::Unauthenticated) };
    // It is kept until the endpoint has answered.
    let mut room = state.limits.body(&viewer);
    let read = timeout(WHOLE, whole(body.into_data_stream(), &mut room, LARGEST_SOUND)).await;
    let late = || Err(Error::invalid("The sound did not come to its end within a minute. Send it again."));
    let mime = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let speech = state.hub.for_viewer(&viewer).speech();
    let heard = match read.unwrap_or_else(|_| late()) {
        Ok(Some(bytes)) => speech.hear(&agent, mime, bytes, seconds).await,
        Ok(None) => {
            Err(Error::Limit("A recording can have 4 MB, which is two minutes. Say it in parts.".to_owned()))
        }
        Err(error) => Err(error),
    };
    match heard {
        Ok(text) => Json(Heard { text }).into_response(),
        Err(error) => refuse(error),
    }
}

/// `POST /speech/say`, with the agent and the text as JSON.
pub async fn say(
    State(state): State<AppState>,
    Extension(facts): Extension<RequestFacts>,
    words: Result<Json<Words>, JsonRejection>,
) -> Response {
    let Some(viewer) = facts.viewer else { return refuse(Error::Unauthenticated) };
    let Ok(Json(Words { agent, text })) = words else {
        return refuse(Error::invalid("Send the agent and the text as JSON."));
    };
    match state.hub.for_viewer(&viewer).speech().speak(&agent, &text).await {
        Ok(sound) => {
            // The page decodes it; whatever the endpoint calls it, nothing of it is shown or run.
            let kind = HeaderValue::from_static("application/octet-stream");
            let bytes = sound.map(|part| part.map_err(|error| error.to_string()));
            let mut response = ([(header::CONTENT_TYPE, kind)], Body::from_stream(bytes)).into_response();
            put(response.headers_mut(), &FILE_HEADERS);
            response
        }
        Err(error) => refuse(error),
    }
}
