//! Why a program gets no answer, in the shape of each API: status, type, words, and whether to try again.

use protocol::model::{ModelFailure, ModelFailureKind};
use serde_json::{Value, json};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    pub kind: TroubleKind,
    /// A sentence that says what to do.
    pub message: String,
    /// The field of the request that it is about.
    pub field: Option<String>,
    pub retry_after_ms: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TroubleKind {
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
pub struct Problem {
    pub status: u16,
    pub retry_after_ms: Option<u64>,
    /// What clients that try again by themselves go by.
    pub should_retry: bool,
    pub body: String,
}

impl Trouble {
    pub fn new(kind: TroubleKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), field: None, retry_after_ms: None }
    }

    pub(super) fn field(field: &str, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { field: Some(field.to_owned()), ..Self::new(TroubleKind::BadRequest, message) }
    }

    /// What OpenAI calls it, where it has a name.
    pub(super) fn code(&self) -> Option<&'static str> {
        self.in_openai_s_words().2
    }

    fn in_openai_s_words(&self) -> (u16, &'static str, Option<&'static str>) {
        match self.kind {
            TroubleKind::BadRequest => (400, "invalid_request_error", None),
            TroubleKind::ContextTooLong => (400, "invalid_request_error", Some("context_length_exceeded")),
            TroubleKind::TooLarge => (413, "invalid_request_error", None),
            TroubleKind::NoToken => (401, "invalid_request_error", Some("invalid_api_key")),
            TroubleKind::Forbidden => (403, "invalid_request_error", None),
            TroubleKind::NoSuchModel => (404, "invalid_request_error", Some("model_not_found")),
            TroubleKind::NoSuchPlace => (404, "invalid_request_error", Some("unknown_url")),
            TroubleKind::OverBudget => (429, "insufficient_quota", Some("insufficient_quota")),
            TroubleKind::TooOften => (429, "rate_limit_error", Some("rate_limit_exceeded")),
            TroubleKind::Overloaded => (503, "server_error", Some("overloaded")),
            TroubleKind::Upstream => (502, "server_error", Some("provider_failed")),
            TroubleKind::NotConfigured => (502, "server_error", Some("provider_not_configured")),
            TroubleKind::Timeout => (504, "server_error", Some("timeout")),
            TroubleKind::Internal => (500, "server_error", None),
        }
    }

    pub(super) fn as_openai(&self) -> Problem {
        let (status, kind, code) = self.in_openai_s_words();
        let error = json!({ "message": self.message, "type": kind, "param": self.field, "code": code });
        self.problem(status, &json!({ "error": error }))
    }

    pub(super) fn as_anthropic(&self, id: &str) -> Problem {
        let (status, kind) = match self.kind {
            TroubleKind::BadRequest | TroubleKind::ContextTooLong => (400, "invalid_request_error"),
            TroubleKind::TooLarge => (413, "request_too_large"),
            TroubleKind::NoToken => (401, "authentication_error"),
            TroubleKind::Forbidden => (403, "permission_error"),
            TroubleKind::NoSuchModel | TroubleKind::NoSuchPlace => (404, "not_found_error"),
            TroubleKind::OverBudget => (402, "billing_error"),
            TroubleKind::TooOften => (429, "rate_limit_error"),
            TroubleKind::Overloaded => (529, "overloaded_error"),
            TroubleKind::Upstream | TroubleKind::NotConfigured => (502, "api_error"),
            TroubleKind::Timeout => (504, "timeout_error"),
            TroubleKind::Internal => (500, "api_error"),
        };
        let error = json!({ "type": kind, "message": self.message });
        self.problem(status, &json!({ "type": "error", "error": error, "request_id": id }))
    }

    fn problem(&self, status: u16, body: &Value) -> Problem {
        Problem {
            status,
            retry_after_ms: self.retry_after_ms,
            should_retry: self.helps_to_retry(),
            body: body.to_string(),
        }
    }

    fn helps_to_retry(&self) -> bool {
        match self.kind {
            TroubleKind::TooOften
            | TroubleKind::Overloaded
            | TroubleKind::Upstream
            | TroubleKind::Timeout
            | TroubleKind::Internal => true,
            TroubleKind::BadRequest
            | TroubleKind::ContextTooLong
            | TroubleKind::TooLarge
            | TroubleKind::NoToken
            | TroubleKind::Forbidden
            | TroubleKind::NoSuchModel
            | TroubleKind::NoSuchPlace
            | TroubleKind::OverBudget
            | TroubleKind::NotConfigured => false,
        }
    }
}

impl From<ModelFailure> for Trouble {
    fn from(failure: ModelFailure) -> Self {
        let kind = match failure.kind {
            ModelFailureKind::NotConfigured | ModelFailureKind::BadKey | ModelFailureKind::NotThisKind => {
                TroubleKind::NotConfigured
            }
            ModelFailureKind::OverBudget => TroubleKind::OverBudget,
            ModelFailureKind::UnknownModel => TroubleKind::NoSuchModel,
            ModelFailureKind::RateLimited => TroubleKind::TooOften,
            ModelFailureKind::Overloaded => TroubleKind::Overloaded,
            ModelFailureKind::ContextTooLong => TroubleKind::ContextTooLong,
            ModelFailureKind::Refused | ModelFailureKind::BadRequest => TroubleKind::BadRequest,
            ModelFailureKind::Timeout => TroubleKind::Timeout,
            ModelFailureKind::Unreachable
            | ModelFailureKind::Cut
            | ModelFailureKind::Malformed
            | ModelFailureKind::Server
            | ModelFailureKind::Aborted => TroubleKind::Upstream,
        };
        Self { kind, message: failure.message, field: None, retry_after_ms: failure.retry_after_ms }
    }
}
