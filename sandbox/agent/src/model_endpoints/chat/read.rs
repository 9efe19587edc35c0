//! A request for a chat completion.

use crate::model_endpoints::conversation::{Conversation, ToolAnswer};
use crate::model_endpoints::{ApiError, Files, ParsedRequest, fields, files, form, tools};
use protocol::CallId;
use protocol::model::{Block, Effort, Media, ModelRequest, Sampling, ToolCall, ToolSpec};
use serde_json::{Map, Value};

pub(in crate::model_endpoints) fn read(body: &Value, files: &Files) -> Result<ParsedRequest, ApiError> {
    let model = fields::model(body)?;
    let mut conversation = Conversation::default();
    for message in fields::list(body, "messages")? {
        take(message, files, &mut conversation)?;
    }
    let (system, messages) = conversation.finish("messages")?;
    let tools =
        fields::list_or_none(body, "tools")?.iter().map(tool).collect::<Result<Vec<ToolSpec>, ApiError>>()?;
    let (tools, tool_choice) = tools::chosen(tools, &body["tool_choice"])?;
    Ok(ParsedRequest {
        request: ModelRequest {
            model,
            system,
            tools,
            tool_choice,
            messages: messages.into(),
            max_output_tokens: fields::most_tokens(body, &["max_completion_tokens", "max_tokens"])?,
            effort: effort(body)?,
            sampling: Box::new(Sampling {
                form: form::openai(&body["response_format"], "response_format")?,
                verbosity: fields::verbosity(&body["verbosity"], "verbosity")?,
                one_call: body["parallel_tool_calls"] == false,
                ..fields::sampling(body, "stop")?
            }),
        },
        stream: fields::is_true(body, "stream")?,
        counts: body["stream_options"]["include_usage"] == true,
        echo: Map::new(),
    })
}

/// Servers of many models have it in an object of its own.
fn effort(body: &Value) -> Result<Option<Effort>, ApiError> {
    if body["reasoning"]["enabled"] == false {
        return Ok(Some(Effort::Off));
    }
    let nested = fields::effort(&body["reasoning"]["effort"], "reasoning")?;
    Ok(fields::effort(&body["reasoning_effort"], "reasoning_effort")?.or(nested))
}

fn take(message: &Value, files: &Files, conversation: &mut Conversation) -> Result<(), ApiError> {
    match message["role"].as_str() {
        Some("system" | "developer") => conversation.instruct(&content(message, files)?.0),
        Some("user") => {
            let (text, media) = content(message, files)?;
            conversation.ask(text, media);
        }
        Some("assistant") => conversation.say(said(message, files)?),
        Some("tool") => {
            let (content, media) = content(message, files)?;
            let answered = ToolAnswer { content, media, is_error: false };
            conversation.answer("messages", fields::text(message, "tool_call_id")?, answered)?;
        }
        Some(role) => {
            let what = format!("There is no role {role}: use system, developer, user, assistant or tool.");
            return Err(ApiError::field("messages", what));
        }
        None => return Err(ApiError::field("messages", "Each message has a role.")),
    }
    Ok(())
}

fn said(message: &Value, files: &Files) -> Result<Vec<Block>, ApiError> {
    let mut blocks = Vec::new();
    if let Some(thought) = message["reasoning_content"].as_str().filter(|thought| !thought.is_empty()) {
        blocks.push(Block::Reasoning { text: thought.to_owned(), signature: None });
    }
    let (text, _) = content(message, files)?;
    if !text.is_empty() {
        blocks.push(Block::Text { text });
    }
    for call in fields::list_or_none(message, "tool_calls")? {
        let function = &call["function"];
        blocks.push(Block::ToolUse(ToolCall {
            id: CallId(fields::text(call, "id")?.to_owned()),
            name: fields::text(function, "name")?.to_owned(),
            input: fields::arguments(function["arguments"].as_str().unwrap_or_default()),
        }));
    }
    Ok(blocks)
}

/// Text and files of a message.
fn content(message: &Value, files: &Files) -> Result<(String, Vec<Media>), ApiError> {
    let parts = match &message["content"] {
        Value::Null => return Ok((String::new(), Vec::new())),
        Value::String(text) => return Ok((text.clone(), Vec::new())),
        Value::Array(parts) => parts,
        _ => {
            return Err(ApiError::field(
                "messages",
                "The content of a message is a text or a list of parts.",
            ));
        }
    };
    let (mut texts, mut media) = (Vec::new(), Vec::new());
    for part in parts {
        match part["type"].as_str() {
            Some("text") => texts.push(fields::text(part, "text")?),
            Some("refusal") => texts.push(fields::text(part, "refusal")?),
            Some("image_url") => {
                let url = fields::text(&part["image_url"], "url")?;
                media.push(files.at("messages", url, None)?);
            }
            Some("file") => {
                let file = &part["file"];
                if !file["file_id"].is_null() {
                    return Err(files::no_store("messages"));
                }
                let url = fields::text(file, "file_data")?;
                media.push(files.at("messages", url, file["filename"].as_str())?);
            }
            kind => {
                let kind = kind.unwrap_or("no name");
                let what =
                    format!("A part of the type {kind} is not read here: use text, image_url or file.");
                return Err(ApiError::field("messages", what));
            }
        }
    }
    Ok((texts.join("\n\n"), media))
}

fn tool(tool: &Value) -> Result<ToolSpec, ApiError> {
    if tool["type"] != "function" {
        return Err(ApiError::field(
            "tools",
            "A tool is of the type function: others run at their makers only.",
        ));
    }
    let function = &tool["function"];
    tools::tool(fields::text(function, "name")?, function, &function["parameters"])
}
