//! The feed of an agent as server-sent events, for other programs.

use crate::limits::ConcurrencyPermit;
use crate::socket::too_many;
use crate::state::AppState;
use app::context::RequestFacts;
use axum::Extension;
use axum::extract::{Path, Query, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use http::{HeaderMap, StatusCode};
use hub::{Tab, clock};
use protocol::{AgentId, TabId, UserId};
use serde::Deserialize;
use std::convert::Infallible;

#[derive(Debug, Deserialize)]
pub struct After {
    after: Option<u64>,
}

/// `GET /api/agents/{agent}/events?after=n`: entries after `n`, then live. An entry's event id is its
/// `seq`, so that a client which reconnects with `Last-Event-ID` misses nothing.
pub async fn follow(
    State(state): State<AppState>,
    Extension(facts): Extension<RequestFacts>,
    Path(agent): Path<String>,
    Query(After { after }): Query<After>,
    headers: HeaderMap,
) -> Response {
    let Some(viewer) = facts.viewer else { return StatusCode::UNAUTHORIZED.into_response() };
    let Some(place) = state.limits.socket(&viewer) else { return too_many() };
    let resumed = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    let tab = match state.hub.open_tab(viewer, TabId(clock::new_id())) {
        Ok(mut tab) => tab.follow(&AgentId(agent), resumed.or(after).unwrap_or(0)).await.map(|()| tab),
        Err(error) => Err(error),
    };
    match tab {
        Ok(tab) => {
            Sse::new(stream::unfold((tab, place), next)).keep_alive(KeepAlive::default()).into_response()
        }
        Err(error) => {
            let failure = error.into_failure();
            (app::status_of(failure.kind), axum::Json(failure)).into_response()
        }
    }
}

type Following = (Tab, ConcurrencyPermit<UserId>);

async fn next((mut tab, place): Following) -> Option<(Result<Event, Infallible>, Following)> {
    let frame = tab.next().await?;
    let mut event = Event::default().data(String::from_utf8_lossy(&frame.text));
    if let Some(seq) = frame.seq {
        event = event.id(seq.to_string());
    }
    Some((Ok(event), (tab, place)))
}
