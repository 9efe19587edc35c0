//! Bodies of server functions: none larger than a megabyte, and JSON turned into the form encoding that
//! server functions take, so that their pages work without JavaScript.

use crate::nodes;
use axum::body::Body;
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;
use http::{HeaderValue, Method, StatusCode, header};
use protocol::{Failure, FailureKind};
use serde_json::Value;
use std::time::Duration;
use tokio::time::timeout;

/// Largest body of a server function, in bytes.
const LIMIT: usize = 1024 * 1024;
/// Bytes that are read of a body that is too large.
const DRAINED: usize = 16 * LIMIT;
/// Values and names in a body.
const NODES: usize = 20_000;
/// How long a body may take to come.
const PATIENCE: Duration = Duration::from_secs(30);

pub async fn accept(request: Request, next: Next) -> Response {
    if request.method() != Method::POST {
        return next.run(request).await;
    }
    let json = is_json(&request);
    let (mut parts, body) = request.into_parts();
    let bytes = match timeout(PATIENCE, read(body)).await {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return refuse(StatusCode::PAYLOAD_TOO_LARGE, "The body is larger than 1 MB."),
        Err(_) => return refuse(StatusCode::REQUEST_TIMEOUT, "The body did not come within 30 seconds."),
    };
    if !json {
        return next.run(Request::from_parts(parts, Body::from(bytes))).await;
    }
    if nodes::count(&bytes) > NODES {
        let message = format!("The body holds more than {NODES} values.");
        return refuse(StatusCode::PAYLOAD_TOO_LARGE, &message);
    }
    let object = match serde_json::from_slice::<Value>(&bytes) {
        Ok(Value::Object(object)) => object,
        Ok(_) => return refuse(StatusCode::UNPROCESSABLE_ENTITY, "The body is not a JSON object."),
        Err(error) => {
            return refuse(
                StatusCode::UNPROCESSABLE_ENTITY,
                &format!("The body is not valid JSON: {error}."),
            );
        }
    };
    let Ok(form) = serde_qs::to_string(&object) else {
        return refuse(StatusCode::UNPROCESSABLE_ENTITY, "The body cannot be read as arguments.");
    };
    parts.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
    parts.headers.remove(header::CONTENT_LENGTH);
    next.run(Request::from_parts(parts, Body::from(form))).await
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
        if seen <= LIMIT {
            kept.extend_from_slice(&chunk);
        }
    }
    (seen <= LIMIT).then(|| kept.freeze())
}

fn is_json(request: &Request) -> bool {
    let kind =
        request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
}

fn refuse(status: StatusCode, message: &str) -> Response {
    (status, axum::Json(Failure::new(FailureKind::Invalid, message))).into_response()
}
