//! Takes in what is delivered to schedules. Whoever sends it has no session and no token: the secret of the
//! schedule is all that is believed.

use crate::forms::{full, refuse};
use crate::limits::BodyRoom;
use crate::state::AppState;
use axum::body::{Body, BodyDataStream};
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use http::{HeaderMap, StatusCode, header};
use hub::{Delivered, DeliveryHeaders, Error, LARGEST_DELIVERY};
use protocol::{Failure, FailureKind, ScheduleId};
use serde_json::json;
use std::time::Duration;
use tokio::time::timeout;

/// How long a delivery may take to come.
const WHOLE: Duration = Duration::from_secs(30);

/// Answers once it is on the disk. The same one again is answered well, and nothing comes of it.
pub async fn deliver(
    State(state): State<AppState>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let id = ScheduleId(id);
    let owner = match state.hub.webhooks().require(&id).await {
        Ok(owner) => owner,
        Err(error) => return refuse(error),
    };
    let text = |name: &str| Some(headers.get(name)?.to_str().ok()?.to_owned());
    let length = text(header::CONTENT_LENGTH.as_str()).and_then(|length| length.parse::<usize>().ok());
    if length.is_some_and(|length| length > 2 * LARGEST_DELIVERY) {
        return too_large();
    }
    let mut room = state.limits.delivery(owner);
    let body = match timeout(WHOLE, whole(body.into_data_stream(), &mut room)).await {
        Ok(Ok(Some(body))) => body,
        Ok(Ok(None)) => return too_large(),
        Ok(Err(error)) => return refuse(error),
        Err(_) => {
            let seconds = WHOLE.as_secs();
            return refuse(Error::invalid(format!(
                "The delivery did not come to its end in {seconds} seconds. Send it again."
            )));
        }
    };
    match state.hub.webhooks().deliver(&id, &DeliveryHeaders::read(text), &body).await {
        Ok(Delivered::Taken) => (StatusCode::ACCEPTED, axum::Json(json!({ "taken": true }))).into_response(),
        Ok(Delivered::Repeated) => (StatusCode::OK, axum::Json(json!({ "taken": false }))).into_response(),
        Err(error) => refuse(error),
    }
}

fn too_large() -> Response {
    let failure = Failure::new(FailureKind::Limit, "A delivery can have 256 KB.");
    (StatusCode::PAYLOAD_TOO_LARGE, axum::Json(failure)).into_response()
}

/// `None`: it is too large. A client that is still sending would not see the answer, so more is read and let go.
async fn whole(mut body: BodyDataStream, room: &mut BodyRoom) -> hub::Result<Option<Vec<u8>>> {
    let (mut bytes, mut seen) = (Vec::new(), 0);
    while let Some(chunk) = body.next().await {
        let chunk =
            chunk.map_err(|error| Error::invalid(format!("The delivery did not arrive: {error}.")))?;
        seen += chunk.len();
        if seen > 2 * LARGEST_DELIVERY {
            break;
        }
        if seen <= LARGEST_DELIVERY {
            room.grow(chunk.len()).map_err(full)?;
            bytes.extend_from_slice(&chunk);
        }
    }
    Ok((seen <= LARGEST_DELIVERY).then_some(bytes))
}
