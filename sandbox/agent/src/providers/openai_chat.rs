//! OpenAI chat completions, as OpenAI and the servers that copy it speak them: requests. What each of
//! those servers does differently is a row in `openai_chat/dialect.rs`, the stream is in
//! `openai_chat/stream.rs`.

use super::outgoing::{self, caption, object_input, plain_token};
use super::{HttpRequest, sampling, schema};
use protocol::model::{
    Block, Form, FormSchema, Media, ModelMessage, ModelRequest, ToolCall, ToolChoice, ToolResult, ToolSpec,
};
use serde::Serialize;
use serde_json::{Map, Value, json};

mod calls;
mod dialect;
pub(super) mod effort;
mod stream;

pub use dialect::Dialect;
pub(super) use stream::Stream;

pub(super) const NAME_LIMIT: usize = 64;

/// Begins the signature of a call that Google's servers want back with it.
const SIGNED: &str = "openai_chat:google:";

/// The outermost schema has to be that of an object and nothing else.
pub(super) const SCHEMA: schema::Rules = schema::Rules {
    drop: &["$schema", "$id", "$comment"],
    drop_at_root: &["oneOf", "anyOf", "allOf", "not", "enum"],
    ..schema::Rules::ALL
};

/// Messages come last, so that the bytes before them stay equal from turn to turn.
#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
    #[serde(flatten)]
    effort: Map<String, Value>,
    #[serde(flatten)]
    sampling: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parallel_tool_calls: Option<bool>,
    messages: Vec<Value>,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

pub(super) fn encode(dialect: &'static Dialect, base_url: &str, request: &ModelRequest) -> HttpRequest {
    let dialect = dialect.at(base_url);
    let limit = Some(request.max_output_tokens);
    let (max_completion_tokens, max_tokens) =
        if dialect.counts_completion { (limit, None) } else { (None, limit) };
    let mut messages = Vec::new();
    if !request.system.trim().is_empty() {
        messages.push(json!({ "role": "system", "content": request.system }));
    }
    for message in &request.messages {
        encode_message(message, dialect, &mut messages);
    }
    let body = Body {
        model: &request.model,
        max_completion_tokens,
        max_tokens,
        stream: true,
        stream_options: dialect.stream_options.then_some(StreamOptions { include_usage: true }),
        effort: effort::fields(dialect.effort, request),
        sampling: sampling::fields(&request.sampling, &dialect.sampling),
        response_format: request.sampling.form.as_ref().map(encode_form),
        tools: request.tools.iter().map(|tool| encode_tool(tool, dialect)).collect(),
        tool_choice: tool_choice(request),
        parallel_tool_calls: if dialect.counts_calls { parallel_calls(request) } else { None },
        messages,
    };
    let url = dialect.address(base_url, "/chat/completions");
    outgoing::post(url, dialect.auth(), outgoing::SSE, &body)
}

pub(super) fn list_models(dialect: &'static Dialect, base_url: &str) -> HttpRequest {
    let dialect = dialect.at(base_url);
    outgoing::get(dialect.address(base_url, "/models"), dialect.auth())
}

pub(super) fn tool_choice(request: &ModelRequest) -> Option<&'static str> {
    match request.tool_choice {
        ToolChoice::None if !request.tools.is_empty() => Some("none"),
        ToolChoice::Required if !request.tools.is_empty() => Some("required"),
        ToolChoice::None | ToolChoice::Required | ToolChoice::Auto => None,
    }
}

/// Without tools the field is refused.
pub(super) fn parallel_calls(request: &ModelRequest) -> Option<bool> {
    (request.sampling.one_call && !request.tools.is_empty()).then_some(false)
}

fn encode_form(form: &Form) -> Value {
    match form {
        Form::Json => json!({ "type": "json_object" }),
        Form::Schema(schema) => json!({ "type": "json_schema", "json_schema": encode_schema(schema) }),
    }
}

pub(super) fn encode_schema(form: &FormSchema) -> Value {
    let FormSchema { name, description, schema, strict } = form;
    let mut encoded = json!({ "name": plain_token(name, NAME_LIMIT), "schema": schema, "strict": strict });
    if let Some(description) = description {
        encoded["description"] = json!(description);
    }
    encoded
}

fn encode_tool(tool: &ToolSpec, dialect: &Dialect) -> Value {
    let mut function = json!({
        "name": plain_token(&tool.name, NAME_LIMIT),
        "description": tool.description,
        "parameters": schema::clean(&tool.input_schema, &SCHEMA),
    });
    if tool.strict && dialect.strict_calls {
        function["strict"] = json!(true);
    }
    json!({ "type": "function", "function": function })
}

fn encode_message(message: &ModelMessage, dialect: &Dialect, messages: &mut Vec<Value>) {
    match message {
        ModelMessage::User { text, media } => {
            messages.push(json!({ "role": "user", "content": content(text, media, dialect) }));
        }
        ModelMessage::Assistant { blocks } => messages.extend(encode_assistant(blocks, dialect)),
        ModelMessage::Tools { results } => {
            messages.extend(results.iter().map(|result| encode_result(result, dialect)));
            messages.extend(encode_files(results, dialect));
        }
    }
}

/// The wire has no field for an error, and most servers none for files.
fn encode_result(result: &ToolResult, dialect: &Dialect) -> Value {
    let mark = if result.is_error { "Error: " } else { "" };
    let text = format!("{mark}{}", result.content);
    let media = if dialect.files_in_results { result.media.as_slice() } else { &[] };
    json!({
        "role": "tool",
        "tool_call_id": encode_id(&result.call.0, dialect),
        "content": content(&text, media, dialect),
    })
}

/// What the results cannot hold follows them.
fn encode_files(results: &[ToolResult], dialect: &Dialect) -> Option<Value> {
    if dialect.files_in_results {
        return None;
    }
    let mut parts = Vec::new();
    for result in results.iter().filter(|result| !result.media.is_empty()) {
        parts.push(text_part(&caption(&result.name)));
        parts.extend(result.media.iter().map(|media| encode_media(media, dialect)));
    }
    (!parts.is_empty()).then(|| json!({ "role": "user", "content": join(parts) }))
}

fn content(text: &str, media: &[Media], dialect: &Dialect) -> Value {
    if media.is_empty() {
        return json!(text);
    }
    let mut parts: Vec<Value> = media.iter().map(|media| encode_media(media, dialect)).collect();
    if !text.trim().is_empty() {
        parts.push(text_part(text));
    }
    join(parts)
}

/// Text alone stays text: not every server reads parts.
fn join(parts: Vec<Value>) -> Value {
    if parts.iter().all(|part| part["type"] == "text") {
        let lines: Vec<&str> = parts.iter().filter_map(|part| part["text"].as_str()).collect();
        return json!(lines.join("\n\n"));
    }
    json!(parts)
}

fn encode_media(media: &Media, dialect: &Dialect) -> Value {
    if !dialect.takes(media) {
        return text_part(&outgoing::note(media));
    }
    if outgoing::is_image(media) {
        return json!({ "type": "image_url", "image_url": { "url": outgoing::data_url(media) } });
    }
    let name = media.name.as_deref().unwrap_or("document.pdf");
    let file = json!({ "filename": name, "file_data": outgoing::data_url(media) });
    json!({ "type": "file", "file": file })
}

fn text_part(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

/// `None` where nothing is left to send.
fn encode_assistant(blocks: &[Block], dialect: &Dialect) -> Option<Value> {
    let mut said = String::new();
    let mut thought = String::new();
    let mut calls = Vec::new();
    let mut signature = None;
    for block in blocks {
        match block {
            Block::Text { text } => said.push_str(text),
            Block::Reasoning { text, signature: own } => {
                thought.push_str(text);
                signature = own.as_deref().and_then(|own| own.strip_prefix(SIGNED));
            }
            Block::ToolUse(call) => {
                let mut call = encode_call(call, dialect);
                if let Some(signature) = signature.take().filter(|_| dialect.signed_calls) {
                    call["extra_content"] = json!({ "google": { "thought_signature": signature } });
                }
                calls.push(call);
            }
        }
    }
    if said.is_empty() && calls.is_empty() {
        return None;
    }
    let said = if said.is_empty() { Value::Null } else { json!(said) };
    let mut message = json!({ "role": "assistant", "content": said });
    if !calls.is_empty() {
        message["tool_calls"] = json!(calls);
        if let Some(field) = dialect.echo {
            message[field] = json!(thought);
        }
    }
    Some(message)
}

fn encode_call(call: &ToolCall, dialect: &Dialect) -> Value {
    json!({
        "id": encode_id(&call.id.0, dialect),
        "type": "function",
        "function": {
            "name": plain_token(&call.name, NAME_LIMIT),
            "arguments": object_input(&call.input).to_string(),
        },
    })
}

/// Nine letters and digits where a server takes nothing else: its own ids as they are, others by
/// their FNV-1a hash.
fn encode_id(id: &str, dialect: &Dialect) -> String {
    const LENGTH: usize = 9;
    let is_short = id.len() == LENGTH && id.chars().all(|char| char.is_ascii_alphanumeric());
    if !dialect.short_ids || is_short {
        return id.to_owned();
    }
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in id.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    let digits = b"0123456789abcdefghijklmnopqrstuvwxyz";
    (0..LENGTH)
        .map(|_| {
            let digit = digits[(hash % 36) as usize];
            hash /= 36;
            char::from(digit)
        })
        .collect()
}
