//! OpenAI Responses, without state on the server: every request carries the whole conversation, and
//! reasoning comes and goes encrypted. The stream is in `openai_responses/stream.rs`.

use super::openai_chat::{Dialect, NAME_LIMIT, SCHEMA, effort, encode_schema, parallel_calls, tool_choice};
use super::outgoing::{self, object_input, plain_token};
use super::{HttpRequest, openai_chat, sampling, schema};
use protocol::model::{Block, Form, Media, ModelMessage, ModelRequest, ToolResult, ToolSpec};
use serde::Serialize;
use serde_json::{Map, Value, json};

mod stream;

pub(super) use stream::Stream;

pub(super) const BASE_URL: &str = "https://api.openai.com";

pub(super) const MODELS: &[&str] = &[
    "gpt-6-sol",
    "gpt-6-luna",
    "gpt-6-astra",
    "gpt-5.5",
    "gpt-5.4",
    "gpt-5.4-mini",
    "gpt-5.4-nano",
    "gpt-5.1",
];

pub(super) const SAMPLING: sampling::Names =
    sampling::Names { verbosity: Some("verbosity"), ..sampling::Names::FEW };

/// Begins the signature of a reasoning item: then its id, a colon and what is encrypted of it.
const SIGNED: &str = "responses:";

/// The input comes last, so that the bytes before it stay equal from turn to turn.
#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    max_output_tokens: u32,
    stream: bool,
    store: bool,
    include: [&'static str; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning: Option<Value>,
    #[serde(flatten)]
    sampling: Map<String, Value>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    text: Map<String, Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parallel_tool_calls: Option<bool>,
    #[serde(skip_serializing_if = "str::is_empty")]
    instructions: &'a str,
    input: Vec<Value>,
}

pub(super) fn encode(base_url: &str, request: &ModelRequest) -> HttpRequest {
    let mut input = Vec::new();
    for message in &request.messages {
        encode_message(message, &mut input);
    }
    let mut sampling = sampling::fields(&request.sampling, &SAMPLING);
    let mut text = Map::new();
    text.extend(sampling.remove_entry("verbosity"));
    text.extend(request.sampling.form.as_ref().map(|form| ("format".to_owned(), encode_form(form))));
    let effort = request.effort.and_then(|effort| effort::openai(&request.model, effort));
    let body = Body {
        model: &request.model,
        max_output_tokens: request.max_output_tokens,
        stream: true,
        store: false,
        include: ["reasoning.encrypted_content"],
        reasoning: effort.map(|effort| match effort {
            "none" => json!({ "effort": effort }),
            effort => json!({ "effort": effort, "summary": "auto" }),
        }),
        sampling,
        text,
        tools: request.tools.iter().map(encode_tool).collect(),
        tool_choice: tool_choice(request),
        parallel_tool_calls: parallel_calls(request),
        instructions: request.system.trim(),
        input,
    };
    let dialect = Dialect::OTHER.at(base_url);
    outgoing::post(dialect.address(base_url, "/responses"), dialect.auth(), outgoing::SSE, &body)
}

pub(super) fn list_models(base_url: &str) -> HttpRequest {
    openai_chat::list_models(&Dialect::OTHER, base_url)
}

/// Unasked not `strict`, which would make every argument a required one.
fn encode_tool(tool: &ToolSpec) -> Value {
    json!({
        "type": "function",
        "name": plain_token(&tool.name, NAME_LIMIT),
        "description": tool.description,
        "parameters": schema::clean(&tool.input_schema, &SCHEMA),
        "strict": tool.strict,
    })
}

fn encode_form(form: &Form) -> Value {
    match form {
        Form::Json => json!({ "type": "json_object" }),
        Form::Schema(schema) => {
            let mut format = encode_schema(schema);
            format["type"] = json!("json_schema");
            format
        }
    }
}

fn encode_message(message: &ModelMessage, input: &mut Vec<Value>) {
    match message {
        ModelMessage::User { text, media } => {
            let content = with_media(text, media);
            if !content.is_empty() {
                input.push(json!({ "role": "user", "content": content }));
            }
        }
        ModelMessage::Assistant { blocks } => encode_blocks(blocks, input),
        ModelMessage::Tools { results } => input.extend(results.iter().map(encode_result)),
    }
}

fn encode_blocks(blocks: &[Block], input: &mut Vec<Value>) {
    // The parts of one summary are blocks of their own, the last of which is signed.
    let mut summary = Vec::new();
    for block in blocks {
        match block {
            Block::Text { text } if text.trim().is_empty() => {}
            Block::Text { text } => {
                summary.clear();
                let content = json!([{ "type": "output_text", "text": text }]);
                input.push(json!({ "type": "message", "role": "assistant", "content": content }));
            }
            Block::Reasoning { text, signature } => {
                if !text.is_empty() {
                    summary.push(json!({ "type": "summary_text", "text": text }));
                }
                let own = signature.as_deref().and_then(|signature| signature.strip_prefix(SIGNED));
                if let Some((id, encrypted)) = own.and_then(|own| own.split_once(':')) {
                    input.push(json!({
                        "type": "reasoning",
                        "id": id,
                        "summary": std::mem::take(&mut summary),
                        "encrypted_content": encrypted,
                    }));
                } else if signature.is_some() {
                    summary.clear();
                }
            }
            Block::ToolUse(call) => {
                summary.clear();
                input.push(json!({
                    "type": "function_call",
                    "call_id": encode_id(&call.id.0),
                    "name": plain_token(&call.name, NAME_LIMIT),
                    "arguments": object_input(&call.input).to_string(),
                }));
            }
        }
    }
}

/// The wire has no field for an error.
fn encode_result(result: &ToolResult) -> Value {
    let mark = if result.is_error { "Error: " } else { "" };
    let text = format!("{mark}{}", result.content);
    let output = match result.media.as_slice() {
        [] => json!(text),
        media => json!(with_media(&text, media)),
    };
    json!({ "type": "function_call_output", "call_id": encode_id(&result.call.0), "output": output })
}

fn with_media(text: &str, media: &[Media]) -> Vec<Value> {
    let text = (!text.trim().is_empty()).then(|| text_part(text));
    media.iter().map(encode_media).chain(text).collect()
}

fn encode_media(media: &Media) -> Value {
    if outgoing::is_image(media) {
        return json!({ "type": "input_image", "image_url": outgoing::data_url(media) });
    }
    if outgoing::is_pdf(media) {
        let name = media.name.as_deref().unwrap_or("document.pdf");
        return json!({ "type": "input_file", "filename": name, "file_data": outgoing::data_url(media) });
    }
    text_part(&outgoing::note(media))
}

fn text_part(text: &str) -> Value {
    json!({ "type": "input_text", "text": text })
}

fn encode_id(id: &str) -> String {
    plain_token(id, 64)
}
