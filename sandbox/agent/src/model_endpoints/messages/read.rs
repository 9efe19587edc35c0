//! A request for a message.

use crate::context::Size;
use crate::facts;
use crate::model_endpoints::conversation::{Conversation, ToolAnswer};
use crate::model_endpoints::{ApiError, Files, ParsedRequest, fields, files, form, tools};
use protocol::CallId;
use protocol::model::{Block, Effort, Form, Media, ModelRequest, Sampling, ToolCall, ToolChoice, ToolSpec};
use serde_json::{Map, Value, json};

pub(in crate::model_endpoints) fn read(body: &Value, files: &Files) -> Result<ParsedRequest, ApiError> {
    let request = request(body, files)?;
    if request.max_output_tokens == 0 {
        return Err(ApiError::field("max_tokens", "max_tokens: Field required"));
    }
    Ok(ParsedRequest { request, stream: fields::is_true(body, "stream")?, counts: true, echo: Map::new() })
}

/// About how many tokens the request has. No provider is asked.
pub(in crate::model_endpoints) fn counted(body: &Value) -> Result<Value, ApiError> {
    let request = request(body, &Files::default())?;
    let tokens = Size::of(&request).about(facts::of(&request.model).context);
    Ok(json!({ "input_tokens": tokens }))
}

fn request(body: &Value, files: &Files) -> Result<ModelRequest, ApiError> {
    let model = fields::model(body)?;
    let mut conversation = Conversation::default();
    let (system, _) = words("system", &body["system"], files)?;
    conversation.instruct(&system);
    for message in fields::list(body, "messages")? {
        take(message, files, &mut conversation)?;
    }
    let (system, messages) = conversation.finish("messages")?;
    let tools =
        fields::list_or_none(body, "tools")?.iter().map(tool).collect::<Result<Vec<ToolSpec>, ApiError>>()?;
    let (tools, tool_choice) = chosen(tools, &body["tool_choice"])?;
    Ok(ModelRequest {
        model,
        system,
        tools,
        tool_choice,
        messages: messages.into(),
        max_output_tokens: fields::most_tokens(body, &["max_tokens"])?,
        effort: effort(body)?,
        sampling: Box::new(Sampling {
            form: form(body)?,
            one_call: body["tool_choice"]["disable_parallel_tool_use"] == true,
            ..fields::sampling(body, "stop_sequences")?
        }),
    })
}

fn take(message: &Value, files: &Files, conversation: &mut Conversation) -> Result<(), ApiError> {
    let content = &message["content"];
    match message["role"].as_str() {
        Some("user") => ask(content, files, conversation),
        Some("assistant") => {
            conversation.say(said(content, files)?);
            Ok(())
        }
        Some("system") => {
            conversation.instruct(&words("messages", content, files)?.0);
            Ok(())
        }
        _ => Err(ApiError::field("messages", "The role of a message is user or assistant.")),
    }
}

/// Results of tools come first, whatever their place: what a person says is about them.
fn ask(content: &Value, files: &Files, conversation: &mut Conversation) -> Result<(), ApiError> {
    let Value::Array(parts) = content else {
        let (text, media) = words("messages", content, files)?;
        conversation.ask(text, media);
        return Ok(());
    };
    let (results, others): (Vec<&Value>, Vec<&Value>) =
        parts.iter().partition(|part| part["type"] == "tool_result");
    for result in &results {
        let (content, media) = words("messages", &result["content"], files)?;
        let answered = ToolAnswer { content, media, is_error: result["is_error"] == true };
        conversation.answer("messages", fields::text(result, "tool_use_id")?, answered)?;
    }
    if !others.is_empty() || results.is_empty() {
        let (text, media) = parts_of("messages", others.into_iter(), files)?;
        conversation.ask(text, media);
    }
    Ok(())
}

fn said(content: &Value, files: &Files) -> Result<Vec<Block>, ApiError> {
    let Value::Array(parts) = content else {
        return Ok(vec![Block::Text { text: words("messages", content, files)?.0 }]);
    };
    let mut blocks = Vec::new();
    for part in parts {
        blocks.push(match part["type"].as_str() {
            Some("text") => Block::Text { text: fields::text(part, "text")?.to_owned() },
            Some("thinking") => Block::Reasoning {
                text: fields::text(part, "thinking")?.to_owned(),
                signature: part["signature"].as_str().filter(|text| !text.is_empty()).map(str::to_owned),
            },
            Some("tool_use") => Block::ToolUse(ToolCall {
                id: CallId(fields::text(part, "id")?.to_owned()),
                name: fields::text(part, "name")?.to_owned(),
                input: part["input"].clone(),
            }),
            // Of another's making: nobody here can read it.
            Some("redacted_thinking") => continue,
            kind => return Err(unread(kind)),
        });
    }
    Ok(blocks)
}

/// A text, or parts of one.
fn words(field: &str, content: &Value, files: &Files) -> Result<(String, Vec<Media>), ApiError> {
    match content {
        Value::Null => Ok((String::new(), Vec::new())),
        Value::String(text) => Ok((text.clone(), Vec::new())),
        Value::Array(parts) => parts_of(field, parts.iter(), files),
        _ => Err(ApiError::field(field, "Content is a text or a list of blocks.")),
    }
}

fn parts_of<'a>(
    field: &str,
    parts: impl Iterator<Item = &'a Value>,
    files: &Files,
) -> Result<(String, Vec<Media>), ApiError> {
    let (mut texts, mut media) = (Vec::new(), Vec::new());
    for part in parts {
        match part["type"].as_str() {
            Some("text") => texts.push(fields::text(part, "text")?.to_owned()),
            Some("image" | "document") => match file(field, part, files)? {
                File::Media(file) => media.push(file),
                File::Text(text) => texts.push(text),
            },
            kind => return Err(unread(kind)),
        }
    }
    Ok((texts.join("\n\n"), media))
}

enum File {
    Media(Media),
    Text(String),
}

fn file(field: &str, part: &Value, files: &Files) -> Result<File, ApiError> {
    let (source, name) = (&part["source"], part["title"].as_str());
    match source["type"].as_str() {
        Some("base64") => {
            let (kind, data) = (fields::text(source, "media_type")?, fields::text(source, "data")?);
            Ok(File::Media(files::media(kind, data, name)))
        }
        Some("url") => Ok(File::Media(files.at(field, fields::text(source, "url")?, name)?)),
        Some("text") => Ok(File::Text(fields::text(source, "data")?.to_owned())),
        Some("content") => {
            let (text, _) = words(field, &source["content"], files)?;
            Ok(File::Text(text))
        }
        _ => Err(files::no_store(field)),
    }
}

fn tool(tool: &Value) -> Result<ToolSpec, ApiError> {
    if !matches!(tool["type"].as_str(), None | Some("custom")) {
        let what = "Tools that run at their maker's are not passed on: declare tools of your own.";
        return Err(ApiError::field("tools", what));
    }
    tools::tool(fields::text(tool, "name")?, tool, &tool["input_schema"])
}

fn chosen(tools: Vec<ToolSpec>, choice: &Value) -> Result<(Vec<ToolSpec>, ToolChoice), ApiError> {
    match choice["type"].as_str() {
        Some("none") => Ok((tools, ToolChoice::None)),
        Some("any") => Ok((tools, ToolChoice::Required)),
        Some("tool") => {
            let name = choice["name"].as_str().unwrap_or_default();
            Ok((tools::only(tools, &[name])?, ToolChoice::Required))
        }
        Some("auto") | None => Ok((tools, ToolChoice::Auto)),
        Some(kind) => Err(ApiError::field("tool_choice", format!("There is no tool_choice {kind}."))),
    }
}

/// Older clients have it one level further up.
fn form(body: &Value) -> Result<Option<Form>, ApiError> {
    let older = form::anthropic(&body["output_format"], "output_format")?;
    Ok(form::anthropic(&body["output_config"]["format"], "output_config.format")?.or(older))
}

/// Between the budgets that our own codec sends for low, medium and high. Without a word on effort Claude
/// makes a high one.
fn effort(body: &Value) -> Result<Option<Effort>, ApiError> {
    let thinking = &body["thinking"];
    let effort = fields::effort(&body["output_config"]["effort"], "output_config.effort")?;
    Ok(match thinking["type"].as_str() {
        None => effort,
        Some("disabled") => Some(Effort::Off),
        Some("adaptive" | "between_tools") => effort.or(Some(Effort::High)),
        Some("enabled") => effort.or(Some(match thinking["budget_tokens"].as_u64() {
            Some(..4096) => Effort::Low,
            Some(4096..16_384) | None => Effort::Medium,
            Some(16_384..) => Effort::High,
        })),
        Some(kind) => {
            return Err(ApiError::field("thinking", format!("There is no thinking of the type {kind}.")));
        }
    })
}

fn unread(kind: Option<&str>) -> ApiError {
    let kind = kind.unwrap_or("no name");
    ApiError::field("messages", format!("A block of the type {kind} is not read here."))
}
