//! The export of LibreChat: one conversation, with its messages in a list or each within the one that it answers.

use super::conversation::{Conversation, Speaker, count, time};
use super::line::{Node, Tree};
use super::split::unnested;
use serde_json::Value;

/// Where messages stand.
const NESTED: &[&str] = &["messagesTree", "messages", "children"];

/// Of the conversation without its messages.
pub(super) fn fits(head: &Value) -> bool {
    head.get("conversationId").is_some_and(Value::is_string)
        && NESTED[..2].iter().any(|name| head.get(name).is_some_and(Value::is_array))
}

/// The conversation without its messages, which may be nested deeper than anybody reads JSON.
pub(super) fn head(json: &[u8]) -> Option<Value> {
    let parts = unnested(json, NESTED);
    serde_json::from_slice(&parts.first()?.json).ok()
}

pub(super) fn read(json: &[u8]) -> Conversation {
    let parts = unnested(json, NESTED);
    let values: Vec<Option<Value>> =
        parts.iter().map(|part| serde_json::from_slice(&part.json).ok()).collect();
    let head = values.first().and_then(Option::as_ref).unwrap_or(&Value::Null);
    let mut read = Conversation::new(head.get("conversationId"), head.get("title"), None);
    let id_of = |place: usize| {
        let own = values[place].as_ref().and_then(|value| value.get("messageId")).and_then(Value::as_str);
        own.map_or_else(|| place.to_string(), str::to_owned)
    };
    let mut nodes = Vec::new();
    for (place, part) in parts.iter().enumerate().skip(1) {
        let Some(message) = &values[place] else {
            read.left_out.unreadable += 1;
            continue;
        };
        let parent = match part.within {
            Some(within) if within > 0 => Some(id_of(within)),
            Some(_) | None => message.get("parentMessageId").and_then(Value::as_str).map(str::to_owned),
        };
        nodes.push(Node { id: id_of(place), parent, at: time(message.get("createdAt")), message });
    }
    let tree = Tree::new(nodes);
    let line = tree.line(None);
    count(&mut read.left_out.branches, tree.messages().count().saturating_sub(line.messages.len()));
    read.note_line(&line);
    line.messages.into_iter().for_each(|message| take(&mut read, message));
    read.finish()
}

fn take(read: &mut Conversation, message: &Value) {
    let by = match message.get("isCreatedByUser").and_then(Value::as_bool) {
        Some(true) => Speaker::Person,
        Some(false) => Speaker::Agent,
        None => return read.left_out.unreadable += 1,
    };
    for file in ["files", "attachments"].iter().filter_map(|name| message.get(name)?.as_array()).flatten() {
        match file.get("type").and_then(Value::as_str) {
            Some(mime) if mime.starts_with("image/") => read.left_out.pictures += 1,
            Some(_) | None => read.left_out.files += 1,
        }
    }
    let mut texts = Vec::new();
    for part in message.get("content").and_then(Value::as_array).into_iter().flatten() {
        match part.get("type").and_then(Value::as_str) {
            Some("text") => {
                let text = part.get("text");
                texts.extend(text.and_then(|text| text.as_str().or_else(|| text.get("value")?.as_str())));
            }
            Some("think") => read.left_out.thoughts += 1,
            Some("tool_call") => read.left_out.tools += 1,
            Some("image_file" | "image_url") => read.left_out.pictures += 1,
            Some(_) | None => read.left_out.unreadable += 1,
        }
    }
    if texts.is_empty() {
        texts.extend(message.get("text").and_then(Value::as_str));
    }
    read.say(by, time(message.get("createdAt")), &texts.join("\n\n"));
}
