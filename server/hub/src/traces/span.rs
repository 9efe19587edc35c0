//! Spans as OTLP has them.

use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::common::v1::{AnyValue, ArrayValue, KeyValue};
use opentelemetry_proto::tonic::trace::v1::status::StatusCode;
use opentelemetry_proto::tonic::trace::v1::{Span, Status};
use protocol::agent::ProviderKind;

/// Characters of a name.
const LONGEST: usize = 100;
const NANOS: u64 = 1_000_000;

/// Times are Unix milliseconds.
pub(super) fn span(name: String, id: Vec<u8>, parent: Vec<u8>, from: i64, to: i64) -> Span {
    Span {
        name: short(&name),
        span_id: id,
        parent_span_id: parent,
        start_time_unix_nano: nanos(from),
        end_time_unix_nano: nanos(to.max(from)),
        ..Span::default()
    }
}

pub(super) fn nanos(at: i64) -> u64 {
    u64::try_from(at).unwrap_or_default().saturating_mul(NANOS)
}

/// What went wrong, by the name of its kind.
pub(super) fn failed(span: &mut Span, kind: &str) {
    span.attributes.push(text("error.type", kind));
    span.status = Some(Status { code: StatusCode::Error.into(), message: String::new() });
}

pub(super) fn text(key: &'static str, value: &str) -> KeyValue {
    attribute(key, Value::StringValue(short(value)))
}

pub(super) fn number(key: &'static str, value: u64) -> KeyValue {
    attribute(key, Value::IntValue(i64::try_from(value).unwrap_or(i64::MAX)))
}

pub(super) fn texts(key: &'static str, value: &str) -> KeyValue {
    let values = vec![AnyValue { value: Some(Value::StringValue(short(value))) }];
    attribute(key, Value::ArrayValue(ArrayValue { values }))
}

fn attribute(key: &'static str, value: Value) -> KeyValue {
    KeyValue { key: key.to_owned(), value: Some(AnyValue { value: Some(value) }), ..KeyValue::default() }
}

fn short(text: &str) -> String {
    text.chars().take(LONGEST).collect()
}

/// As the wire writes a kind of ours.
pub(super) fn word(kind: &impl serde::Serialize) -> String {
    match serde_json::to_value(kind) {
        Ok(serde_json::Value::String(word)) => word,
        Ok(_) | Err(_) => "_OTHER".to_owned(),
    }
}

/// As the conventions name it, where they do.
pub(super) fn provider(kind: ProviderKind) -> &'static str {
    match kind {
        ProviderKind::Anthropic => "anthropic",
        ProviderKind::OpenAi | ProviderKind::OpenAiResponses => "openai",
        ProviderKind::Gemini => "gcp.gemini",
        ProviderKind::Bedrock => "aws.bedrock",
        ProviderKind::Azure => "azure.ai.openai",
        ProviderKind::Groq => "groq",
        ProviderKind::OpenRouter => "openrouter",
        ProviderKind::DeepSeek => "deepseek",
        ProviderKind::Mistral => "mistral_ai",
        ProviderKind::XAi => "x_ai",
        ProviderKind::Ollama => "ollama",
        ProviderKind::LmStudio => "lm_studio",
        ProviderKind::LlamaCpp => "llama_cpp",
        ProviderKind::InBrowser => "in_browser",
        ProviderKind::Scripted => "scripted",
    }
}
