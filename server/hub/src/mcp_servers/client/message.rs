//! Messages of JSON-RPC.

use super::super::visible::visible;
use super::McpFailure;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::header::HeaderValue;
use serde_json::{Value, json};

/// Characters of what a server says that somebody is told.
const TOLD: usize = 500;

pub(super) struct Message(Value);

/// What came back.
#[derive(Debug, PartialEq)]
pub(super) enum Heard {
    Result(Value),
    Error {
        code: i64,
        message: String,
        /// The versions that it speaks, if that is what it says.
        versions: Option<Value>,
        /// The addresses that the person has to open first, if that is what it says.
        visits: Vec<Value>,
    },
}

/// What stands in an answer.
#[derive(Debug, PartialEq)]
pub(super) enum Part {
    /// What was waited for.
    Heard(Heard),
    /// The server wants to know something, under this id.
    Asked {
        id: Value,
        what: Wants,
    },
    /// It does not want to know any more what it asked under this id.
    Withdrawn {
        id: Value,
    },
    /// Its list of tools, prompts or resources is another one by now.
    ListChanged,
    /// How far what was asked for is.
    Progress(Value),
    /// What it does, in its own words.
    Log(Value),
    Other,
}

/// What a server asks for.
#[derive(Debug, PartialEq)]
pub(super) enum Wants {
    /// Whether anybody is there.
    Ping,
    /// Something of the person.
    Form(Value),
    /// What it was told before that it is not given.
    Else,
}

impl Message {
    /// With the number under which its answer comes.
    pub(super) fn request(method: &str, params: Value, id: u64) -> (Self, u64) {
        (Self(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })), id)
    }

    pub(super) fn notification(method: &str) -> Self {
        Self(json!({ "jsonrpc": "2.0", "method": method }))
    }

    /// Nobody waits for the answer to the request with this number.
    pub(super) fn cancelled(id: u64) -> Self {
        Self(json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } }))
    }

    /// To a question of the server's.
    pub(super) fn reply(id: &Value, result: Value) -> Self {
        Self(json!({ "jsonrpc": "2.0", "id": id, "result": result }))
    }

    pub(super) fn refusal(id: &Value, code: i64, words: &str) -> Self {
        Self(json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": words } }))
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        self.0.to_string().into_bytes()
    }
}

impl Part {
    pub(super) fn of(message: &Value, waited_for: u64) -> Self {
        let method = message.get("method").and_then(Value::as_str);
        let id = message.get("id").filter(|id| !id.is_null());
        if let Some(method) = method {
            return match (id, method) {
                (Some(id), method) => {
                    let what = match method {
                        "ping" => Wants::Ping,
                        "elicitation/create" => {
                            Wants::Form(message.get("params").cloned().unwrap_or_default())
                        }
                        _ => Wants::Else,
                    };
                    Self::Asked { id: id.clone(), what }
                }
                (None, "notifications/cancelled") => {
                    Self::Withdrawn { id: message.pointer("/params/requestId").cloned().unwrap_or_default() }
                }
                (
                    None,
                    "notifications/tools/list_changed"
                    | "notifications/prompts/list_changed"
                    | "notifications/resources/list_changed",
                ) => Self::ListChanged,
                (None, "notifications/progress")
                    if message.pointer("/params/progressToken") == Some(&json!(waited_for)) =>
                {
                    Self::Progress(message.pointer("/params").cloned().unwrap_or_default())
                }
                (None, "notifications/message") => {
                    Self::Log(message.pointer("/params").cloned().unwrap_or_default())
                }
                (None, _) => Self::Other,
            };
        }
        if let Some(error) = message.get("error") {
            // What could not be read has no number.
            if id.is_some_and(|id| *id != json!(waited_for)) {
                return Self::Other;
            }
            let message = error.get("message").and_then(Value::as_str).unwrap_or_default().to_owned();
            let code = error.get("code").and_then(Value::as_i64).unwrap_or_default();
            let versions = error.pointer("/data/supported").filter(|versions| versions.is_array()).cloned();
            let visits = error.pointer("/data/elicitations").and_then(Value::as_array).cloned();
            let visits = visits.unwrap_or_default();
            return Self::Heard(Heard::Error { code, message, versions, visits });
        }
        match message.get("result") {
            Some(result) if id == Some(&json!(waited_for)) => Self::Heard(Heard::Result(result.clone())),
            Some(_) | None => Self::Other,
        }
    }
}

/// A name as a header carries it.
pub(super) fn header(text: &str) -> HeaderValue {
    let is_plain = text.bytes().all(|byte| (0x20..0x7f).contains(&byte))
        && text.trim() == text
        && !text.starts_with("=?base64?");
    let spelled = match is_plain {
        true => text.to_owned(),
        false => format!("=?base64?{}?=", STANDARD.encode(text)),
    };
    HeaderValue::from_str(&spelled).unwrap_or(HeaderValue::from_static(""))
}

pub(super) fn said(message: &str) -> McpFailure {
    match short(message) {
        message if message.trim().is_empty() => McpFailure::Said("nothing but that it failed.".to_owned()),
        message => McpFailure::Said(message),
    }
}

pub(super) fn short(text: &str) -> String {
    visible(text, TOLD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_what_stands_in_an_answer_only_its_own_result_counts() {
        let result = |value: Value| Part::Heard(Heard::Result(value));
        let error = || {
            let message = "No.".to_owned();
            Part::Heard(Heard::Error { code: -1, message, versions: None, visits: Vec::new() })
        };
        for (message, expected) in [
            (json!({ "id": 7, "result": { "a": 1 } }), result(json!({ "a": 1 }))),
            (json!({ "id": 8, "result": {} }), Part::Other),
            (json!({ "id": "7", "result": {} }), Part::Other),
            (json!({ "id": 7, "error": { "code": -1, "message": "No." } }), error()),
            (json!({ "id": null, "error": { "code": -1, "message": "No." } }), error()),
            (json!({ "id": 8, "error": { "code": -1, "message": "No." } }), Part::Other),
            (json!({ "id": 7, "method": "ping" }), Part::Asked { id: json!(7), what: Wants::Ping }),
            (
                json!({ "id": "x", "method": "sampling/createMessage" }),
                Part::Asked { id: json!("x"), what: Wants::Else },
            ),
            (
                json!({ "id": 7, "method": "elicitation/create", "params": { "message": "Which?" } }),
                Part::Asked { id: json!(7), what: Wants::Form(json!({ "message": "Which?" })) },
            ),
            (
                json!({ "method": "notifications/cancelled", "params": { "requestId": "x" } }),
                Part::Withdrawn { id: json!("x") },
            ),
            (json!({ "method": "notifications/tools/list_changed" }), Part::ListChanged),
            (json!({ "method": "notifications/prompts/list_changed" }), Part::ListChanged),
            (json!({ "method": "notifications/progress" }), Part::Other),
            (
                json!({ "method": "notifications/message", "params": { "data": "Dry." } }),
                Part::Log(json!({ "data": "Dry." })),
            ),
            (json!({ "method": "notifications/progress", "params": { "progressToken": 8 } }), Part::Other),
            (
                json!({ "method": "notifications/progress", "params": { "progressToken": 7 } }),
                Part::Progress(json!({ "progressToken": 7 })),
            ),
            (json!([1]), Part::Other),
        ] {
            assert_eq!(Part::of(&message, 7), expected, "{message}");
        }
    }

    #[test]
    fn a_name_in_a_header_breaks_out_of_none() {
        for (name, expected) in [
            ("water", "water"),
            ("two words", "two words"),
            (" a", "=?base64?IGE=?="),
            ("gießen", "=?base64?Z2llw59lbg==?="),
            ("a\r\nx: y", "=?base64?YQ0KeDogeQ==?="),
            ("=?base64?IGE=?=", "=?base64?PT9iYXNlNjQ/SUdFPT89?="),
        ] {
            assert_eq!(header(name), expected, "{name:?}");
        }
    }
}
