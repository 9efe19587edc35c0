//! Anthropic Messages, as programs send and read them. A signature goes out as it is kept, with the name of
//! the wire that it came over, and comes back so: only that wire sends it on.

mod read;

use super::collected::{CollectedReply, event};
use super::fields::arguments_text;
use super::text_frame::TextFrame;
use super::{ApiError, Name};
use protocol::model::{Block, BlockKind, ModelEvent, StopReason, ToolCall, Usage};
use serde_json::{Value, json};
use std::collections::BTreeSet;

pub(super) use read::{counted, read};

pub(super) fn whole(name: &Name, heard: &CollectedReply, only_stop: Option<&str>) -> Value {
    let content: Vec<Value> = heard.blocks.iter().map(shown).collect();
    let mut message = message(name, &content, heard.stop, &heard.usage);
    message["stop_sequence"] = json!(heard.stop.and_then(|reason| stop_sequence(reason, only_stop)));
    message
}

fn message(name: &Name, content: &[Value], stop: Option<StopReason>, usage: &Usage) -> Value {
    json!({
        "id": format!("msg_{}", name.id),
        "type": "message",
        "role": "assistant",
        "model": name.model,
        "content": content,
        "stop_reason": stop.map(stop_reason),
        "stop_sequence": null,
        "usage": usage_of(usage),
    })
}

fn shown(block: &Block) -> Value {
    match block {
        Block::Text { text } => json!({ "type": "text", "text": text }),
        Block::Reasoning { text, signature } => {
            json!({ "type": "thinking", "thinking": text, "signature": signature.as_deref().unwrap_or_default() })
        }
        Block::ToolUse(ToolCall { id, name, input }) => {
            let input = match input {
                Value::Object(_) => input.clone(),
                // What is no object has no place on this wire.
                other => json!({ "invalid_json": arguments_text(other) }),
            };
            json!({ "type": "tool_use", "id": id, "name": name, "input": input })
        }
    }
}

#[derive(Debug)]
pub struct EventWriter {
    name: Name,
    only_stop: Option<String>,
    usage: Usage,
    has_begun: bool,
    /// Blocks of which nothing was sent yet but their beginning.
    bare: BTreeSet<u32>,
    /// By block that is open, what more of it looks like.
    more: Vec<(u32, TextFrame)>,
}

impl EventWriter {
    pub(super) fn new(name: Name, only_stop: Option<String>) -> Self {
        let usage = Usage::default();
        Self { name, only_stop, usage, has_begun: false, bare: BTreeSet::new(), more: Vec::new() }
    }

    pub(super) fn take(&mut self, told: ModelEvent) -> String {
        match told {
            ModelEvent::BlockStarted { index, kind } => self.start(index, kind),
            ModelEvent::Delta { index, text } => self.grow(index, &text),
            ModelEvent::BlockFinished { index, block } => self.finish(index, block),
            ModelEvent::Usage { usage } => {
                self.usage = usage;
                String::new()
            }
            ModelEvent::Stopped { reason } => self.stop(reason),
            ModelEvent::Failed { failure } => {
                format!(
                    "event: error\ndata: {}\n\n",
                    ApiError::from(failure).as_anthropic(&self.name.id).body
                )
            }
            ModelEvent::Cited { .. } | ModelEvent::Unknown { .. } => String::new(),
        }
    }

    fn start(&mut self, index: u32, kind: BlockKind) -> String {
        let (delta, field, block) = match kind {
            BlockKind::Text => ("text_delta", "text", json!({ "type": "text", "text": "" })),
            BlockKind::Reasoning => {
                let block = json!({ "type": "thinking", "thinking": "", "signature": "" });
                ("thinking_delta", "thinking", block)
            }
            BlockKind::ToolUse { id, name } => {
                let block = json!({ "type": "tool_use", "id": id, "name": name, "input": {} });
                ("input_json_delta", "partial_json", block)
            }
        };
        self.more.push((index, text_frame(index, delta, field)));
        self.bare.insert(index);
        let started = json!({ "type": "content_block_start", "index": index, "content_block": block });
        self.begin() + &event("content_block_start", &started)
    }

    fn grow(&mut self, index: u32, text: &str) -> String {
        let Some((_, more)) = self.more.iter().find(|(at, _)| *at == index) else {
            return String::new();
        };
        self.bare.remove(&index);
        more.with(text)
    }

    /// What came as a whole is sent as a whole; a signature is known at the end.
    fn finish(&mut self, index: u32, block: Block) -> String {
        let is_bare = self.bare.remove(&index);
        let (rest, signature) = match block {
            Block::Text { text } => (text, None),
            Block::Reasoning { text, signature } => (text, signature),
            Block::ToolUse(call) => (arguments_text(&call.input), None),
        };
        let mut frames = if is_bare && !rest.is_empty() { self.grow(index, &rest) } else { String::new() };
        if let Some(signature) = signature {
            frames += &delta(index, &json!({ "type": "signature_delta", "signature": signature }));
        }
        self.more.retain(|(at, _)| *at != index);
        frames + &event("content_block_stop", &json!({ "type": "content_block_stop", "index": index }))
    }

    fn stop(&mut self, reason: StopReason) -> String {
        let sequence = stop_sequence(reason, self.only_stop.as_deref());
        let delta = json!({ "stop_reason": stop_reason(reason), "stop_sequence": sequence });
        let stopped = json!({ "type": "message_delta", "delta": delta, "usage": usage_of(&self.usage) });
        let begun = self.begin();
        begun + &event("message_delta", &stopped) + &event("message_stop", &json!({ "type": "message_stop" }))
    }

    fn begin(&mut self) -> String {
        if std::mem::replace(&mut self.has_begun, true) {
            return String::new();
        }
        let message = message(&self.name, &[], None, &self.usage);
        event("message_start", &json!({ "type": "message_start", "message": message }))
    }
}

/// As Anthropic writes it, to the byte.
fn text_frame(index: u32, kind: &str, field: &str) -> TextFrame {
    let delta = format!(r#"{{"type":"{kind}","{field}":"#);
    let data = format!(r#"{{"type":"content_block_delta","index":{index},"delta":{delta}"#);
    TextFrame::new(format!("event: content_block_delta\ndata: {data}"), "}}\n\n")
}

fn delta(index: u32, delta: &Value) -> String {
    event("content_block_delta", &json!({ "type": "content_block_delta", "index": index, "delta": delta }))
}

fn stop_sequence(reason: StopReason, only: Option<&str>) -> Option<&str> {
    only.filter(|_| reason == StopReason::StopSequence)
}

fn stop_reason(reason: StopReason) -> &'static str {
    match reason {
        StopReason::EndTurn | StopReason::Other => "end_turn",
        StopReason::ToolUse => "tool_use",
        StopReason::MaxTokens => "max_tokens",
        StopReason::StopSequence => "stop_sequence",
        StopReason::Refusal => "refusal",
        StopReason::ContextFull => "model_context_window_exceeded",
    }
}

fn usage_of(usage: &Usage) -> Value {
    json!({
        "input_tokens": usage.input,
        "output_tokens": usage.output,
        "cache_read_input_tokens": usage.cache_read,
        "cache_creation_input_tokens": usage.cache_write,
    })
}
