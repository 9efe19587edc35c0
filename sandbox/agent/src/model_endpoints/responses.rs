//! OpenAI Responses, as programs send and read them, without state: every request carries the whole
//! conversation, and a signature goes out and comes back as what is encrypted of a reasoning item.

mod read;
mod stream;

use super::collected::CollectedReply;
use super::fields::arguments_text;
use super::{ApiError, Name};
use protocol::model::{Block, ModelFailure, StopReason, ToolCall, Usage};
use serde_json::{Map, Value, json};

pub(super) use read::read;
pub use stream::EventWriter;

pub(super) fn whole(name: &Name, echo: &Map<String, Value>, heard: &CollectedReply) -> Value {
    let output: Vec<Value> =
        heard.blocks.iter().enumerate().map(|(at, block)| item(name, at, block)).collect();
    response(name, echo, &output, Some(&heard.usage), state(heard.stop.unwrap_or(StopReason::Other)))
}

/// How a response stands.
enum State {
    Under,
    Completed,
    Incomplete(&'static str),
    Failed(Value),
}

fn state(stop: StopReason) -> State {
    match stop {
        StopReason::EndTurn | StopReason::ToolUse | StopReason::StopSequence | StopReason::Other => {
            State::Completed
        }
        StopReason::MaxTokens | StopReason::ContextFull => State::Incomplete("max_output_tokens"),
        StopReason::Refusal => State::Incomplete("content_filter"),
    }
}

fn failed(failure: ModelFailure) -> State {
    let trouble = ApiError::from(failure);
    State::Failed(json!({ "code": trouble.code().unwrap_or("server_error"), "message": trouble.message }))
}

impl State {
    fn name(&self) -> &'static str {
        match self {
            Self::Under => "in_progress",
            Self::Completed => "completed",
            Self::Incomplete(_) => "incomplete",
            Self::Failed(_) => "failed",
        }
    }
}

fn response(
    name: &Name,
    echo: &Map<String, Value>,
    output: &[Value],
    usage: Option<&Usage>,
    state: State,
) -> Value {
    let status = state.name();
    let (error, incomplete) = match state {
        State::Under | State::Completed => (Value::Null, Value::Null),
        State::Incomplete(reason) => (Value::Null, json!({ "reason": reason })),
        State::Failed(error) => (error, Value::Null),
    };
    let mut response = json!({
        "id": format!("resp_{}", name.id),
        "object": "response",
        "created_at": name.created,
        "status": status,
        "error": error,
        "incomplete_details": incomplete,
        "instructions": null,
        "max_output_tokens": null,
        "metadata": {},
        "model": name.model,
        "output": output,
        "parallel_tool_calls": true,
        "previous_response_id": null,
        "store": false,
        "temperature": null,
        "text": { "format": { "type": "text" } },
        "tool_choice": "auto",
        "tools": [],
        "top_p": null,
        "truncation": "disabled",
        "usage": usage.map(usage_of),
    });
    if let Value::Object(response) = &mut response {
        response.extend(echo.clone());
    }
    response
}

fn item_id(name: &Name, at: usize, block: &Block) -> String {
    let kind = match block {
        Block::Text { .. } => "msg",
        Block::Reasoning { .. } => "rs",
        Block::ToolUse(_) => "fc",
    };
    format!("{kind}_{}_{at}", name.id)
}

/// A block as a finished item.
fn item(name: &Name, at: usize, block: &Block) -> Value {
    let id = item_id(name, at, block);
    match block {
        Block::Text { text } => json!({
            "type": "message",
            "id": id,
            "status": "completed",
            "role": "assistant",
            "content": [text_part(text)],
        }),
        Block::Reasoning { text, signature } => {
            let mut summary = Vec::new();
            if !text.is_empty() {
                summary.push(summary_part(text));
            }
            let mut item = json!({ "type": "reasoning", "id": id, "summary": summary });
            if let Some(signature) = signature {
                item["encrypted_content"] = json!(signature);
            }
            item
        }
        Block::ToolUse(ToolCall { id: call, name, input }) => json!({
            "type": "function_call",
            "id": id,
            "status": "completed",
            "call_id": call,
            "name": name,
            "arguments": arguments_text(input),
        }),
    }
}

fn text_part(text: &str) -> Value {
    json!({ "type": "output_text", "text": text, "annotations": [], "logprobs": [] })
}

fn summary_part(text: &str) -> Value {
    json!({ "type": "summary_text", "text": text })
}

fn usage_of(usage: &Usage) -> Value {
    let input = usage.prompt();
    json!({
        "input_tokens": input,
        "input_tokens_details": {
            "cached_tokens": usage.cache_read,
            "cache_write_tokens": usage.cache_write,
        },
        "output_tokens": usage.output,
        "output_tokens_details": { "reasoning_tokens": usage.reasoning },
        "total_tokens": input.saturating_add(usage.output),
    })
}
