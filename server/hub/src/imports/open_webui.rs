//! The export of Open WebUI: conversations as trees of messages by their ids, and older ones as lists. What a model
//! thought and which tools it called stands as HTML in the text of its answers.

use super::conversation::{Conversation, LeftOut, Speaker, count, time};
use super::line::{Line, Node, Tree};
use serde_json::Value;

pub(super) fn fits(value: &Value) -> bool {
    value.get("chat").is_some_and(Value::is_object)
}

pub(super) fn read(value: &Value) -> Conversation {
    let chat = value.get("chat").unwrap_or(&Value::Null);
    let title = value.get("title").or_else(|| chat.get("title"));
    let at = time(value.get("created_at")).or_else(|| time(chat.get("timestamp")));
    let mut read = Conversation::new(value.get("id"), title, at);
    let line = match chat.pointer("/history/messages").and_then(Value::as_object) {
        Some(messages) => {
            let nodes = messages.iter().map(|(id, message)| Node {
                id: id.clone(),
                parent: message.get("parentId").and_then(Value::as_str).map(str::to_owned),
                at: time(message.get("timestamp")),
                message,
            });
            let line =
                Tree::new(nodes.collect()).line(chat.pointer("/history/currentId").and_then(Value::as_str));
            count(&mut read.left_out.branches, messages.len().saturating_sub(line.messages.len()));
            line
        }
        None => {
            let messages = chat.get("messages").and_then(Value::as_array).into_iter().flatten();
            Line { messages: messages.collect(), is_broken: false }
        }
    };
    read.note_line(&line);
    line.messages.into_iter().for_each(|message| take(&mut read, message));
    read.finish()
}

fn take(read: &mut Conversation, message: &Value) {
    let by = match message.get("role").and_then(Value::as_str) {
        Some("user") => Speaker::Person,
        Some("assistant") => Speaker::Agent,
        Some("tool") => return read.left_out.tools += 1,
        Some("system") => return read.left_out.hidden += 1,
        Some(_) | None => return read.left_out.unreadable += 1,
    };
    for file in message.get("files").and_then(Value::as_array).into_iter().flatten() {
        match file.get("type").and_then(Value::as_str) {
            Some("image") => read.left_out.pictures += 1,
            Some(_) | None => read.left_out.files += 1,
        }
    }
    let mut texts = Vec::new();
    match message.get("content") {
        Some(Value::String(text)) => texts.push(text.as_str()),
        Some(Value::Array(parts)) => {
            for part in parts {
                match part.get("type").and_then(Value::as_str) {
                    Some("text") => texts.extend(part.get("text").and_then(Value::as_str)),
                    Some("image_url") => read.left_out.pictures += 1,
                    Some(_) | None => read.left_out.unreadable += 1,
                }
            }
        }
        Some(Value::Null) | None => {}
        Some(Value::Bool(_) | Value::Number(_) | Value::Object(_)) => read.left_out.unreadable += 1,
    }
    let text = texts.join("\n");
    let text = match by {
        Speaker::Person => text,
        Speaker::Agent => without_details(&text, &mut read.left_out),
    };
    read.say(by, time(message.get("timestamp")), &text);
}

/// The answer without the parts that Open WebUI folds away.
fn without_details(text: &str, left_out: &mut LeftOut) -> String {
    let (mut kept, mut rest) = (String::new(), text);
    while let Some((before, behind)) = rest.split_once("<details type=\"") {
        let folded = behind.split_once('"').and_then(|(kind, within)| {
            let left = match kind {
                "reasoning" => &mut left_out.thoughts,
                "tool_calls" | "code_interpreter" => &mut left_out.tools,
                _ => return None,
            };
            let (_, after) = within.split_once("</details>")?;
            *left += 1;
            Some(after)
        });
        kept.push_str(before);
        rest = match folded {
            Some(after) => after,
            None => {
                kept.push_str("<details type=\"");
                behind
            }
        };
    }
    kept.push_str(rest);
    kept
}
