//! Bodies of server functions: none larger than a megabyte, and of JSON an object that is not dear to read.

use crate::nodes;
use axum::body::Body;
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;
use http::{Method, StatusCode, header};
use protocol::{Failure, FailureKind};
use serde_json::Value;
use std::time::Duration;
use tokio::time::timeout;

/// Largest body of a server function, in bytes.
const MAX_BODY_BYTES: usize = 1024 * 1024;
/// Bytes that are read of a body that is too large.
const DRAINED: usize = 16 * MAX_BODY_BYTES;
/// Values and names in a body.
const MAX_NODES: usize = 20_000;
/// How long a body may take to come.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

pub async fn accept(request: Request, next: Next) -> Response {
    if request.method() != Method::POST {
        return next.run(request).await;
    }
    let json = is_json(&request);
    let (parts, body) = request.into_parts();
    let bytes = match timeout(BODY_TIMEOUT, read(body)).await {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return refuse(StatusCode::PAYLOAD_TOO_LARGE, "The body is larger than 1 MB."),
        Err(_) => return refuse(StatusCode::REQUEST_TIMEOUT, "The body did not come within 30 seconds."),
    };
    if json && let Some(refused) = refusal(&bytes) {
        return refused;
    }
    next.run(Request::from_parts(parts, Body::from(bytes))).await
}

/// Why such JSON is not read.
fn refusal(bytes: &[u8]) -> Option<Response> {
    if nodes::count(bytes) > MAX_NODES {
        let message = format!("The body holds more than {MAX_NODES} values.");
        return Some(refuse(StatusCode::PAYLOAD_TOO_LARGE, &message));
    }
    let words = match serde_json::from_slice::<Value>(bytes) {
        Ok(Value::Object(_)) => return None,
        Ok(_) => "The body is not a JSON object.".to_owned(),
        Err(error) => format!("The body is not valid JSON: {error}."),
    };
    Some(refuse(StatusCode::UNPROCESSABLE_ENTITY, &words))
}

/// The whole body, unless it is too large. A moderately large one is read to its end all the same:
/// a client that is still sending would not see the answer.
async fn read(body: Body) -> Option<Bytes> {
    let mut chunks = body.into_data_stream();
    let (mut kept, mut seen) = (BytesMut::new(), 0);
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.ok()?;
        seen += chunk.len();
        if seen > DRAINED {
            break;
        }
        if seen <= MAX_BODY_BYTES {
            kept.extend_from_slice(&chunk);
        }
    }
    (seen <= MAX_BODY_BYTES).then(|| kept.freeze())
}

fn is_json(request: &Request) -> bool {
    let kind =
        request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    app::is_json(kind)
}

fn refuse(status: StatusCode, message: &str) -> Response {
    (status, axum::Json(Failure::new(FailureKind::Invalid, message))).into_response()
}
