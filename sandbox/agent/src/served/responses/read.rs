//! A request for a response.

use crate::served::conversation::{Answered, Conversation};
use crate::served::{Asked, Trouble, fields};
use protocol::CallId;
use protocol::model::{Block, Media, ModelRequest, ToolCall, ToolSpec};
use serde_json::Value;

pub(in crate::served) fn read(body: &Value) -> Result<Asked, Trouble> {
    let model = fields::model(body)?;
    for field in ["previous_response_id", "conversation"] {
        if !body[field].is_null() {
            let what = format!(
                "Nothing is kept here between requests: leave {field} out and send the whole conversation as input."
            );
            return Err(Trouble::field(field, what));
        }
    }
    let mut conversation = Conversation::default();
    conversation.instruct(body["instructions"].as_str().unwrap_or_default());
    match &body["input"] {
        Value::String(text) => conversation.ask(text.clone(), Vec::new()),
        _ => {
            for item in fields::list(body, "input")? {
                take(item, &mut conversation)?;
            }
        }
    }
    if let Some(words) = fields::json_wanted(&body["text"]["format"]) {
        conversation.instruct(&words);
    }
    let (system, messages) = conversation.finish("input")?;
    let tools =
        fields::list_or_none(body, "tools")?.iter().map(tool).collect::<Result<Vec<ToolSpec>, Trouble>>()?;
    let (tools, tool_choice) = fields::chosen(tools, &body["tool_choice"])?;
    Ok(Asked {
        request: ModelRequest {
            model,
            system,
            tools,
            tool_choice,
            messages: messages.into(),
            max_output_tokens: fields::most_tokens(body, &["max_output_tokens"])?,
            effort: fields::effort(&body["reasoning"]["effort"]),
        },
        stream: fields::is_true(body, "stream")?,
        counts: true,
    })
}

fn take(item: &Value, conversation: &mut Conversation) -> Result<(), Trouble> {
    match item["type"].as_str() {
        Some("message") | None => message(item, conversation),
        Some("function_call") => {
            conversation.say(vec![Block::ToolUse(ToolCall {
                id: CallId(fields::text(item, "call_id")?.to_owned()),
                name: fields::text(item, "name")?.to_owned(),
                input: fields::arguments(item["arguments"].as_str().unwrap_or_default()),
            })]);
            Ok(())
        }
        Some("function_call_output") => {
            let (content, media) = content(&item["output"])?;
            let answered = Answered { content, media, is_error: false };
            conversation.answer("input", fields::text(item, "call_id")?, answered)
        }
        Some("reasoning") => {
            let parts = fields::list_or_none(item, "summary")?;
            let texts: Vec<&str> = parts.iter().filter_map(|part| part["text"].as_str()).collect();
            let signature = item["encrypted_content"].as_str().map(str::to_owned);
            conversation.say(vec![Block::Reasoning { text: texts.join("\n\n"), signature }]);
            Ok(())
        }
        Some(kind) => Err(Trouble::field("input", format!("An item of the type {kind} is not read here."))),
    }
}

fn message(item: &Value, conversation: &mut Conversation) -> Result<(), Trouble> {
    let (text, media) = content(&item["content"])?;
    match item["role"].as_str() {
        Some("system" | "developer") => conversation.instruct(&text),
        Some("user") => conversation.ask(text, media),
        Some("assistant") => conversation.say(vec![Block::Text { text }]),
        _ => {
            let what = "The role of a message is system, developer, user or assistant.";
            return Err(Trouble::field("input", what));
        }
    }
    Ok(())
}

fn content(content: &Value) -> Result<(String, Vec<Media>), Trouble> {
    let parts = match content {
        Value::Null => return Ok((String::new(), Vec::new())),
        Value::String(text) => return Ok((text.clone(), Vec::new())),
        Value::Array(parts) => parts,
        _ => return Err(Trouble::field("input", "Content is a text or a list of parts.")),
    };
    let (mut texts, mut media) = (Vec::new(), Vec::new());
    for part in parts {
        match part["type"].as_str() {
            Some("input_text" | "output_text" | "text") => texts.push(fields::text(part, "text")?),
            Some("refusal") => texts.push(fields::text(part, "refusal")?),
            Some("input_image") => {
                media.push(fields::media("input", fields::text(part, "image_url")?, None)?)
            }
            Some("input_file") => {
                let url = fields::text(part, "file_data")?;
                media.push(fields::media("input", url, part["filename"].as_str())?);
            }
            kind => {
                let kind = kind.unwrap_or("no name");
                return Err(Trouble::field("input", format!("A part of the type {kind} is not read here.")));
            }
        }
    }
    Ok((texts.join("\n\n"), media))
}

fn tool(tool: &Value) -> Result<ToolSpec, Trouble> {
    if tool["type"] != "function" {
        let what = "Tools that run at their maker's are not passed on: declare functions of your own.";
        return Err(Trouble::field("tools", what));
    }
    Ok(fields::tool(fields::text(tool, "name")?, &tool["description"], &tool["parameters"]))
}
