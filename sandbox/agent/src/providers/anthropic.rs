//! Anthropic Messages: requests. The stream is in `anthropic/stream.rs`.

use super::outgoing::{object_input, plain_token};
use super::{Auth, HttpRequest, Method, base_url};
use protocol::model::{Block, ModelMessage, ModelRequest, ToolResult, ToolSpec};
use serde::Serialize;
use serde_json::{Value, json};

mod stream;

pub(super) use stream::Stream;

pub(super) const BASE_URL: &str = "https://api.anthropic.com";

pub(super) const MODELS: &[&str] = &[
    "claude-opus-5-5",
    "claude-sonnet-5-5",
    "claude-haiku-5-5",
    "claude-fable-5-1",
    "claude-opus-5",
    "claude-sonnet-5",
    "claude-haiku-4-5",
];

/// Begins the signature of a reasoning block that came encrypted. Real signatures are Base64, which
/// has no colon.
const REDACTED: &str = "redacted:";

const NAME_LIMIT: usize = 128;

/// Messages come last, so that the bytes before them stay equal from turn to turn.
#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    max_tokens: u32,
    stream: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    system: Vec<Value>,
    messages: Vec<Message>,
}

#[derive(Serialize)]
struct Message {
    role: &'static str,
    content: Vec<Value>,
}

pub(super) fn encode(base_url: &str, request: &ModelRequest) -> HttpRequest {
    let mut tools: Vec<Value> = request.tools.iter().map(encode_tool).collect();
    tools.last_mut().map(mark_for_cache);
    let mut system = Vec::from_iter(text_block(&request.system));
    system.last_mut().map(mark_for_cache);
    let mut messages = encode_messages(&request.messages);
    let last_user = messages.iter_mut().rfind(|message| message.role == "user");
    last_user.and_then(|message| message.content.last_mut()).map(mark_for_cache);
    let body = Body {
        model: &request.model,
        max_tokens: request.max_output_tokens,
        stream: true,
        tools,
        system,
        messages,
    };
    let mut headers = headers();
    headers.push(("content-type", "application/json".to_owned()));
    headers.push(("accept", "text/event-stream".to_owned()));
    HttpRequest {
        method: Method::Post,
        url: base_url::endpoint(base_url, "/messages"),
        headers,
        auth: AUTH,
        body: serde_json::to_vec(&body).expect("JSON values and strings always serialise"),
    }
}

pub(super) fn list_models(base_url: &str) -> HttpRequest {
    HttpRequest {
        method: Method::Get,
        url: base_url::endpoint(base_url, "/models") + "?limit=1000",
        headers: headers(),
        auth: AUTH,
        body: Vec::new(),
    }
}

const AUTH: Auth = Auth::Header("x-api-key");

fn headers() -> Vec<(&'static str, String)> {
    vec![("anthropic-version", "2023-06-01".to_owned())]
}

fn encode_tool(tool: &ToolSpec) -> Value {
    json!({
        "name": plain_token(&tool.name, NAME_LIMIT),
        "description": tool.description,
        "input_schema": tool.input_schema,
    })
}

/// Neighbours of one role become one message, so that tool results and what a person said next
/// stay together as the wire wants it.
fn encode_messages(messages: &[ModelMessage]) -> Vec<Message> {
    let mut encoded: Vec<Message> = Vec::new();
    for message in messages {
        let (role, content) = match message {
            ModelMessage::User { text, .. } => ("user", Vec::from_iter(text_block(text))),
            ModelMessage::Assistant { blocks } => {
                ("assistant", blocks.iter().filter_map(encode_block).collect())
            }
            ModelMessage::Tools { results } => ("user", results.iter().map(encode_result).collect()),
        };
        match encoded.last_mut() {
            _ if content.is_empty() => {}
            Some(last) if last.role == role => last.content.extend(content),
            _ => encoded.push(Message { role, content }),
        }
    }
    encoded
}

fn encode_block(block: &Block) -> Option<Value> {
    match block {
        Block::Text { text } => text_block(text),
        Block::Reasoning { text, signature } => {
            let signature = signature.as_deref()?;
            Some(match signature.strip_prefix(REDACTED) {
                Some(data) => json!({ "type": "redacted_thinking", "data": data }),
                None => json!({ "type": "thinking", "thinking": text, "signature": signature }),
            })
        }
        Block::ToolUse(call) => Some(json!({
            "type": "tool_use",
            "id": encode_id(&call.id.0),
            "name": plain_token(&call.name, NAME_LIMIT),
            "input": object_input(&call.input),
        })),
    }
}

fn encode_result(result: &ToolResult) -> Value {
    let mut block = json!({
        "type": "tool_result",
        "tool_use_id": encode_id(&result.call.0),
    });
    if let Some(text) = text_block(&result.content) {
        block["content"] = json!([text]);
    }
    if result.is_error {
        block["is_error"] = json!(true);
    }
    block
}

/// The wire refuses blank text.
fn text_block(text: &str) -> Option<Value> {
    (!text.trim().is_empty()).then(|| json!({ "type": "text", "text": text }))
}

fn encode_id(id: &str) -> String {
    plain_token(id, usize::MAX)
}

fn mark_for_cache(block: &mut Value) {
    block["cache_control"] = json!({ "type": "ephemeral" });
}
