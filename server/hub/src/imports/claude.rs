//! The export of Claude: conversations as lists of messages, which say what they answer where there are branches.

use super::conversation::{Conversation, Speaker, count, time};
use super::line::{Node, Tree};
use serde_json::Value;

pub(super) fn fits(value: &Value) -> bool {
    value.get("chat_messages").is_some_and(Value::is_array)
}

pub(super) fn read(value: &Value) -> Conversation {
    let mut read = Conversation::new(value.get("uuid"), value.get("name"), time(value.get("created_at")));
    let messages = value.get("chat_messages").and_then(Value::as_array).into_iter().flatten();
    let mut before = None;
    let mut nodes = Vec::new();
    for (place, message) in messages.enumerate() {
        let id = message.get("uuid").and_then(Value::as_str).map_or_else(|| place.to_string(), str::to_owned);
        let parent = message.get("parent_message_uuid").and_then(Value::as_str).map(str::to_owned);
        let parent = parent.or_else(|| before.take());
        before = Some(id.clone());
        nodes.push(Node { id, parent, at: time(message.get("created_at")), message });
    }
    let last = value.get("current_leaf_message_uuid").and_then(Value::as_str).map(str::to_owned).or(before);
    let tree = Tree::new(nodes);
    let line = tree.line(last.as_deref());
    count(&mut read.left_out.branches, tree.messages().count().saturating_sub(line.messages.len()));
    read.note_line(&line);
    line.messages.into_iter().for_each(|message| take(&mut read, message));
    read.finish()
}

fn take(read: &mut Conversation, message: &Value) {
    let by = match message.get("sender").and_then(Value::as_str) {
        Some("human") => Speaker::Person,
        Some("assistant") => Speaker::Agent,
        Some(_) | None => return read.left_out.unreadable += 1,
    };
    for files in ["attachments", "files"] {
        count(&mut read.left_out.files, message.get(files).and_then(Value::as_array).map_or(0, Vec::len));
    }
    let mut texts = Vec::new();
    for part in message.get("content").and_then(Value::as_array).into_iter().flatten() {
        match part.get("type").and_then(Value::as_str) {
            Some("text") => texts.extend(part.get("text").and_then(Value::as_str)),
            Some("thinking" | "redacted_thinking") => read.left_out.thoughts += 1,
            Some("tool_use" | "tool_result") => read.left_out.tools += 1,
            Some("image") => read.left_out.pictures += 1,
            Some(_) | None => read.left_out.unreadable += 1,
        }
    }
    if texts.is_empty() {
        texts.extend(message.get("text").and_then(Value::as_str));
    }
    read.say(by, time(message.get("created_at")), &texts.join("\n\n"));
}
