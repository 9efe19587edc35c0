//! Ollama's own chat: requests. The stream is in `ollama/stream.rs`.

use super::framing::{Event, Payload};
use super::outgoing::{self, caption, object_input};
use super::{Auth, HttpRequest, base_url, models, sampling, schema};
use crate::facts;
use protocol::model::{Block, Effort, Form, Media, ModelMessage, ModelRequest, ToolResult, ToolSpec};
use serde::Serialize;
use serde_json::{Value, json};

mod stream;

pub(super) use stream::Stream;

pub(super) const BASE_URL: &str = "http://localhost:11434";

pub(super) const MODELS: &[&str] = &["gpt-oss:20b", "qwen3:8b", "llama3.1:8b", "mistral-nemo", "gemma3:4b"];

pub(super) const LIST: models::Shape =
    models::Shape { list: "models", name: "name", prefix: "", is_for_talk: |_| true };

const SCHEMA: schema::Rules =
    schema::Rules { drop: &["$schema", "$id", "$comment"], inline_refs: true, ..schema::Rules::ALL };

pub(super) const SAMPLING: sampling::Names = sampling::Names {
    top_k: Some("top_k"),
    presence_penalty: Some("presence_penalty"),
    frequency_penalty: Some("frequency_penalty"),
    seed: Some("seed"),
    stop: Some("stop"),
    ..sampling::Names::FEW
};

const FORM: schema::Rules = schema::Rules { drop: &["$schema", "$id", "$comment"], ..schema::Rules::ALL };

/// Messages come last, so that the bytes before them stay equal from turn to turn.
#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    stream: bool,
    options: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    think: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Value>,
    messages: Vec<Value>,
}

pub(super) fn encode(base_url: &str, request: &ModelRequest) -> HttpRequest {
    let mut messages = Vec::new();
    let system = outgoing::with_required_call(request);
    if !system.trim().is_empty() {
        messages.push(json!({ "role": "system", "content": system }));
    }
    for message in &request.messages {
        encode_message(message, &mut messages);
    }
    let tools: Vec<Value> = request.tools.iter().map(encode_tool).collect();
    let bytes = json!([messages, tools]).to_string().len();
    let mut options = json!({
        "num_ctx": room(bytes, request),
        "num_predict": request.max_output_tokens,
    });
    sampling::add(&mut options, &request.sampling, &SAMPLING);
    let body = Body {
        model: &request.model,
        stream: true,
        options,
        think: request.effort.and_then(|effort| think(&request.model, effort)),
        format: request.sampling.form.as_ref().map(|form| match form {
            Form::Json => json!("json"),
            Form::Schema(form) => schema::clean_form(&form.schema, &FORM),
        }),
        tools,
        messages,
    };
    let url = address(base_url, "/api/chat");
    outgoing::post(url, Auth::Bearer, "application/x-ndjson", &body)
}

pub(super) fn list_models(base_url: &str) -> HttpRequest {
    outgoing::get(address(base_url, "/api/tags"), Auth::Bearer)
}

/// Whether an event could be a line of this wire.
pub(super) fn is_line(event: &Event) -> bool {
    match event.payload() {
        Payload::Json(value) => ["message", "done", "error"].iter().any(|key| value.get(key).is_some()),
        Payload::Nothing | Payload::Garbage => false,
    }
}

/// People write the address of the other format that the server speaks, too.
fn address(base_url: &str, path: &str) -> String {
    let (root, _) = base_url::root(base_url);
    let root = root.strip_suffix("/v1").or_else(|| root.strip_suffix("/api")).unwrap_or(root);
    format!("{root}{path}")
}

/// The context to load the model with. Without it the server takes a few thousand tokens and cuts
/// off the beginning. Another one loads the model anew, so it grows in doublings only.
fn room(bytes: usize, request: &ModelRequest) -> u32 {
    const SMALLEST: u32 = 8192;
    const BYTES_PER_TOKEN: usize = 3;
    let prompt = u32::try_from(bytes / BYTES_PER_TOKEN).unwrap_or(u32::MAX);
    let wanted = prompt.saturating_add(request.max_output_tokens);
    let most = facts::of(&request.model).context.max(SMALLEST);
    wanted.checked_next_power_of_two().unwrap_or(u32::MAX).clamp(SMALLEST, most)
}

/// A model that does not think refuses to be asked to, but not to be asked not to.
fn think(model: &str, effort: Effort) -> Option<Value> {
    if model.contains("gpt-oss") {
        return Some(json!(match effort {
            Effort::Off | Effort::Low => "low",
            Effort::Medium => "medium",
            Effort::High => "high",
        }));
    }
    match effort {
        Effort::Off => Some(json!(false)),
        Effort::Low | Effort::Medium | Effort::High => facts::of(model).reasoning.then_some(json!(true)),
    }
}

fn encode_tool(tool: &ToolSpec) -> Value {
    json!({
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": schema::clean(&tool.input_schema, &SCHEMA),
        },
    })
}

fn encode_message(message: &ModelMessage, messages: &mut Vec<Value>) {
    match message {
        ModelMessage::User { text, media } => messages.push(user(text, media)),
        ModelMessage::Assistant { blocks } => messages.extend(encode_assistant(blocks)),
        ModelMessage::Tools { results } => {
            messages.extend(results.iter().map(encode_result));
            for result in results.iter().filter(|result| !result.media.is_empty()) {
                messages.push(user(&caption(&result.name), &result.media));
            }
        }
    }
}

fn user(text: &str, media: &[Media]) -> Value {
    let (images, others): (Vec<&Media>, Vec<&Media>) =
        media.iter().partition(|media| outgoing::is_image(media));
    let mut lines: Vec<String> = others.into_iter().map(outgoing::note).collect();
    lines.extend((!text.is_empty()).then(|| text.to_owned()));
    let mut message = json!({ "role": "user", "content": lines.join("\n\n") });
    if !images.is_empty() {
        message["images"] = images.iter().map(|image| json!(image.data)).collect();
    }
    message
}

/// `None` where nothing is left to send.
fn encode_assistant(blocks: &[Block]) -> Option<Value> {
    let mut said = String::new();
    let mut thought = String::new();
    let mut calls = Vec::new();
    for block in blocks {
        match block {
            Block::Text { text } => said.push_str(text),
            Block::Reasoning { text, .. } => thought.push_str(text),
            Block::ToolUse(call) => calls.push(json!({
                "function": { "name": call.name, "arguments": object_input(&call.input) },
            })),
        }
    }
    if said.is_empty() && calls.is_empty() {
        return None;
    }
    let mut message = json!({ "role": "assistant", "content": said });
    if !calls.is_empty() {
        message["tool_calls"] = json!(calls);
        if !thought.is_empty() {
            message["thinking"] = json!(thought);
        }
    }
    Some(message)
}

/// The wire has no field for an error.
fn encode_result(result: &ToolResult) -> Value {
    let mark = if result.is_error { "Error: " } else { "" };
    json!({ "role": "tool", "tool_name": result.name, "content": format!("{mark}{}", result.content) })
}
