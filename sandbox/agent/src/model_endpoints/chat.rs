//! OpenAI chat completions, as programs send and read them.

mod read;

use super::collected::CollectedReply;
use super::fields::arguments_text;
use super::text_frame::TextFrame;
use super::{ApiError, Name};
use protocol::model::{Block, BlockKind, ModelEvent, StopReason, ToolCall, Usage};
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub(super) use read::read;

pub(super) fn whole(name: &Name, heard: &CollectedReply) -> Value {
    let (mut said, mut thought, mut calls) = (String::new(), String::new(), Vec::new());
    for block in &heard.blocks {
        match block {
            Block::Text { text } => said.push_str(text),
            Block::Reasoning { text, .. } => thought.push_str(text),
            Block::ToolUse(call) => calls.push(json!({
                "id": call.id,
                "type": "function",
                "function": { "name": call.name, "arguments": arguments_text(&call.input) },
            })),
        }
    }
    let content = if said.is_empty() && !calls.is_empty() { Value::Null } else { json!(said) };
    let mut message = json!({ "role": "assistant", "content": content, "refusal": null });
    if !thought.is_empty() {
        message["reasoning_content"] = json!(thought);
    }
    if !calls.is_empty() {
        message["tool_calls"] = json!(calls);
    }
    let choice = json!({
        "index": 0,
        "message": message,
        "logprobs": null,
        "finish_reason": finish_reason(heard.stop.unwrap_or(StopReason::Other)),
    });
    json!({
        "id": format!("chatcmpl-{}", name.id),
        "object": "chat.completion",
        "created": name.created,
        "model": name.model,
        "choices": [choice],
        "usage": usage_of(&heard.usage),
    })
}

#[derive(Debug)]
pub struct EventWriter {
    name: Name,
    counts: bool,
    usage: Usage,
    has_begun: bool,
    /// By block, what of it was sent.
    open: BTreeMap<u32, Open>,
    calls: usize,
}

#[derive(Debug)]
struct Open {
    /// What more of it looks like.
    more: TextFrame,
    is_sent: bool,
}

enum Field {
    Content,
    Reasoning,
    /// The place of the call among the calls.
    Call(usize),
}

impl EventWriter {
    pub(super) fn new(name: Name, counts: bool) -> Self {
        let (usage, open) = (Usage::default(), BTreeMap::new());
        Self { name, counts, usage, has_begun: false, open, calls: 0 }
    }

    pub(super) fn take(&mut self, event: ModelEvent) -> String {
        match event {
            ModelEvent::BlockStarted { index, kind } => self.start(index, kind),
            ModelEvent::Delta { index, text } => self.grow(index, &text),
            ModelEvent::BlockFinished { index, block } => self.finish(index, block),
            ModelEvent::Usage { usage } => {
                self.usage = usage;
                String::new()
            }
            ModelEvent::Stopped { reason } => self.stop(reason),
            ModelEvent::Failed { failure } => {
                format!("data: {}\n\n", ApiError::from(failure).as_openai().body)
            }
            ModelEvent::Cited { .. } | ModelEvent::Unknown { .. } => String::new(),
        }
    }

    fn start(&mut self, index: u32, kind: BlockKind) -> String {
        let (field, delta) = match kind {
            BlockKind::Text => (Field::Content, None),
            BlockKind::Reasoning => (Field::Reasoning, None),
            BlockKind::ToolUse { id, name } => {
                let place = self.calls;
                self.calls += 1;
                let function = json!({ "name": name, "arguments": "" });
                let call = json!({ "index": place, "id": id, "type": "function", "function": function });
                (Field::Call(place), Some(json!({ "tool_calls": [call] })))
            }
        };
        let more = self.text_frame(field);
        self.open.insert(index, Open { more, is_sent: false });
        delta.map_or_else(String::new, |delta| self.delta(delta))
    }

    fn grow(&mut self, index: u32, text: &str) -> String {
        let Some(open) = self.open.get_mut(&index) else { return String::new() };
        open.is_sent = true;
        let more = open.more.with(text);
        if self.has_begun { more } else { self.begin() + &more }
    }

    /// A block that came as a whole is sent as a whole: a call without arguments has empty ones.
    fn finish(&mut self, index: u32, block: Block) -> String {
        if self.open.get(&index).is_none_or(|open| open.is_sent) {
            return String::new();
        }
        match block {
            Block::Text { text } | Block::Reasoning { text, .. } if text.is_empty() => String::new(),
            Block::Text { text } | Block::Reasoning { text, .. } => self.grow(index, &text),
            Block::ToolUse(ToolCall { input, .. }) => self.grow(index, &arguments_text(&input)),
        }
    }

    fn stop(&mut self, reason: StopReason) -> String {
        let choice =
            json!({ "index": 0, "delta": {}, "logprobs": null, "finish_reason": finish_reason(reason) });
        let mut frames = self.begin();
        frames += &self.chunk(json!([choice]), None);
        if self.counts {
            frames += &self.chunk(json!([]), Some(usage_of(&self.usage)));
        }
        frames + "data: [DONE]\n\n"
    }

    fn delta(&mut self, delta: Value) -> String {
        let choice = json!({ "index": 0, "delta": delta, "logprobs": null, "finish_reason": null });
        self.begin() + &self.chunk(json!([choice]), None)
    }

    /// A chunk that has more of this field, as OpenAI writes it.
    fn text_frame(&self, field: Field) -> TextFrame {
        let (opens, closes) = match field {
            Field::Content => (r#"{"content":"#.to_owned(), "}"),
            Field::Reasoning => (r#"{"reasoning_content":"#.to_owned(), "}"),
            Field::Call(place) => {
                (format!(r#"{{"tool_calls":[{{"index":{place},"function":{{"arguments":"#), "}}]}")
            }
        };
        let Name { id, model, created } = &self.name;
        let (id, model) = (json!(format!("chatcmpl-{id}")), json!(model));
        let whose =
            format!(r#""id":{id},"object":"chat.completion.chunk","created":{created},"model":{model}"#);
        let usage = if self.counts { r#","usage":null"# } else { "" };
        TextFrame::new(
            format!(r#"data: {{{whose},"choices":[{{"index":0,"delta":{opens}"#),
            format!("{closes},\"logprobs\":null,\"finish_reason\":null}}]{usage}}}\n\n"),
        )
    }

    fn begin(&mut self) -> String {
        if std::mem::replace(&mut self.has_begun, true) {
            return String::new();
        }
        let delta = json!({ "role": "assistant", "content": "", "refusal": null });
        let choice = json!({ "index": 0, "delta": delta, "logprobs": null, "finish_reason": null });
        self.chunk(json!([choice]), None)
    }

    fn chunk(&self, choices: Value, usage: Option<Value>) -> String {
        let mut chunk = json!({
            "id": format!("chatcmpl-{}", self.name.id),
            "object": "chat.completion.chunk",
            "created": self.name.created,
            "model": self.name.model,
            "choices": choices,
        });
        if self.counts {
            chunk["usage"] = usage.unwrap_or(Value::Null);
        }
        format!("data: {chunk}\n\n")
    }
}

fn finish_reason(reason: StopReason) -> &'static str {
    match reason {
        StopReason::EndTurn | StopReason::StopSequence | StopReason::Other => "stop",
        StopReason::ToolUse => "tool_calls",
        StopReason::MaxTokens | StopReason::ContextFull => "length",
        StopReason::Refusal => "content_filter",
    }
}

fn usage_of(usage: &Usage) -> Value {
    let prompt = usage.prompt();
    json!({
        "prompt_tokens": prompt,
        "completion_tokens": usage.output,
        "total_tokens": prompt.saturating_add(usage.output),
        "prompt_tokens_details": {
            "cached_tokens": usage.cache_read,
            "cache_write_tokens": usage.cache_write,
            "audio_tokens": 0,
        },
        "completion_tokens_details": { "reasoning_tokens": usage.reasoning, "audio_tokens": 0 },
    })
}
