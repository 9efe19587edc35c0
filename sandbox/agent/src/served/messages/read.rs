//! A request for a message.

use crate::context::Size;
use crate::facts;
use crate::served::conversation::{Answered, Conversation};
use crate::served::{Asked, Trouble, fields};
use protocol::CallId;
use protocol::model::{Block, Effort, Media, ModelRequest, ToolCall, ToolChoice, ToolSpec};
use serde_json::{Value, json};

pub(in crate::served) fn read(body: &Value) -> Result<Asked, Trouble> {
    let request = request(body)?;
    if request.max_output_tokens == 0 {
        return Err(Trouble::field("max_tokens", "max_tokens: Field required"));
    }
    Ok(Asked { request, stream: fields::is_true(body, "stream")?, counts: true })
}

/// About how many tokens the request has. No provider is asked.
pub(in crate::served) fn counted(body: &Value) -> Result<Value, Trouble> {
    let request = request(body)?;
    let tokens = Size::of(&request).about(facts::of(&request.model).context);
    Ok(json!({ "input_tokens": tokens }))
}

fn request(body: &Value) -> Result<ModelRequest, Trouble> {
    let model = fields::model(body)?;
    let mut conversation = Conversation::default();
    let (system, _) = words("system", &body["system"])?;
    conversation.instruct(&system);
    for message in fields::list(body, "messages")? {
        take(message, &mut conversation)?;
    }
    if let Some(words) = fields::json_wanted(&body["output_config"]["format"]) {
        conversation.instruct(&words);
    }
    let (system, messages) = conversation.finish("messages")?;
    let tools =
        fields::list_or_none(body, "tools")?.iter().map(tool).collect::<Result<Vec<ToolSpec>, Trouble>>()?;
    let (tools, tool_choice) = chosen(tools, &body["tool_choice"])?;
    Ok(ModelRequest {
        model,
        system,
        tools,
        tool_choice,
        messages: messages.into(),
        max_output_tokens: fields::most_tokens(body, &["max_tokens"])?,
        effort: effort(body),
        sampling: fields::sampling(body, "stop_sequences")?,
    })
}

fn take(message: &Value, conversation: &mut Conversation) -> Result<(), Trouble> {
    let content = &message["content"];
    match message["role"].as_str() {
        Some("user") => ask(content, conversation),
        Some("assistant") => {
            conversation.say(said(content)?);
            Ok(())
        }
        Some("system") => {
            conversation.instruct(&words("messages", content)?.0);
            Ok(())
        }
        _ => Err(Trouble::field("messages", "The role of a message is user or assistant.")),
    }
}

/// Results of tools come first, whatever their place: what a person says is about them.
fn ask(content: &Value, conversation: &mut Conversation) -> Result<(), Trouble> {
    let Value::Array(parts) = content else {
        let (text, media) = words("messages", content)?;
        conversation.ask(text, media);
        return Ok(());
    };
    let (results, others): (Vec<&Value>, Vec<&Value>) =
        parts.iter().partition(|part| part["type"] == "tool_result");
    for result in &results {
        let (content, media) = words("messages", &result["content"])?;
        let answered = Answered { content, media, is_error: result["is_error"] == true };
        conversation.answer("messages", fields::text(result, "tool_use_id")?, answered)?;
    }
    if !others.is_empty() || results.is_empty() {
        let (text, media) = parts_of("messages", others.into_iter())?;
        conversation.ask(text, media);
    }
    Ok(())
}

fn said(content: &Value) -> Result<Vec<Block>, Trouble> {
    let Value::Array(parts) = content else {
        return Ok(vec![Block::Text { text: words("messages", content)?.0 }]);
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
fn words(field: &str, content: &Value) -> Result<(String, Vec<Media>), Trouble> {
    match content {
        Value::Null => Ok((String::new(), Vec::new())),
        Value::String(text) => Ok((text.clone(), Vec::new())),
        Value::Array(parts) => parts_of(field, parts.iter()),
        _ => Err(Trouble::field(field, "Content is a text or a list of blocks.")),
    }
}

fn parts_of<'a>(
    field: &str,
    parts: impl Iterator<Item = &'a Value>,
) -> Result<(String, Vec<Media>), Trouble> {
    let (mut texts, mut media) = (Vec::new(), Vec::new());
    for part in parts {
        match part["type"].as_str() {
            Some("text") => texts.push(fields::text(part, "text")?.to_owned()),
            Some("image" | "document") => match file(field, part)? {
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

fn file(field: &str, part: &Value) -> Result<File, Trouble> {
    let source = &part["source"];
    match source["type"].as_str() {
        Some("base64") => Ok(File::Media(Media {
            mime: fields::text(source, "media_type")?.to_owned(),
            data: fields::text(source, "data")?.to_owned(),
            name: part["title"].as_str().map(str::to_owned),
        })),
        Some("text") => Ok(File::Text(fields::text(source, "data")?.to_owned())),
        _ => {
            let what =
                "Send files in base64. Addresses are not fetched from here, and there is no store of files.";
            Err(Trouble::field(field, what))
        }
    }
}

fn tool(tool: &Value) -> Result<ToolSpec, Trouble> {
    if !matches!(tool["type"].as_str(), None | Some("custom")) {
        let what = "Tools that run at their maker's are not passed on: declare tools of your own.";
        return Err(Trouble::field("tools", what));
    }
    Ok(fields::tool(fields::text(tool, "name")?, &tool["description"], &tool["input_schema"]))
}

fn chosen(tools: Vec<ToolSpec>, choice: &Value) -> Result<(Vec<ToolSpec>, ToolChoice), Trouble> {
    match choice["type"].as_str() {
        Some("none") => Ok((tools, ToolChoice::None)),
        Some("any") => Ok((tools, ToolChoice::Required)),
        Some("tool") => fields::only(tools, choice["name"].as_str().unwrap_or_default()),
        Some("auto") | None => Ok((tools, ToolChoice::Auto)),
        Some(kind) => Err(Trouble::field("tool_choice", format!("There is no tool_choice {kind}."))),
    }
}

/// Between the budgets that our own codec sends for low, medium and high.
fn effort(body: &Value) -> Option<Effort> {
    if let Some(effort) = fields::effort(&body["output_config"]["effort"]) {
        return Some(effort);
    }
    match body["thinking"]["type"].as_str()? {
        "disabled" => Some(Effort::Off),
        "enabled" => Some(match body["thinking"]["budget_tokens"].as_u64() {
            Some(..4096) => Effort::Low,
            Some(4096..16_384) | None => Effort::Medium,
            Some(16_384..) => Effort::High,
        }),
        _ => None,
    }
}

fn unread(kind: Option<&str>) -> Trouble {
    let kind = kind.unwrap_or("no name");
    Trouble::field("messages", format!("A block of the type {kind} is not read here."))
}
