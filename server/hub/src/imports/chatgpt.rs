//! The export of ChatGPT: conversations as trees of messages by their ids, each with the message that was shown
//! last.

use super::conversation::{Conversation, Speaker, count, time};
use super::line::{Node, Tree};
use crate::conversations::fenced;
use serde_json::Value;

pub(super) fn fits(value: &Value) -> bool {
    value.get("mapping").is_some_and(Value::is_object)
}

pub(super) fn read(value: &Value) -> Conversation {
    let id = value.get("conversation_id").or_else(|| value.get("id"));
    let mut read = Conversation::new(id, value.get("title"), time(value.get("create_time")));
    let nodes = value.get("mapping").and_then(Value::as_object).into_iter().flatten();
    let nodes = nodes.map(|(id, node)| Node {
        id: id.clone(),
        parent: node.get("parent").and_then(Value::as_str).map(str::to_owned),
        at: time(node.pointer("/message/create_time")),
        message: node,
    });
    let tree = Tree::new(nodes.collect());
    let line = tree.line(value.get("current_node").and_then(Value::as_str));
    let said = tree.messages().filter(|node| is_said(node)).count();
    let on_line = line.messages.iter().filter(|node| is_said(node)).count();
    count(&mut read.left_out.branches, said.saturating_sub(on_line));
    read.note_line(&line);
    for node in line.messages {
        match node.get("message") {
            Some(message) if !message.is_null() => take(&mut read, message),
            Some(_) | None => {}
        }
    }
    read.finish()
}

fn take(read: &mut Conversation, message: &Value) {
    let kind = message.pointer("/content/content_type").and_then(Value::as_str).unwrap_or_default();
    let recipient = message.get("recipient").and_then(Value::as_str).unwrap_or("all");
    let left_out = &mut read.left_out;
    let by = match message.pointer("/author/role").and_then(Value::as_str) {
        Some("user") => Speaker::Person,
        Some("assistant") => Speaker::Agent,
        Some("tool") => return left_out.tools += 1,
        Some("system") => return left_out.hidden += u32::from(!is_blank(message)),
        Some(_) | None => return left_out.unreadable += 1,
    };
    if is_hidden(message) {
        return left_out.hidden += 1;
    }
    if recipient != "all" {
        return left_out.tools += 1;
    }
    if let Some(attached) = message.pointer("/metadata/attachments").and_then(Value::as_array) {
        let is_picture = |file: &&Value| {
            let mime = file.get("mime_type").or_else(|| file.get("mimeType")).and_then(Value::as_str);
            mime.is_some_and(|mime| mime.starts_with("image/"))
        };
        // Pictures stand among the parts as well.
        count(&mut left_out.files, attached.len() - attached.iter().filter(is_picture).count());
    }
    let text = match kind {
        "text" | "multimodal_text" => text_of(message, read),
        "code" => {
            let text = message.pointer("/content/text").and_then(Value::as_str).unwrap_or_default();
            fenced("", text)
        }
        "thoughts" | "reasoning_recap" => return left_out.thoughts += 1,
        "execution_output" | "tether_quote" | "tether_browsing_display" => return left_out.tools += 1,
        _ => return left_out.unreadable += 1,
    };
    read.say(by, time(message.get("create_time")), &text);
}

/// The texts among the parts. Others are counted.
fn text_of(message: &Value, read: &mut Conversation) -> String {
    let parts = message.pointer("/content/parts").and_then(Value::as_array);
    let mut texts = Vec::new();
    for part in parts.into_iter().flatten() {
        match part {
            Value::String(text) => texts.push(text.as_str()),
            Value::Object(fields) => match fields.get("content_type").and_then(Value::as_str) {
                Some("image_asset_pointer") => read.left_out.pictures += 1,
                Some("audio_transcription") => {
                    texts.extend(fields.get("text").and_then(Value::as_str));
                }
                Some(_) | None => read.left_out.files += 1,
            },
            Value::Null => {}
            Value::Bool(_) | Value::Number(_) | Value::Array(_) => read.left_out.unreadable += 1,
        }
    }
    texts.join("\n")
}

/// Whether a person or the model says something in it for all to see.
fn is_said(node: &Value) -> bool {
    let Some(message) = node.get("message") else { return false };
    matches!(message.pointer("/author/role").and_then(Value::as_str), Some("user" | "assistant"))
        && message.get("recipient").and_then(Value::as_str).is_none_or(|recipient| recipient == "all")
        && !is_hidden(message)
        && !is_blank(message)
}

fn is_hidden(message: &Value) -> bool {
    message.pointer("/metadata/is_visually_hidden_from_conversation").and_then(Value::as_bool) == Some(true)
        || message.pointer("/content/content_type").and_then(Value::as_str) == Some("user_editable_context")
}

fn is_blank(message: &Value) -> bool {
    let parts = message.pointer("/content/parts").and_then(Value::as_array);
    parts.is_some_and(|parts| {
        parts.iter().all(|part| part.is_null() || part.as_str().is_some_and(|text| text.trim().is_empty()))
    })
}
