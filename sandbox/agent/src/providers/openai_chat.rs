//! OpenAI chat completions, as OpenAI and the servers that copy it speak them: requests. The stream
//! is in `openai_chat/stream.rs`.

use super::outgoing::{object_input, plain_token};
use super::{Auth, HttpRequest, Method, base_url};
use protocol::model::{Block, ModelMessage, ModelRequest, ToolCall, ToolSpec};
use serde::Serialize;
use serde_json::{Value, json};

mod calls;
mod stream;

pub(super) use stream::Stream;

pub(super) const BASE_URL: &str = "https://api.openai.com";

pub(super) const MODELS: &[&str] = &[
    "gpt-5.5",
    "gpt-5.4",
    "gpt-5.4-mini",
    "gpt-5.4-nano",
    "gpt-5.1",
    "gpt-5-mini",
    "gpt-4.1",
    "gpt-4o-mini",
];

const NAME_LIMIT: usize = 64;

/// Servers that differ from the rest in what they want to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Host {
    OpenAi,
    Azure,
    /// Refuses a tool call in the history whose reasoning is missing; others refuse the field.
    WantsReasoning,
    Other,
}

/// Messages come last, so that the bytes before them stay equal from turn to turn.
#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    stream: bool,
    stream_options: StreamOptions,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Value>,
    messages: Vec<Value>,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

pub(super) fn encode(base_url: &str, request: &ModelRequest) -> HttpRequest {
    let host = host_of(base_url);
    let limit = Some(request.max_output_tokens);
    let (max_completion_tokens, max_tokens) = match host {
        Host::OpenAi | Host::Azure => (limit, None),
        Host::WantsReasoning | Host::Other => (None, limit),
    };
    let mut messages = Vec::new();
    if !request.system.trim().is_empty() {
        messages.push(json!({ "role": "system", "content": request.system }));
    }
    for message in &request.messages {
        encode_message(message, host, &mut messages);
    }
    let body = Body {
        model: &request.model,
        max_completion_tokens,
        max_tokens,
        stream: true,
        stream_options: StreamOptions { include_usage: true },
        tools: request.tools.iter().map(encode_tool).collect(),
        messages,
    };
    HttpRequest {
        method: Method::Post,
        url: base_url::endpoint(base_url, "/chat/completions"),
        headers: vec![
            ("content-type", "application/json".to_owned()),
            ("accept", "text/event-stream".to_owned()),
        ],
        auth: auth_of(host),
        body: serde_json::to_vec(&body).expect("JSON values and strings always serialise"),
    }
}

pub(super) fn list_models(base_url: &str) -> HttpRequest {
    HttpRequest {
        method: Method::Get,
        url: base_url::endpoint(base_url, "/models"),
        headers: Vec::new(),
        auth: auth_of(host_of(base_url)),
        body: Vec::new(),
    }
}

fn host_of(base_url: &str) -> Host {
    let host = base_url::host(base_url);
    let is_in =
        |domain: &str| host.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    if is_in("api.openai.com") {
        return Host::OpenAi;
    }
    let azure = ["openai.azure.com", "services.ai.azure.com", "cognitiveservices.azure.com"];
    if azure.into_iter().any(is_in) {
        return Host::Azure;
    }
    let wants_reasoning = ["api.deepseek.com", "api.moonshot.ai", "api.moonshot.cn"];
    if wants_reasoning.into_iter().any(is_in) {
        return Host::WantsReasoning;
    }
    Host::Other
}

fn auth_of(host: Host) -> Auth {
    match host {
        Host::Azure => Auth::Header("api-key"),
        Host::OpenAi | Host::WantsReasoning | Host::Other => Auth::Bearer,
    }
}

fn encode_tool(tool: &ToolSpec) -> Value {
    json!({
        "type": "function",
        "function": {
            "name": plain_token(&tool.name, NAME_LIMIT),
            "description": tool.description,
            "parameters": tool.input_schema,
        },
    })
}

fn encode_message(message: &ModelMessage, host: Host, messages: &mut Vec<Value>) {
    match message {
        ModelMessage::User { text, .. } => {
            messages.push(json!({ "role": "user", "content": text }));
        }
        ModelMessage::Assistant { blocks } => messages.extend(encode_assistant(blocks, host)),
        ModelMessage::Tools { results } => messages.extend(results.iter().map(|result| {
            // The wire has no field for it.
            let mark = if result.is_error { "Error: " } else { "" };
            json!({
                "role": "tool",
                "tool_call_id": result.call,
                "content": format!("{mark}{}", result.content),
            })
        })),
    }
}

/// `None` where nothing is left to send.
fn encode_assistant(blocks: &[Block], host: Host) -> Option<Value> {
    let mut said = String::new();
    let mut thought = String::new();
    let mut calls = Vec::new();
    for block in blocks {
        match block {
            Block::Text { text } => said.push_str(text),
            Block::Reasoning { text, .. } => thought.push_str(text),
            Block::ToolUse(call) => calls.push(encode_call(call)),
        }
    }
    if said.is_empty() && calls.is_empty() {
        return None;
    }
    let said = if said.is_empty() { Value::Null } else { json!(said) };
    let mut message = json!({ "role": "assistant", "content": said });
    if !calls.is_empty() {
        message["tool_calls"] = json!(calls);
        if host == Host::WantsReasoning {
            message["reasoning_content"] = json!(thought);
        }
    }
    Some(message)
}

fn encode_call(call: &ToolCall) -> Value {
    json!({
        "id": call.id,
        "type": "function",
        "function": {
            "name": plain_token(&call.name, NAME_LIMIT),
            "arguments": object_input(&call.input).to_string(),
        },
    })
}
