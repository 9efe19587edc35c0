//! Gemini `generateContent`, streamed: requests. The stream is in `gemini/stream.rs`.

use super::outgoing::{self, caption, object_input, plain_token};
use super::{Auth, HttpRequest, base_url, models, sampling, schema};
use protocol::model::{
    Block, Effort, Form, Media, MessageList, ModelMessage, ModelRequest, ToolChoice, ToolResult, ToolSpec,
};
use serde::Serialize;
use serde_json::{Value, json};

mod arguments;
mod stream;

pub(super) use stream::Stream;

pub(super) const BASE_URL: &str = "https://generativelanguage.googleapis.com";

pub(super) const MODELS: &[&str] = &[
    "gemini-3-pro-preview",
    "gemini-3-flash-preview",
    "gemini-2.5-pro",
    "gemini-2.5-flash",
    "gemini-2.5-flash-lite",
];

pub(super) const LIST: models::Shape = models::Shape {
    list: "models",
    name: "name",
    prefix: "models/",
    is_for_talk: |model| match model["supportedGenerationMethods"].as_array() {
        Some(methods) => methods.iter().any(|method| method == "generateContent"),
        None => true,
    },
};

/// Begins the signature of a thought, or of the part behind it.
const SIGNED: &str = "gemini:";

const NAME_LIMIT: usize = 64;

/// <https://ai.google.dev/api/caching#Schema>
const SCHEMA: schema::Rules = schema::Rules {
    keep: &[
        "type",
        "format",
        "title",
        "description",
        "nullable",
        "enum",
        "maxItems",
        "minItems",
        "properties",
        "required",
        "minProperties",
        "maxProperties",
        "minLength",
        "maxLength",
        "pattern",
        "anyOf",
        "items",
        "minimum",
        "maximum",
    ],
    inline_refs: true,
    is_openapi: true,
    formats: &["enum", "date-time", "int32", "int64", "float", "double"],
    ..schema::Rules::ALL
};

pub(super) const SAMPLING: sampling::Names = sampling::Names {
    top_p: "topP",
    top_k: Some("topK"),
    presence_penalty: Some("presencePenalty"),
    frequency_penalty: Some("frequencyPenalty"),
    seed: Some("seed"),
    stop: Some("stopSequences"),
    ..sampling::Names::FEW
};

/// What it does not know of an answer's schema it passes over.
const FORM: schema::Rules = schema::Rules { drop: &["$schema", "$comment"], ..schema::Rules::ALL };

/// Contents come last, so that the bytes before them stay equal from turn to turn.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    generation_config: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    system_instruction: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_config: Option<Value>,
    contents: Vec<Value>,
}

const AUTH: Auth = Auth::Header("x-goog-api-key");

pub(super) fn encode(base_url: &str, request: &ModelRequest) -> HttpRequest {
    let model = request.model.strip_prefix("models/").unwrap_or(&request.model);
    let mut generation_config = json!({ "maxOutputTokens": request.max_output_tokens });
    if let Some(thinking) = request.effort.and_then(|effort| thinking(model, effort)) {
        generation_config["thinkingConfig"] = thinking;
    }
    sampling::add(&mut generation_config, &request.sampling, &SAMPLING);
    if let Some(form) = &request.sampling.form {
        generation_config["responseMimeType"] = json!("application/json");
        if let Form::Schema(form) = form {
            generation_config["responseJsonSchema"] = schema::clean_form(&form.schema, &FORM);
        }
    }
    let declarations: Vec<Value> = request.tools.iter().map(encode_tool).collect();
    let has_tools = !declarations.is_empty();
    let body = Body {
        generation_config,
        system_instruction: (!request.system.trim().is_empty())
            .then(|| json!({ "parts": [{ "text": request.system }] })),
        tools: has_tools.then(|| json!([{ "functionDeclarations": declarations }])),
        tool_config: match request.tool_choice {
            ToolChoice::None if has_tools => Some(json!({ "functionCallingConfig": { "mode": "NONE" } })),
            ToolChoice::Required if has_tools => Some(json!({ "functionCallingConfig": { "mode": "ANY" } })),
            ToolChoice::None | ToolChoice::Required | ToolChoice::Auto => None,
        },
        contents: encode_messages(&request.messages, model),
    };
    let path = format!("/models/{}:streamGenerateContent?alt=sse", base_url::encode_part(model));
    outgoing::post(base_url::under(base_url, "/v1beta", &path), AUTH, outgoing::SSE, &body)
}

pub(super) fn list_models(base_url: &str) -> HttpRequest {
    outgoing::get(base_url::under(base_url, "/v1beta", "/models?pageSize=1000"), AUTH)
}

/// An error's own word on when to come back.
pub(super) fn retry_after(body: &[u8]) -> Option<u64> {
    let value: Value = serde_json::from_slice(body).ok()?;
    let error = value.get("error").or_else(|| value.get(0)?.get("error"))?;
    let delay = error["details"].as_array()?.iter().find_map(|detail| detail["retryDelay"].as_str())?;
    super::errors::parse_retry_after(delay.strip_suffix('s')?)
}

/// Third and later generations know levels, the one before a number of tokens, earlier ones nothing.
fn thinking(model: &str, effort: Effort) -> Option<Value> {
    let is_pro = model.contains("pro");
    if model.contains("gemini-2.5") {
        let budget = match effort {
            Effort::Off if is_pro => 128,
            Effort::Off => 0,
            Effort::Low => 1024,
            Effort::Medium => 8192,
            Effort::High => 24_576,
        };
        return Some(json!({ "thinkingBudget": budget, "includeThoughts": budget > 0 }));
    }
    let generation = model.strip_prefix("gemini-")?.chars().next()?.to_digit(10)?;
    let level = match effort {
        _ if generation < 3 => return None,
        Effort::Off if is_pro => "low",
        Effort::Off => "minimal",
        Effort::Low => "low",
        // The first Pro of the generation knows no middle.
        Effort::Medium if model.contains("gemini-3-pro") => "high",
        Effort::Medium => "medium",
        Effort::High => "high",
    };
    Some(json!({ "thinkingLevel": level, "includeThoughts": effort != Effort::Off }))
}

/// A tool without arguments has no parameters: an object without properties is refused.
fn encode_tool(tool: &ToolSpec) -> Value {
    let mut declaration =
        json!({ "name": plain_token(&tool.name, NAME_LIMIT), "description": tool.description });
    let parameters = schema::clean(&tool.input_schema, &SCHEMA);
    if parameters["properties"].as_object().is_some_and(|properties| !properties.is_empty()) {
        declaration["parameters"] = parameters;
    }
    declaration
}

/// Neighbours of one role become one content.
fn encode_messages(messages: &MessageList, model: &str) -> Vec<Value> {
    let mut contents: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in messages {
        let (role, parts) = match message {
            ModelMessage::User { text, media } => ("user", with_media(text, media)),
            ModelMessage::Assistant { blocks } => ("model", encode_blocks(blocks)),
            ModelMessage::Tools { results } => ("user", encode_results(results, model)),
        };
        match contents.last_mut() {
            _ if parts.is_empty() => {}
            Some((last, known)) if *last == role => known.extend(parts),
            _ => contents.push((role, parts)),
        }
    }
    contents.into_iter().map(|(role, parts)| json!({ "role": role, "parts": parts })).collect()
}

fn encode_blocks(blocks: &[Block]) -> Vec<Value> {
    let mut parts = Vec::new();
    let mut pending: Option<&str> = None;
    for block in blocks {
        let mut part = match block {
            Block::Text { text } => match text_part(text) {
                Some(part) => part,
                None => continue,
            },
            Block::Reasoning { text, signature } => {
                let own = signature.as_deref().and_then(|signature| signature.strip_prefix(SIGNED));
                let Some(own) = own else { continue };
                if text.is_empty() {
                    parts.extend(pending.replace(own).map(bare_signature));
                    continue;
                }
                json!({ "text": text, "thought": true, "thoughtSignature": own })
            }
            Block::ToolUse(call) => json!({
                "functionCall": { "name": plain_token(&call.name, NAME_LIMIT), "args": object_input(&call.input) },
            }),
        };
        if let Some(signature) = pending.take() {
            part["thoughtSignature"] = json!(signature);
        }
        parts.push(part);
    }
    parts.extend(pending.map(bare_signature));
    parts
}

/// A signature that came at the end, with no text of its own.
fn bare_signature(signature: &str) -> Value {
    json!({ "text": "", "thoughtSignature": signature })
}

/// Results are matched to calls by order. From the third generation on they may hold pictures and documents; what
/// else there is, and all before, stands beside them.
fn encode_results(results: &[ToolResult], model: &str) -> Vec<Value> {
    let holds_files = !["gemini-1", "gemini-2"].iter().any(|old| model.contains(old));
    let mut parts = Vec::new();
    let mut beside = Vec::new();
    for result in results {
        let key = if result.is_error { "error" } else { "output" };
        let content = serde_json::from_str::<Value>(&result.content).ok().filter(Value::is_object);
        let response = match content {
            Some(object) if !result.is_error => object,
            _ => json!({ key: result.content }),
        };
        let mut part = json!({ "functionResponse": { "name": plain_token(&result.name, NAME_LIMIT), "response": response } });
        let files: Vec<Value> = result.media.iter().map(encode_media).collect();
        match holds_files && !files.is_empty() && result.media.iter().all(is_held_by_results) {
            true => part["functionResponse"]["parts"] = json!(files),
            false if files.is_empty() => {}
            false => {
                beside.push(json!({ "text": caption(&result.name) }));
                beside.extend(files);
            }
        }
        parts.push(part);
    }
    parts.extend(beside);
    parts
}

fn with_media(text: &str, media: &[Media]) -> Vec<Value> {
    media.iter().map(encode_media).chain(text_part(text)).collect()
}

pub(super) fn takes(media: &Media) -> bool {
    let is_heard = media.mime.starts_with("audio/") || media.mime.starts_with("video/");
    is_held_by_results(media) || is_heard
}

/// No GIF is looked at.
fn is_held_by_results(media: &Media) -> bool {
    let is_shown = outgoing::is_image_or_pdf(media) && media.mime != "image/gif";
    is_shown || media.mime == "text/plain"
}

fn encode_media(media: &Media) -> Value {
    if takes(media) {
        return json!({ "inlineData": { "mimeType": media.mime, "data": media.data } });
    }
    json!({ "text": outgoing::note(media) })
}

fn text_part(text: &str) -> Option<Value> {
    (!text.is_empty()).then(|| json!({ "text": text }))
}
