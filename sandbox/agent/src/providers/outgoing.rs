//! History as providers take it back: what a model once said may hold names and arguments that a
//! server refuses to read again.

use super::{Auth, HttpRequest, Method};
use protocol::model::{Media, ModelRequest, ToolChoice};
use serde::Serialize;
use serde_json::{Value, json};
use std::borrow::Cow;

/// A call for a streamed reply: JSON out, `accept` back.
pub(super) fn post(url: String, auth: Auth, accept: &str, body: &impl Serialize) -> HttpRequest {
    HttpRequest {
        method: Method::Post,
        url,
        headers: vec![("content-type", "application/json".to_owned()), ("accept", accept.to_owned())],
        auth,
        body: serde_json::to_vec(body).expect("JSON values and strings always serialise"),
    }
}

pub(super) fn get(url: String, auth: Auth) -> HttpRequest {
    HttpRequest { method: Method::Get, url, headers: Vec::new(), auth, body: Vec::new() }
}

pub(super) const SSE: &str = "text/event-stream";

pub(super) fn is_image(media: &Media) -> bool {
    ["image/png", "image/jpeg", "image/gif", "image/webp"].contains(&media.mime.as_str())
}

pub(super) const PDF: &str = "application/pdf";

pub(super) fn is_pdf(media: &Media) -> bool {
    media.mime == PDF
}

/// What most wires take.
pub(super) fn is_image_or_pdf(media: &Media) -> bool {
    is_image(media) || is_pdf(media)
}

pub(super) fn data_url(media: &Media) -> String {
    format!("data:{};base64,{}", media.mime, media.data)
}

/// Stands where a file would, for a model or a wire that cannot take it.
pub(super) fn note(media: &Media) -> String {
    match &media.name {
        Some(name) => format!("[The file {name} ({}) cannot be shown to this model.]", media.mime),
        None => format!("[A file ({}) cannot be shown to this model.]", media.mime),
    }
}

/// The system text for what has no field that says that a tool has to be called.
pub(crate) fn with_required_call(request: &ModelRequest) -> Cow<'_, str> {
    if request.tool_choice != ToolChoice::Required || request.tools.is_empty() {
        return Cow::Borrowed(&request.system);
    }
    let words = "Answer with a call of one of the tools, and with nothing else.";
    Cow::Owned(format!("{}\n\n{words}", request.system).trim_start().to_owned())
}

/// Says whose the files in the message are, where they cannot be in the result itself.
pub(super) fn caption(tool: &str) -> String {
    format!("[Files from {tool}:]")
}

/// Arguments as the object that servers insist on; raw text that is not JSON goes into one.
pub(super) fn object_input(input: &Value) -> Value {
    match input {
        Value::Object(_) => input.clone(),
        Value::String(raw) => json!({ "invalid_json": raw }),
        other => json!({ "invalid_json": other.to_string() }),
    }
}

/// `text` in letters, digits, `_` and `-`, at most `limit` of them; what is so already stays.
pub(super) fn plain_token(text: &str, limit: usize) -> String {
    let mut token = String::new();
    for char in text.chars() {
        if char.is_ascii_alphanumeric() || matches!(char, '_' | '-') {
            token.push(char);
        } else {
            token.push_str(&format!("_{:x}", u32::from(char)));
        }
    }
    token.truncate(limit);
    if token.is_empty() {
        token.push('_');
    }
    token
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_token_stays_and_another_becomes_one() {
        let table = [
            ("toolu_01-A", "toolu_01-A"),
            ("functions.get:0", "functions_2eget_3a0"),
            ("", "_"),
            ("abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrst"),
        ];
        for (text, expected) in table {
            assert_eq!(plain_token(text, 20), expected);
        }
    }

    #[test]
    fn arguments_are_an_object_whatever_the_model_said() {
        let table = [
            (json!({ "a": 1 }), json!({ "a": 1 })),
            (json!("{\"a\":"), json!({ "invalid_json": "{\"a\":" })),
            (json!([1]), json!({ "invalid_json": "[1]" })),
        ];
        for (input, expected) in table {
            assert_eq!(object_input(&input), expected);
        }
    }
}
