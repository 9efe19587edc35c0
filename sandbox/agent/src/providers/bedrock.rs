//! Amazon Bedrock's `ConverseStream`: requests. The stream is in `bedrock/stream.rs`.

use super::anthropic::Thinking;
use super::form::Keeps;
use super::outgoing::{self, object_input, plain_token};
use super::{Auth, HttpRequest, anthropic, base_url, models, openai_chat, sampling, schema};
use protocol::model::{
    Block, Form, FormSchema, Media, MessageList, ModelMessage, ModelRequest, ToolChoice, ToolResult, ToolSpec,
};
use serde::Serialize;
use serde_json::{Value, json};

mod stream;

pub(super) use stream::Stream;

const REGION: &str = "us-east-1";

pub(super) const BASE_URL: &str = "https://bedrock-runtime.us-east-1.amazonaws.com";

pub(super) const MODELS: &[&str] = &[
    "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    "us.anthropic.claude-haiku-4-5-20251001-v1:0",
    "us.amazon.nova-pro-v1:0",
    "us.amazon.nova-lite-v1:0",
    "openai.gpt-oss-120b-1:0",
    "us.meta.llama3-3-70b-instruct-v1:0",
];

pub(super) const LIST: models::Shape = models::Shape {
    list: "modelSummaries",
    name: "modelId",
    prefix: "",
    is_for_talk: |model| match model["outputModalities"].as_array() {
        Some(kinds) => kinds.iter().any(|kind| kind == "TEXT"),
        None => true,
    },
};

/// Begin the signatures of reasoning blocks, the second where all of it came encrypted.
const SIGNED: &str = "bedrock:";
const REDACTED: &str = "bedrock:redacted:";

const NAME_LIMIT: usize = 64;

const SAMPLING: sampling::Names =
    sampling::Names { warmest: 1.0, top_p: "topP", stop: Some("stopSequences"), ..sampling::Names::FEW };

/// A field of the model's maker's and not of the wire's.
const TOP_K: &str = "top_k";

/// Makers whose models know no schemas here.
const WITHOUT_FORMS: [&str; 4] = ["amazon.", "meta.llama", "cohere.", "ai21."];

const SCHEMA: schema::Rules = schema::Rules {
    drop: &["$schema", "$id", "$comment"],
    drop_at_root: UNIONS,
    inline_refs: true,
    ..schema::Rules::ALL
};

const STRICT: schema::Rules = schema::Rules { drop_at_root: UNIONS, ..anthropic::FORM };

const UNIONS: &[&str] = &["oneOf", "anyOf", "allOf", "not"];

/// Messages come last, so that the bytes before them stay equal from turn to turn.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    inference_config: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_model_request_fields: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_config: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_config: Option<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    system: Vec<Value>,
    messages: Vec<Value>,
}

pub(super) fn encode(base_url: &str, request: &ModelRequest) -> HttpRequest {
    let cache = Cache::of(&request.model);
    let mut tools: Vec<Value> = request.tools.iter().map(|tool| encode_tool(tool, &request.model)).collect();
    if cache == Cache::All && !tools.is_empty() {
        tools.push(cache_point());
    }
    let mut system = Vec::from_iter(text_block(&request.system));
    let mut messages = encode_messages(&request.messages);
    if cache != Cache::None {
        system.extend((!system.is_empty()).then(cache_point));
        let last_user = messages.iter_mut().rfind(|(role, _)| *role == "user");
        last_user.into_iter().for_each(|(_, content)| content.push(cache_point()));
    }
    let mut inference_config = json!({ "maxTokens": request.max_output_tokens });
    let names = sampling::Names { top_k: None, ..names(&request.model) };
    sampling::add(&mut inference_config, &request.sampling, &names);
    let body = Body {
        inference_config,
        additional_model_request_fields: own_fields(request),
        output_config: request.sampling.form.as_ref().and_then(output_config),
        tool_config: (!tools.is_empty()).then(|| tool_config(tools, request.tool_choice)),
        system,
        messages: messages
            .into_iter()
            .map(|(role, content)| json!({ "role": role, "content": content }))
            .collect(),
    };
    let (root, _) = base_url::root(base_url);
    let url = format!("{root}/model/{}/converse-stream", base_url::encode_part(&request.model));
    outgoing::post(url, auth(base_url), "application/vnd.amazon.eventstream", &body)
}

/// The list is at another host than the models.
pub(super) fn list_models(base_url: &str) -> HttpRequest {
    let (root, _) = base_url::root(base_url);
    let root = root.replacen("://bedrock-runtime.", "://bedrock.", 1);
    outgoing::get(format!("{root}/foundation-models"), auth(base_url))
}

/// The region is in the host's name: `bedrock-runtime.eu-west-1.amazonaws.com`.
fn auth(base_url: &str) -> Auth {
    let host = base_url::host(base_url);
    let region = host.split('.').find(|part| {
        let parts: Vec<&str> = part.split('-').collect();
        parts.len() >= 3 && parts.last().is_some_and(|last| last.parse::<u8>().is_ok())
    });
    Auth::SigV4 { service: "bedrock", region: region.unwrap_or(REGION).to_owned() }
}

/// What of a prompt a model's cache can hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cache {
    None,
    /// All but the tools.
    Prompt,
    All,
}

impl Cache {
    fn of(model: &str) -> Self {
        const WITHOUT: [&str; 5] =
            ["claude-instant", "claude-v2", "claude-3-haiku", "claude-3-sonnet", "claude-3-opus"];
        let is_old = WITHOUT.iter().any(|name| model.contains(name));
        match model {
            _ if is_old => Self::None,
            model if model.contains("anthropic.claude") => Self::All,
            model if model.contains("amazon.nova") => Self::Prompt,
            _ => Self::None,
        }
    }
}

fn cache_point() -> Value {
    json!({ "cachePoint": { "type": "default" } })
}

pub(super) fn names(model: &str) -> sampling::Names {
    let is_claude = is_claude(model);
    sampling::Names { one_of_both: is_claude, top_k: is_claude.then_some(TOP_K), ..SAMPLING }
}

pub(super) fn keeps(model: &str) -> Keeps {
    if WITHOUT_FORMS.iter().any(|name| model.contains(name)) {
        Keeps::Nothing
    } else {
        anthropic::keeps(model)
    }
}

fn is_claude(model: &str) -> bool {
    model.contains("anthropic.claude")
}

/// The schema goes as a text.
fn output_config(form: &Form) -> Option<Value> {
    let Form::Schema(form) = form else { return None };
    let FormSchema { name, description, schema, strict: _ } = form;
    let schema = schema::clean_form(schema, &anthropic::FORM).to_string();
    let mut structure = json!({ "name": plain_token(name, NAME_LIMIT), "schema": schema });
    if let Some(description) = description {
        structure["description"] = json!(description);
    }
    Some(json!({ "textFormat": { "type": "json_schema", "structure": { "jsonSchema": structure } } }))
}

/// What the model's maker has a field for and the wire has none.
fn own_fields(request: &ModelRequest) -> Option<Value> {
    if is_claude(&request.model) {
        let mut fields = serde_json::to_value(Thinking::of(request, SIGNED)).ok()?;
        if let Some(top_k) = request.sampling.top_k {
            fields[TOP_K] = json!(top_k);
        }
        return fields.as_object().is_some_and(|fields| !fields.is_empty()).then_some(fields);
    }
    let name = request.model.rsplit_once("openai.")?.1;
    let effort = openai_chat::effort::openai(name, request.effort?)?;
    Some(json!({ "reasoning_effort": effort }))
}

/// The wire cannot forbid the tools that it declares.
fn tool_config(tools: Vec<Value>, choice: ToolChoice) -> Value {
    match choice {
        ToolChoice::Auto | ToolChoice::None => json!({ "tools": tools }),
        ToolChoice::Required => json!({ "tools": tools, "toolChoice": { "any": {} } }),
    }
}

fn encode_tool(tool: &ToolSpec, model: &str) -> Value {
    let is_strict = tool.strict && keeps(model) == Keeps::Schemas;
    let rules = if is_strict { &STRICT } else { &SCHEMA };
    let mut spec = json!({
        "name": plain_token(&tool.name, NAME_LIMIT),
        "inputSchema": { "json": schema::clean(&tool.input_schema, rules) },
    });
    if is_strict {
        spec["strict"] = json!(true);
    }
    if !tool.description.trim().is_empty() {
        spec["description"] = json!(tool.description);
    }
    json!({ "toolSpec": spec })
}

/// Neighbours of one role become one message: roles have to alternate.
fn encode_messages(messages: &MessageList) -> Vec<(&'static str, Vec<Value>)> {
    let mut encoded: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in messages {
        let (role, content) = match message {
            ModelMessage::User { text, media } => ("user", encode_user(text, media)),
            ModelMessage::Assistant { blocks } => {
                ("assistant", blocks.iter().filter_map(encode_block).collect())
            }
            ModelMessage::Tools { results } => ("user", results.iter().map(encode_result).collect()),
        };
        match encoded.last_mut() {
            _ if content.is_empty() => {}
            Some((last, known)) if *last == role => known.extend(content),
            _ => encoded.push((role, content)),
        }
    }
    encoded
}

/// A document is refused without words beside it.
fn encode_user(text: &str, media: &[Media]) -> Vec<Value> {
    let mut content: Vec<Value> =
        media.iter().enumerate().map(|(at, media)| encode_media(at, media)).collect();
    content.extend(text_block(text));
    let has_document = content.iter().any(|block| block.get("document").is_some());
    if has_document && text_block(text).is_none() {
        content.push(json!({ "text": "[The files above.]" }));
    }
    content
}

fn encode_block(block: &Block) -> Option<Value> {
    match block {
        Block::Text { text } => text_block(text),
        Block::Reasoning { text, signature } => {
            let signature = signature.as_deref()?;
            if let Some(data) = signature.strip_prefix(REDACTED) {
                return Some(json!({ "reasoningContent": { "redactedContent": data } }));
            }
            let signature = signature.strip_prefix(SIGNED)?;
            Some(json!({ "reasoningContent": { "reasoningText": { "text": text, "signature": signature } } }))
        }
        Block::ToolUse(call) => Some(json!({ "toolUse": {
            "toolUseId": encode_id(&call.id.0),
            "name": plain_token(&call.name, NAME_LIMIT),
            "input": object_input(&call.input),
        } })),
    }
}

fn encode_result(result: &ToolResult) -> Value {
    let mut content: Vec<Value> = Vec::from_iter(text_block(&result.content));
    content.extend(result.media.iter().enumerate().map(|(at, media)| encode_media(at, media)));
    if content.is_empty() {
        content.push(json!({ "text": "[no output]" }));
    }
    let status = if result.is_error { "error" } else { "success" };
    json!({ "toolResult": { "toolUseId": encode_id(&result.call.0), "content": content, "status": status } })
}

pub(super) fn takes(media: &Media) -> bool {
    outgoing::is_image(media) || document_format(media).is_some()
}

fn encode_media(at: usize, media: &Media) -> Value {
    let source = json!({ "bytes": media.data });
    if outgoing::is_image(media) {
        let format = media.mime.trim_start_matches("image/");
        return json!({ "image": { "format": format, "source": source } });
    }
    let Some(format) = document_format(media) else { return json!({ "text": outgoing::note(media) }) };
    json!({ "document": { "format": format, "name": document_name(at, media), "source": source } })
}

fn document_format(media: &Media) -> Option<&'static str> {
    Some(match media.mime.as_str() {
        "application/pdf" => "pdf",
        "text/csv" => "csv",
        "text/html" => "html",
        "text/plain" => "txt",
        "text/markdown" => "md",
        "application/msword" => "doc",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document" => "docx",
        "application/vnd.ms-excel" => "xls",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" => "xlsx",
        _ => return None,
    })
}

/// Letters, digits, hyphens and single spaces, and another name for each: a name is an
/// instruction that the model reads.
fn document_name(at: usize, media: &Media) -> String {
    let name = media.name.as_deref().unwrap_or("document");
    let plain = name.chars().map(|char| if char.is_ascii_alphanumeric() || char == '-' { char } else { ' ' });
    let plain: String = plain.take(100).collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    format!("{} {}", words.join(" "), at + 1).trim_start().to_owned()
}

/// The wire refuses blank text.
fn text_block(text: &str) -> Option<Value> {
    (!text.trim().is_empty()).then(|| json!({ "text": text }))
}

fn encode_id(id: &str) -> String {
    plain_token(id, 64)
}
