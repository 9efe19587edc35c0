//! A response as it comes: items with their parts, each told when it begins, grows and ends, and at the
//! end the whole once more.

use super::{State, failed, item, item_id, response, state, summary_part, text_part};
use crate::model_endpoints::Name;
use crate::model_endpoints::collected::{CollectedReply, event};
use crate::model_endpoints::fields::arguments_text;
use crate::model_endpoints::text_frame::TextFrame;
use protocol::model::{Block, BlockKind, ModelEvent, ToolCall};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

#[derive(Debug)]
pub struct EventWriter {
    name: Name,
    echo: Map<String, Value>,
    heard: CollectedReply,
    has_begun: bool,
    sequence: u64,
    open: BTreeMap<u32, Open>,
}

/// A block under way, as far as it was told.
#[derive(Debug)]
struct Open {
    text: String,
    /// What more of it is called, and what it looks like after the number of the event.
    name: &'static str,
    more: TextFrame,
}

impl EventWriter {
    pub(in crate::model_endpoints) fn new(name: Name, echo: Map<String, Value>) -> Self {
        Self {
            name,
            echo,
            heard: CollectedReply::default(),
            has_begun: false,
            sequence: 0,
            open: BTreeMap::new(),
        }
    }

    pub(in crate::model_endpoints) fn take(&mut self, told: ModelEvent) -> String {
        if !matches!(told, ModelEvent::Delta { .. }) {
            self.heard.take(told.clone());
        }
        match told {
            ModelEvent::BlockStarted { index, kind } => self.start(index, kind),
            ModelEvent::Delta { index, text } => self.grow(index, &text),
            ModelEvent::BlockFinished { index, block } => self.finish(index, &block),
            ModelEvent::Usage { .. } | ModelEvent::Cited { .. } | ModelEvent::Unknown { .. } => String::new(),
            ModelEvent::Stopped { reason } => self.end(state(reason)),
            ModelEvent::Failed { failure } => self.end(failed(failure)),
        }
    }

    fn start(&mut self, index: u32, kind: BlockKind) -> String {
        let block = match kind {
            BlockKind::Text => Block::Text { text: String::new() },
            BlockKind::Reasoning => Block::Reasoning { text: String::new(), signature: None },
            BlockKind::ToolUse { id, name } => {
                Block::ToolUse(ToolCall { id, name, input: Value::String(String::new()) })
            }
        };
        let mut frames = self.begin();
        let mut added = item(&self.name, index as usize, &block);
        match &block {
            Block::Text { .. } => {
                added["status"] = json!("in_progress");
                added["content"] = json!([]);
            }
            Block::Reasoning { .. } => {}
            Block::ToolUse(_) => added["status"] = json!("in_progress"),
        }
        frames += &self.tell("response.output_item.added", json!({ "output_index": index, "item": added }));
        let id = item_id(&self.name, index as usize, &block);
        match &block {
            Block::Text { .. } => {
                let part = json!({ "item_id": id, "output_index": index, "content_index": 0, "part": text_part("") });
                frames += &self.tell("response.content_part.added", part);
            }
            Block::Reasoning { .. } => {
                let part = json!({ "item_id": id, "output_index": index, "summary_index": 0, "part": summary_part("") });
                frames += &self.tell("response.reasoning_summary_part.added", part);
            }
            Block::ToolUse(_) => {}
        }
        let (name, more) = text_frame(&block, &id, index);
        self.open.insert(index, Open { text: String::new(), name, more });
        frames
    }

    fn grow(&mut self, index: u32, text: &str) -> String {
        let Some(open) = self.open.get_mut(&index) else { return String::new() };
        open.text.push_str(text);
        let (name, number, more) = (open.name, self.sequence, open.more.with(text));
        self.sequence += 1;
        format!("event: {name}\ndata: {{\"type\":\"{name}\",\"sequence_number\":{number}{more}")
    }

    fn finish(&mut self, index: u32, block: &Block) -> String {
        let Some(open) = self.open.get(&index) else { return String::new() };
        let whole = match block {
            Block::Text { text } | Block::Reasoning { text, .. } => text.clone(),
            Block::ToolUse(call) if open.text.is_empty() => arguments_text(&call.input),
            Block::ToolUse(_) => open.text.clone(),
        };
        let is_untold = open.text.is_empty() && !whole.is_empty();
        let mut frames = if is_untold { self.grow(index, &whole) } else { String::new() };
        self.open.remove(&index);
        let id = item_id(&self.name, index as usize, block);
        let at = json!({ "item_id": id, "output_index": index });
        match block {
            Block::Text { .. } => {
                let done = with(&at, json!({ "content_index": 0, "text": whole, "logprobs": [] }));
                frames += &self.tell("response.output_text.done", done);
                let done = with(&at, json!({ "content_index": 0, "part": text_part(&whole) }));
                frames += &self.tell("response.content_part.done", done);
            }
            Block::Reasoning { .. } => {
                let done = with(&at, json!({ "summary_index": 0, "text": whole }));
                frames += &self.tell("response.reasoning_summary_text.done", done);
                let done = with(&at, json!({ "summary_index": 0, "part": summary_part(&whole) }));
                frames += &self.tell("response.reasoning_summary_part.done", done);
            }
            Block::ToolUse(call) => {
                let done = with(&at, json!({ "name": call.name, "arguments": whole }));
                frames += &self.tell("response.function_call_arguments.done", done);
            }
        }
        let done = json!({ "output_index": index, "item": item(&self.name, index as usize, block) });
        frames + &self.tell("response.output_item.done", done)
    }

    fn end(&mut self, state: State) -> String {
        let begun = self.begin();
        let name = match state {
            State::Under | State::Completed => "response.completed",
            State::Incomplete(_) => "response.incomplete",
            State::Failed(_) => "response.failed",
        };
        let blocks = self.heard.blocks.iter().enumerate();
        let output: Vec<Value> = blocks.map(|(at, block)| item(&self.name, at, block)).collect();
        let response = response(&self.name, &self.echo, &output, Some(&self.heard.usage), state);
        begun + &self.tell(name, json!({ "response": response }))
    }

    fn begin(&mut self) -> String {
        if std::mem::replace(&mut self.has_begun, true) {
            return String::new();
        }
        let response = response(&self.name, &self.echo, &[], None, State::Under);
        self.tell("response.created", json!({ "response": response.clone() }))
            + &self.tell("response.in_progress", json!({ "response": response }))
    }

    fn tell(&mut self, name: &str, mut data: Value) -> String {
        data["type"] = json!(name);
        data["sequence_number"] = json!(self.sequence);
        self.sequence += 1;
        event(name, &data)
    }
}

/// An event that has more of a block, as OpenAI writes it.
fn text_frame(block: &Block, id: &str, index: u32) -> (&'static str, TextFrame) {
    let id = json!(id);
    let begins = |part: &str| format!(r#","item_id":{id},"output_index":{index}{part},"delta":"#);
    match block {
        Block::Text { .. } => (
            "response.output_text.delta",
            TextFrame::new(begins(r#","content_index":0"#), ",\"logprobs\":[]}\n\n"),
        ),
        Block::Reasoning { .. } => (
            "response.reasoning_summary_text.delta",
            TextFrame::new(begins(r#","summary_index":0"#), "}\n\n"),
        ),
        Block::ToolUse(_) => ("response.function_call_arguments.delta", TextFrame::new(begins(""), "}\n\n")),
    }
}

fn with(at: &Value, more: Value) -> Value {
    let mut both = at.clone();
    if let (Value::Object(both), Value::Object(more)) = (&mut both, more) {
        both.extend(more);
    }
    both
}
