//! A request for a response.

use crate::model_endpoints::conversation::{Conversation, ToolAnswer};
use crate::model_endpoints::{ApiError, Files, ParsedRequest, fields, files, form, tools};
use protocol::CallId;
use protocol::model::{Block, Media, ModelRequest, Sampling, ToolCall, ToolSpec};
use serde_json::Value;

/// What an answer repeats of its request.
const ECHO: [&str; 11] = [
    "instructions",
    "max_output_tokens",
    "metadata",
    "parallel_tool_calls",
    "reasoning",
    "temperature",
    "text",
    "tool_choice",
    "tools",
    "top_p",
    "user",
];

pub(in crate::model_endpoints) fn read(body: &Value, files: &Files) -> Result<ParsedRequest, ApiError> {
    let model = fields::model(body)?;
    for wanted in fields::list_or_none(body, "include")? {
        if wanted == "message.output_text.logprobs" {
            let what = "Probabilities of tokens are not passed on: leave message.output_text.logprobs out.";
            return Err(ApiError::field("include", what));
        }
    }
    let mut conversation = Conversation::default();
    conversation.instruct(body["instructions"].as_str().unwrap_or_default());
    match &body["input"] {
        Value::String(text) => conversation.ask(text.clone(), Vec::new()),
        _ => {
            for item in fields::list(body, "input")? {
                take(item, files, &mut conversation)?;
            }
        }
    }
    let (system, messages) = conversation.finish("input")?;
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
            max_output_tokens: fields::most_tokens(body, &["max_output_tokens"])?,
            effort: fields::effort(&body["reasoning"]["effort"], "reasoning")?,
            sampling: Box::new(Sampling {
                form: form::openai(&body["text"]["format"], "text.format")?,
                verbosity: fields::verbosity(&body["text"]["verbosity"], "text.verbosity")?,
                one_call: body["parallel_tool_calls"] == false,
                ..fields::sampling(body, "stop")?
            }),
        },
        stream: fields::is_true(body, "stream")?,
        counts: true,
        echo: ECHO
            .iter()
            .filter(|field| !body[**field].is_null())
            .map(|field| ((*field).to_owned(), body[*field].clone()))
            .collect(),
    })
}

fn take(item: &Value, files: &Files, conversation: &mut Conversation) -> Result<(), ApiError> {
    match item["type"].as_str() {
        Some("message") | None => message(item, files, conversation),
        Some("function_call") => {
            conversation.say(vec![Block::ToolUse(ToolCall {
                id: CallId(fields::text(item, "call_id")?.to_owned()),
                name: fields::text(item, "name")?.to_owned(),
                input: fields::arguments(item["arguments"].as_str().unwrap_or_default()),
            })]);
            Ok(())
        }
        Some("function_call_output") => {
            let (content, media) = content(&item["output"], files)?;
            let answered = ToolAnswer { content, media, is_error: false };
            conversation.answer("input", fields::text(item, "call_id")?, answered)
        }
        Some("reasoning") => {
            let parts = fields::list_or_none(item, "summary")?;
            let texts: Vec<&str> = parts.iter().filter_map(|part| part["text"].as_str()).collect();
            let signature = item["encrypted_content"].as_str().map(str::to_owned);
            conversation.say(vec![Block::Reasoning { text: texts.join("\n\n"), signature }]);
            Ok(())
        }
        Some(kind) => Err(ApiError::field("input", format!("An item of the type {kind} is not read here."))),
    }
}

fn message(item: &Value, files: &Files, conversation: &mut Conversation) -> Result<(), ApiError> {
    let (text, media) = content(&item["content"], files)?;
    match item["role"].as_str() {
        Some("system" | "developer") => conversation.instruct(&text),
        Some("user") => conversation.ask(text, media),
        Some("assistant") => conversation.say(vec![Block::Text { text }]),
        _ => {
            let what = "The role of a message is system, developer, user or assistant.";
            return Err(ApiError::field("input", what));
        }
    }
    Ok(())
}

fn content(content: &Value, files: &Files) -> Result<(String, Vec<Media>), ApiError> {
    let parts = match content {
        Value::Null => return Ok((String::new(), Vec::new())),
        Value::String(text) => return Ok((text.clone(), Vec::new())),
        Value::Array(parts) => parts,
        _ => return Err(ApiError::field("input", "Content is a text or a list of parts.")),
    };
    let (mut texts, mut media) = (Vec::new(), Vec::new());
    for part in parts {
        match part["type"].as_str() {
            Some("input_text" | "output_text" | "text") => texts.push(fields::text(part, "text")?),
            Some("refusal") => texts.push(fields::text(part, "refusal")?),
            Some("input_image" | "input_file") if !part["file_id"].is_null() => {
                return Err(files::no_store("input"));
            }
            Some("input_image") => media.push(files.at("input", fields::text(part, "image_url")?, None)?),
            Some("input_file") => {
                let place = if part["file_url"].is_null() { "file_data" } else { "file_url" };
                media.push(files.at("input", fields::text(part, place)?, part["filename"].as_str())?);
            }
            kind => {
                let kind = kind.unwrap_or("no name");
                return Err(ApiError::field("input", format!("A part of the type {kind} is not read here.")));
            }
        }
    }
    Ok((texts.join("\n\n"), media))
}

fn tool(tool: &Value) -> Result<ToolSpec, ApiError> {
    if tool["type"] != "function" {
        let what = "Tools that run at their maker's are not passed on: declare functions of your own.";
        return Err(ApiError::field("tools", what));
    }
    tools::tool(fields::text(tool, "name")?, tool, &tool["parameters"])
}
