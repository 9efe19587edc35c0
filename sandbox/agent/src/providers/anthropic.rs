//! Anthropic Messages: requests. The stream is in `anthropic/stream.rs`.

use super::form::Keeps;
use super::outgoing::{self, object_input, plain_token};
use super::{Auth, HttpRequest, base_url, sampling, schema};
use protocol::model::{
    Block, Media, MessageList, ModelMessage, ModelRequest, ToolChoice, ToolResult, ToolSpec,
};
use serde::Serialize;
use serde_json::{Map, Value, json};

mod form;
mod stream;
mod thinking;

pub(super) use form::{FORM, keeps};
pub(super) use stream::Stream;
pub(super) use thinking::Thinking;

pub(super) const BASE_URL: &str = "https://api.anthropic.com";

/// Without it no page may read the answer.
pub(super) const PAGE_HEADERS: &[(&str, &str)] = &[("anthropic-dangerous-direct-browser-access", "true")];

pub(super) const MODELS: &[&str] = &[
    "claude-opus-5-5",
    "claude-sonnet-5-5",
    "claude-haiku-5-5",
    "claude-fable-5-1",
    "claude-opus-5",
    "claude-sonnet-5",
    "claude-haiku-4-5",
];

/// Begin the signatures of reasoning blocks, the second where all of it came encrypted.
const SIGNED: &str = "anthropic:";
const REDACTED: &str = "anthropic:redacted:";

const NAME_LIMIT: usize = 128;

pub(super) const SAMPLING: sampling::Names = sampling::Names {
    warmest: 1.0,
    one_of_both: true,
    top_k: Some("top_k"),
    stop: Some("stop_sequences"),
    ..sampling::Names::FEW
};

/// Messages come last, so that the bytes before them stay equal from turn to turn.
#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    max_tokens: u32,
    stream: bool,
    #[serde(flatten)]
    thinking: Thinking,
    #[serde(flatten)]
    sampling: Map<String, Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<Value>,
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
    let mut tools: Vec<Value> = request.tools.iter().map(|tool| encode_tool(tool, &request.model)).collect();
    tools.last_mut().map(mark_for_cache);
    let mut system = Vec::from_iter(text_block(&request.system));
    system.last_mut().map(mark_for_cache);
    let mut messages = encode_messages(&request.messages);
    let last_user = messages.iter_mut().rfind(|message| message.role == "user");
    last_user.and_then(|message| message.content.last_mut()).map(mark_for_cache);
    let tool_choice = if tools.is_empty() { None } else { encode_choice(request) };
    let body = Body {
        model: &request.model,
        max_tokens: request.max_output_tokens,
        stream: true,
        thinking: Thinking::of(request, SIGNED).with_format(form::format(request)),
        sampling: sampling::fields(&request.sampling, &SAMPLING),
        tools,
        tool_choice,
        system,
        messages,
    };
    let mut call = outgoing::post(base_url::endpoint(base_url, "/messages"), AUTH, outgoing::SSE, &body);
    call.headers.push(version());
    call
}

pub(super) fn list_models(base_url: &str) -> HttpRequest {
    let mut call = outgoing::get(base_url::endpoint(base_url, "/models") + "?limit=1000", AUTH);
    call.headers.push(version());
    call
}

const AUTH: Auth = Auth::Header("x-api-key");

fn version() -> (&'static str, String) {
    ("anthropic-version", "2023-06-01".to_owned())
}

/// A union is refused at the top, everything else is read.
const SCHEMA: schema::Rules = schema::Rules { drop: &["$id"], drop_at_root: UNIONS, ..schema::Rules::ALL };

const STRICT: schema::Rules = schema::Rules { drop_at_root: UNIONS, ..FORM };

const UNIONS: &[&str] = &["oneOf", "anyOf", "allOf", "not"];

fn encode_tool(tool: &ToolSpec, model: &str) -> Value {
    let is_strict = tool.strict && keeps(model) == Keeps::Schemas;
    let rules = if is_strict { &STRICT } else { &SCHEMA };
    let mut encoded = json!({
        "name": plain_token(&tool.name, NAME_LIMIT),
        "description": tool.description,
        "input_schema": schema::clean(&tool.input_schema, rules),
    });
    if is_strict {
        encoded["strict"] = json!(true);
    }
    encoded
}

fn encode_choice(request: &ModelRequest) -> Option<Value> {
    let is_one = request.sampling.one_call;
    let kind = match request.tool_choice {
        ToolChoice::None => return Some(json!({ "type": "none" })),
        ToolChoice::Required => "any",
        ToolChoice::Auto if is_one => "auto",
        ToolChoice::Auto => return None,
    };
    let mut choice = json!({ "type": kind });
    if is_one {
        choice["disable_parallel_tool_use"] = json!(true);
    }
    Some(choice)
}

/// Neighbours of one role become one message, so that tool results and what a person said next
/// stay together as the wire wants it.
fn encode_messages(messages: &MessageList) -> Vec<Message> {
    let mut encoded: Vec<Message> = Vec::new();
    for message in messages {
        let (role, content) = match message {
            ModelMessage::User { text, media } => ("user", with_media(text, media)),
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
            if let Some(data) = signature.strip_prefix(REDACTED) {
                return Some(json!({ "type": "redacted_thinking", "data": data }));
            }
            let signature = signature.strip_prefix(SIGNED)?;
            Some(json!({ "type": "thinking", "thinking": text, "signature": signature }))
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
    let content = with_media(&result.content, &result.media);
    if !content.is_empty() {
        block["content"] = json!(content);
    }
    if result.is_error {
        block["is_error"] = json!(true);
    }
    block
}

/// Files first: the question about them comes after.
fn with_media(text: &str, media: &[Media]) -> Vec<Value> {
    media.iter().map(encode_media).chain(text_block(text)).collect()
}

fn encode_media(media: &Media) -> Value {
    let kind = match () {
        () if outgoing::is_image(media) => "image",
        () if outgoing::is_pdf(media) => "document",
        () => return json!({ "type": "text", "text": outgoing::note(media) }),
    };
    let source = json!({ "type": "base64", "media_type": media.mime, "data": media.data });
    let mut block = json!({ "type": kind, "source": source });
    if let (Some(name), "document") = (&media.name, kind) {
        block["title"] = json!(name);
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
