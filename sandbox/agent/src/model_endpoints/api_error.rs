//! Why a program gets no answer, in the shape of each API: status, type, words, and whether to try again.

use protocol::model::{ModelFailure, ModelFailureKind};
use serde_json::{Value, json};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiError {
    pub kind: ApiErrorKind,
    /// A sentence that says what to do.
    pub message: String,
    /// The field of the request that it is about.
    pub field: Option<String>,
    pub retry_after_ms: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApiErrorKind {
    BadRequest,
    ContextTooLong,
    TooLarge,
    /// No token came with the request, or none that is good.
    NoToken,
    /// The token may not do this.
    Forbidden,
    NoSuchModel,
    /// The API has nothing at this address, or not in this way.
    NoSuchPlace,
    /// A limit on spending is in the way: trying again does not help.
    OverBudget,
    TooOften,
    Overloaded,
    /// The provider cannot be reached, or its answer cannot be used.
    Upstream,
    /// The provider has to be set up first: trying again does not help.
    NotConfigured,
    Timeout,
    Internal,
}

/// An error as it goes to the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorResponse {
    pub status: u16,
    pub retry_after_ms: Option<u64>,
    /// What clients that try again by themselves go by.
    pub should_retry: bool,
    pub body: String,
}

impl ApiError {
    pub fn new(kind: ApiErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), field: None, retry_after_ms: None }
    }

    pub(super) fn field(field: &str, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { field: Some(field.to_owned()), ..Self::new(ApiErrorKind::BadRequest, message) }
    }

    /// What OpenAI calls it, where it has a name.
    pub(super) fn code(&self) -> Option<&'static str> {
        self.in_openai_s_words().2
    }

    fn in_openai_s_words(&self) -> (u16, &'static str, Option<&'static str>) {
        match self.kind {
            ApiErrorKind::BadRequest => (400, "invalid_request_error", None),
            ApiErrorKind::ContextTooLong => (400, "invalid_request_error", Some("context_length_exceeded")),
            ApiErrorKind::TooLarge => (413, "invalid_request_error", None),
            ApiErrorKind::NoToken => (401, "invalid_request_error", Some("invalid_api_key")),
            ApiErrorKind::Forbidden => (403, "invalid_request_error", None),
            ApiErrorKind::NoSuchModel => (404, "invalid_request_error", Some("model_not_found")),
            ApiErrorKind::NoSuchPlace => (404, "invalid_request_error", Some("unknown_url")),
            ApiErrorKind::OverBudget => (429, "insufficient_quota", Some("insufficient_quota")),
            ApiErrorKind::TooOften => (429, "rate_limit_error", Some("rate_limit_exceeded")),
            ApiErrorKind::Overloaded => (503, "server_error", Some("overloaded")),
            ApiErrorKind::Upstream => (502, "server_error", Some("provider_failed")),
            ApiErrorKind::NotConfigured => (502, "server_error", Some("provider_not_configured")),
            ApiErrorKind::Timeout => (504, "server_error", Some("timeout")),
            ApiErrorKind::Internal => (500, "server_error", None),
        }
    }

    pub(super) fn as_openai(&self) -> ErrorResponse {
        let (status, kind, code) = self.in_openai_s_words();
        let error = json!({ "message": self.message, "type": kind, "param": self.field, "code": code });
        self.problem(status, &json!({ "error": error }))
    }

    pub(super) fn as_anthropic(&self, id: &str) -> ErrorResponse {
        let (status, kind) = match self.kind {
            ApiErrorKind::BadRequest | ApiErrorKind::ContextTooLong => (400, "invalid_request_error"),
            ApiErrorKind::TooLarge => (413, "request_too_large"),
            ApiErrorKind::NoToken => (401, "authentication_error"),
            ApiErrorKind::Forbidden => (403, "permission_error"),
            ApiErrorKind::NoSuchModel | ApiErrorKind::NoSuchPlace => (404, "not_found_error"),
            ApiErrorKind::OverBudget => (402, "billing_error"),
            ApiErrorKind::TooOften => (429, "rate_limit_error"),
            ApiErrorKind::Overloaded => (529, "overloaded_error"),
            ApiErrorKind::Upstream | ApiErrorKind::NotConfigured => (502, "api_error"),
            ApiErrorKind::Timeout => (504, "timeout_error"),
            ApiErrorKind::Internal => (500, "api_error"),
        };
        let error = json!({ "type": kind, "message": self.message });
        self.problem(status, &json!({ "type": "error", "error": error, "request_id": id }))
    }

    fn problem(&self, status: u16, body: &Value) -> ErrorResponse {
        ErrorResponse {
            status,
            retry_after_ms: self.retry_after_ms,
            should_retry: self.helps_to_retry(),
            body: body.to_string(),
        }
    }

    fn helps_to_retry(&self) -> bool {
        match self.kind {
            ApiErrorKind::TooOften
            | ApiErrorKind::Overloaded
            | ApiErrorKind::Upstream
            | ApiErrorKind::Timeout
            | ApiErrorKind::Internal => true,
            ApiErrorKind::BadRequest
            | ApiErrorKind::ContextTooLong
            | ApiErrorKind::TooLarge
            | ApiErrorKind::NoToken
            | ApiErrorKind::Forbidden
            | ApiErrorKind::NoSuchModel
            | ApiErrorKind::NoSuchPlace
            | ApiErrorKind::OverBudget
            | ApiErrorKind::NotConfigured => false,
        }
    }
}

impl From<ModelFailure> for ApiError {
    fn from(failure: ModelFailure) -> Self {
        let kind = match failure.kind {
            ModelFailureKind::NotConfigured | ModelFailureKind::BadKey | ModelFailureKind::NotThisKind => {
                ApiErrorKind::NotConfigured
            }
            ModelFailureKind::OverBudget => ApiErrorKind::OverBudget,
            ModelFailureKind::UnknownModel => ApiErrorKind::NoSuchModel,
            ModelFailureKind::RateLimited => ApiErrorKind::TooOften,
            ModelFailureKind::Overloaded => ApiErrorKind::Overloaded,
            ModelFailureKind::ContextTooLong => ApiErrorKind::ContextTooLong,
            ModelFailureKind::Refused | ModelFailureKind::BadRequest => ApiErrorKind::BadRequest,
            ModelFailureKind::Timeout => ApiErrorKind::Timeout,
            ModelFailureKind::Unreachable
            | ModelFailureKind::Cut
            | ModelFailureKind::Malformed
            | ModelFailureKind::Server
            | ModelFailureKind::Aborted => ApiErrorKind::Upstream,
        };
        Self { kind, message: failure.message, field: None, retry_after_ms: failure.retry_after_ms }
    }
}
