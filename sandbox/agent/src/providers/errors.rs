//! What an error of a provider's means and what a person can do about it. The names that a wire
//! gives to errors within a stream are in that wire's own file.

use protocol::model::{ModelFailure, ModelFailureKind};
use protocol::{told, words};
use serde_json::Value;

mod quote;

/// The error object of a provider's, whichever of the usual shapes it has.
#[derive(Debug, Default)]
pub(super) struct Complaint {
    message: String,
    /// Type and code, in lower case.
    pub(super) codes: Vec<String>,
    /// An HTTP status that the object itself names.
    pub(super) status: Option<u16>,
}

impl Complaint {
    pub(super) fn of(value: &Value) -> Self {
        let value = match value {
            Value::Array(list) => list.first().unwrap_or(&Value::Null),
            other => other,
        };
        let error = match value.get("error") {
            Some(error) if !error.is_null() => error,
            _ => value,
        };
        let message = ["message", "detail", "error", "msg"]
            .iter()
            .find_map(|key| error.get(key).or_else(|| value.get(key))?.as_str())
            .or_else(|| error.as_str())
            .unwrap_or_default();
        let fields = ["type", "code", "status"].map(|key| error.get(key).unwrap_or(&Value::Null));
        Self {
            message: message.to_owned(),
            codes: fields.iter().filter_map(|field| field.as_str()).map(str::to_lowercase).collect(),
            status: fields.iter().find_map(|field| status_in(field)),
        }
    }

    pub(super) fn has_code(&self, code: &str) -> bool {
        self.codes.iter().any(|known| known == code)
    }

    fn mentions(&self, words: &[&str]) -> bool {
        let message = self.message.to_lowercase();
        words.iter().any(|word| message.contains(word))
    }

    fn is_out_of_credit(&self) -> bool {
        self.has_code("insufficient_quota")
            || self.mentions(&["insufficient balance", "credit balance", "insufficient credits"])
    }

    fn is_too_long(&self) -> bool {
        self.has_code("context_length_exceeded")
            || self.mentions(&[
                "context length",
                "context window",
                "context size",
                "maximum context",
                "prompt is too long",
                "input is too long",
                "reduce the length",
                "exceeds the maximum number of tokens",
            ])
    }

    fn is_about_the_model(&self) -> bool {
        let is_coded = ["model_not_found", "invalid_model", "model_not_available"];
        if is_coded.iter().any(|code| self.has_code(code)) {
            return true;
        }
        self.mentions(&["model"])
            && self.mentions(&[
                "not found",
                "not exist",
                "not_found",
                "unknown model",
                "invalid model",
                "no such model",
                "model:",
                "not a valid model",
            ])
    }

    fn is_about_the_key(&self) -> bool {
        self.mentions(&["incorrect api key", "invalid api key", "api key not valid", "api key not found"])
    }

    fn is_about_content(&self) -> bool {
        ["content_filter", "content_policy_violation"].iter().any(|code| self.has_code(code))
    }
}

pub(super) fn of_response(status: u16, retry_after: Option<&str>, body: &[u8]) -> ModelFailure {
    let complaint = serde_json::from_slice(body).map(|value| Complaint::of(&value)).unwrap_or_default();
    let mut failure = explain(status, &complaint);
    failure.retry_after_ms = retry_after.and_then(parse_retry_after);
    failure
}

/// The same, with when the provider takes calls again, where it says so.
pub(super) fn say_when(failure: ModelFailure) -> ModelFailure {
    let Some(milliseconds @ 1..) = failure.retry_after_ms else { return failure };
    let said = &failure.message;
    let message = match milliseconds.div_ceil(1000) {
        1 => told!("{said} It asks to wait 1 second."),
        seconds => told!("{said} It asks to wait {seconds} seconds."),
    };
    ModelFailure { message, ..failure }
}

/// An error that came within a stream, under the status that it would have had.
pub(super) fn in_band(status: u16, complaint: &Complaint) -> ModelFailure {
    explain(status, complaint)
}

/// A body of a good status that is no event stream but JSON or a page.
pub(super) fn of_unstreamed(body: &[u8]) -> ModelFailure {
    if let Ok(value) = serde_json::from_slice::<Value>(body)
        && value.get("error").is_some_and(|error| !error.is_null())
    {
        let complaint = Complaint::of(&value);
        return explain(complaint.status.unwrap_or(500), &complaint);
    }
    not_this_kind(words!("The server answered, but not with a stream of this kind."))
}

pub(super) fn not_this_kind(what: &str) -> ModelFailure {
    failure(ModelFailureKind::NotThisKind, told!("{what} Check the provider's base URL and kind."))
}

/// A reply that ended, or began anew, in the middle.
pub(super) fn cut() -> ModelFailure {
    failure(
        ModelFailureKind::Cut,
        words!("The provider's reply broke off before its end. Try again.").to_owned(),
    )
}

/// A call that the provider itself could not read.
pub(super) fn unreadable_call() -> ModelFailure {
    failure(
        ModelFailureKind::Malformed,
        words!("The model called a tool in a form that cannot be read. Try again, or choose another model.")
            .to_owned(),
    )
}

fn explain(status: u16, complaint: &Complaint) -> ModelFailure {
    use ModelFailureKind::*;
    let may_be_the_request = matches!(status, 400 | 404 | 413 | 422 | 500);
    let status = if status == 400 && complaint.is_about_the_key() { 401 } else { status };
    let (kind, sentence) = if status == 402 || complaint.is_out_of_credit() {
        (
            BadRequest,
            words!(
                "The account at the provider has no credit left. Add credit there, or choose another \
             provider."
            ),
        )
    } else if complaint.is_about_content() {
        (
            Refused,
            words!(
                "The provider refused this conversation under its content rules. Say it differently, \
             or choose another model."
            ),
        )
    } else if status == 413 || (may_be_the_request && complaint.is_too_long()) {
        (
            ContextTooLong,
            words!(
                "The conversation is too long for this model. Start a new one, or choose a model with \
             a larger context."
            ),
        )
    } else if matches!(status, 400 | 404 | 422) && complaint.is_about_the_model() {
        (
            UnknownModel,
            words!("The provider does not have this model. Choose another one in the agent's settings."),
        )
    } else {
        by_status(status)
    };
    let message = match kind {
        // Providers repeat parts of a wrong key.
        BadKey if status == 401 => sentence.to_owned(),
        _ => quote::append(sentence, &complaint.message),
    };
    failure(kind, message)
}

fn by_status(status: u16) -> (ModelFailureKind, &'static str) {
    use ModelFailureKind::*;
    match status {
        401 => (
            BadKey,
            words!("The provider did not accept the key. Enter a valid key in the provider's settings."),
        ),
        403 => (
            BadKey,
            words!(
                "The provider does not let this key do that. Check what the key is allowed to do, or \
             enter another one."
            ),
        ),
        300..=399 => (
            NotThisKind,
            words!("The server sent us elsewhere. Enter the final address as the provider's base URL."),
        ),
        404 | 405 => (
            NotThisKind,
            words!("The server has nothing at this address. Check the provider's base URL and kind."),
        ),
        408 => (Timeout, words!("The provider waited too long. Try again.")),
        429 => (RateLimited, words!("The provider wants fewer requests. Wait a little, then try again.")),
        503 | 529 => (
            Overloaded,
            words!("The provider is overloaded. Try again in a minute, or choose another model."),
        ),
        500..=599 => (Server, words!("Something went wrong at the provider. Try again in a minute.")),
        _ => (
            BadRequest,
            words!("The provider did not accept the request. Check the agent's model and settings."),
        ),
    }
}

fn failure(kind: ModelFailureKind, message: String) -> ModelFailure {
    ModelFailure { kind, message, retry_after_ms: None }
}

fn status_in(field: &Value) -> Option<u16> {
    let status = match field {
        Value::Number(number) => number.as_u64()?,
        Value::String(text) => text.parse().ok()?,
        _ => return None,
    };
    u16::try_from(status).ok().filter(|status| (400..600).contains(status))
}

/// Seconds, whole or with a fraction, up to a day. A date would take a clock to read.
pub(super) fn parse_retry_after(text: &str) -> Option<u64> {
    const DAY_SECONDS: f64 = 86_400.0;
    let seconds: f64 = text.trim().parse().ok()?;
    if !(0.0..=DAY_SECONDS).contains(&seconds) {
        return None;
    }
    Some((seconds * 1000.0).ceil() as u64)
}
