//! Messages of JSON-RPC, as both protocols have them.

use crate::event_stream::kept_alive;
use axum::body::Body;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream::{BoxStream, StreamExt};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName};
use http::{HeaderValue, StatusCode};
use hub::{ApiError, ApiErrorKind, Error};
use protocol::FailureKind;
use serde_json::{Value, json};

pub(super) const PARSE: i64 = -32_700;
pub(super) const INVALID_REQUEST: i64 = -32_600;
pub(super) const NO_METHOD: i64 = -32_601;
pub(super) const INVALID_PARAMS: i64 = -32_602;
pub(super) const INTERNAL: i64 = -32_603;

/// Largest body, in megabytes: a message has a quarter of one at most.
pub(super) const MEGABYTES: usize = 1;

pub(super) struct Request {
    pub(super) id: Value,
    pub(super) method: String,
    pub(super) params: Value,
}

pub(super) enum Message {
    Request(Request),
    Notification { method: String, params: Value },
}

impl Message {
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, RpcError> {
        let invalid = |words: &str| Err(RpcError::new(INVALID_REQUEST, words));
        let mut message = match serde_json::from_slice(bytes) {
            Ok(Value::Object(message)) => message,
            Ok(Value::Array(_)) => return invalid("Send one message at a time: no list of them is taken."),
            Ok(_) => return invalid("A message is an object."),
            Err(error) => return Err(RpcError::new(PARSE, format!("The body is not valid JSON: {error}."))),
        };
        if message.get("jsonrpc") != Some(&json!("2.0")) {
            return invalid("A message says \"jsonrpc\": \"2.0\".");
        }
        let Some(Value::String(method)) = message.remove("method") else {
            return invalid("A message names its method. This hub asks nothing, so it takes no answers.");
        };
        let params = message.remove("params").unwrap_or_else(|| json!({}));
        if !params.is_object() {
            return invalid("Parameters are an object.");
        }
        match message.remove("id") {
            None => Ok(Self::Notification { method, params }),
            Some(id) if id.is_string() || id.is_i64() || id.is_u64() => {
                Ok(Self::Request(Request { id, method, params }))
            }
            Some(_) => invalid("The id of a request is a text or a whole number."),
        }
    }
}

/// What goes back instead of a result.
#[derive(Clone, Debug)]
pub(super) struct RpcError {
    pub(super) status: StatusCode,
    pub(super) code: i64,
    pub(super) message: String,
    pub(super) data: Option<Value>,
}

impl RpcError {
    /// With the status of its code; those that a protocol has of its own go with 200.
    pub(super) fn new(code: i64, message: impl Into<String>) -> Self {
        let status = match code {
            PARSE | INVALID_REQUEST => StatusCode::BAD_REQUEST,
            _ => StatusCode::OK,
        };
        Self { status, code, message: message.into(), data: None }
    }

    pub(super) fn value(&self, id: Option<&Value>) -> Value {
        let mut error = json!({ "code": self.code, "message": self.message });
        if let Some(data) = &self.data {
            error["data"] = data.clone();
        }
        json!({ "jsonrpc": "2.0", "id": id, "error": error })
    }

    pub(super) fn response(&self, id: Option<&Value>) -> Response {
        (self.status, axum::Json(self.value(id))).into_response()
    }
}

/// A body that was not taken in.
impl From<ApiError> for RpcError {
    fn from(trouble: ApiError) -> Self {
        let (status, code) = match trouble.kind {
            ApiErrorKind::TooLarge => (StatusCode::PAYLOAD_TOO_LARGE, INVALID_REQUEST),
            ApiErrorKind::TooOften => (StatusCode::TOO_MANY_REQUESTS, INTERNAL),
            ApiErrorKind::Overloaded => (StatusCode::SERVICE_UNAVAILABLE, INTERNAL),
            _ => (StatusCode::BAD_REQUEST, INVALID_REQUEST),
        };
        Self { status, ..Self::new(code, trouble.message) }
    }
}

impl From<Error> for RpcError {
    fn from(error: Error) -> Self {
        let failure = error.into_failure();
        let words = failure.to_string();
        match failure.kind {
            FailureKind::Invalid | FailureKind::NotFound | FailureKind::Limit | FailureKind::Conflict => {
                Self::new(INVALID_PARAMS, words)
            }
            _ => Self::new(INTERNAL, words),
        }
    }
}

pub(super) fn answer(id: &Value, result: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

/// Messages as events, each of which leaves at once.
pub(super) fn events(messages: BoxStream<'static, Value>) -> Response {
    let frames = messages.map(|message| Bytes::from(format!("event: message\ndata: {message}\n\n")));
    let mut response = Response::new(Body::from_stream(kept_alive(frames.boxed())));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    // A proxy that gathers them would hold the words back.
    headers.insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_one_message_or_is_refused() {
        for (body, code) in [
            ("{", PARSE),
            ("[]", INVALID_REQUEST),
            (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, INVALID_REQUEST),
            ("7", INVALID_REQUEST),
            (r#"{"id":1,"method":"ping"}"#, INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":1}"#, INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#, INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}"#, INVALID_REQUEST),
        ] {
            let Err(refused) = Message::parse(body.as_bytes()) else { panic!("{body} is taken") };
            assert_eq!((refused.code, refused.status), (code, StatusCode::BAD_REQUEST), "{body}");
        }
        for (body, is_request) in [
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, true),
            (r#"{"jsonrpc":"2.0","id":"a","method":"ping","params":{}}"#, true),
            (r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, false),
        ] {
            let message = Message::parse(body.as_bytes()).ok().unwrap();
            assert_eq!(matches!(message, Message::Request(_)), is_request, "{body}");
        }
    }
}
