//! Replies with something wrong in them, as each provider would send them. The codecs meet them here
//! as bytes, in the hub over HTTP.

use super::recording::{body, frame};
use agent::providers::Wire;
use serde_json::{Value, json};

/// The input of the one call in [`reply`].
pub const CALLED: &str = r#"{"html":"ü🐙"}"#;

/// An error as each provider words it.
pub fn error(wire: Wire, status: u16, code: &str, message: &str) -> String {
    let value = match wire {
        Wire::Anthropic => json!({ "type": "error", "error": { "type": code, "message": message } }),
        Wire::OpenAiChat(_) | Wire::OpenAiResponses => {
            json!({ "error": { "message": message, "type": code, "code": code, "param": null } })
        }
        Wire::Gemini => json!({ "error": { "code": status, "message": message, "status": code } }),
        Wire::Ollama => json!({ "error": message }),
        Wire::Bedrock => json!({ "message": message }),
    };
    value.to_string()
}

/// What each provider answers when the conversation does not fit: a status and a body.
pub fn too_long(wire: Wire) -> (u16, String) {
    let (code, message) = match wire {
        Wire::Anthropic => ("invalid_request_error", "prompt is too long: 201234 tokens > 200000 maximum"),
        Wire::OpenAiChat(_) => (
            "context_length_exceeded",
            "This model's maximum context length is 128000 tokens. However, your messages resulted in 130512 tokens.",
        ),
        Wire::OpenAiResponses => (
            "context_length_exceeded",
            "Your input exceeds the context window of this model. Please adjust your input and try again.",
        ),
        Wire::Gemini => (
            "INVALID_ARGUMENT",
            "The input token count (1048600) exceeds the maximum number of tokens allowed (1048576).",
        ),
        Wire::Ollama => ("", "the input length exceeds the context length"),
        Wire::Bedrock => ("", "Input is too long for requested model."),
    };
    (400, error(wire, 400, code, message))
}

/// The lines of a reply, from its first delta to its end. It calls `dom` with [`CALLED`].
pub fn reply(wire: Wire) -> Vec<Value> {
    match wire {
        Wire::Anthropic => vec![
            json!({ "type": "message_start", "message": { "usage": { "input_tokens": 9, "output_tokens": 1 } } }),
            json!({ "type": "content_block_start", "index": 0, "content_block": { "type": "tool_use", "id": "t", "name": "dom", "input": {} } }),
            json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "input_json_delta", "partial_json": "{\"html\":\"ü" } }),
            json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "input_json_delta", "partial_json": "🐙\"}" } }),
            json!({ "type": "content_block_stop", "index": 0 }),
            json!({ "type": "message_delta", "delta": { "stop_reason": "tool_use" }, "usage": { "output_tokens": 5 } }),
            json!({ "type": "message_stop" }),
        ],
        Wire::OpenAiChat(_) => vec![
            json!({ "choices": [{ "index": 0, "delta": { "role": "assistant" } }] }),
            json!({ "choices": [{ "index": 0, "delta": { "tool_calls": [{ "index": 0, "id": "t", "function": { "name": "dom", "arguments": "{\"html\":\"ü" } }] } }] }),
            json!({ "choices": [{ "index": 0, "delta": { "tool_calls": [{ "index": 0, "function": { "arguments": "🐙\"}" } }] } }] }),
            json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "tool_calls" }] }),
            json!({ "choices": [], "usage": { "prompt_tokens": 9, "completion_tokens": 5, "total_tokens": 14 } }),
        ],
        Wire::OpenAiResponses => vec![
            json!({ "type": "response.created", "response": { "status": "in_progress" } }),
            json!({ "type": "response.output_item.added", "output_index": 0, "item": { "type": "function_call", "call_id": "t", "name": "dom", "arguments": "" } }),
            json!({ "type": "response.function_call_arguments.delta", "output_index": 0, "delta": "{\"html\":\"ü" }),
            json!({ "type": "response.function_call_arguments.delta", "output_index": 0, "delta": "🐙\"}" }),
            json!({ "type": "response.completed", "response": { "status": "completed", "usage": { "input_tokens": 9, "output_tokens": 5 } } }),
        ],
        Wire::Gemini => vec![
            json!({ "candidates": [{ "content": { "parts": [{ "text": "ü" }] } }] }),
            json!({ "candidates": [{ "content": { "parts": [{ "functionCall": { "name": "dom", "args": { "html": "ü🐙" } } }] } }] }),
            json!({ "candidates": [{ "content": { "parts": [] }, "finishReason": "STOP" }], "usageMetadata": { "promptTokenCount": 9, "candidatesTokenCount": 5 } }),
        ],
        Wire::Ollama => vec![
            json!({ "message": { "content": "ü" }, "done": false }),
            json!({ "message": { "content": "", "tool_calls": [{ "function": { "name": "dom", "arguments": { "html": "ü🐙" } } }] }, "done": false }),
            json!({ "message": { "content": "" }, "done": true, "done_reason": "stop", "prompt_eval_count": 9, "eval_count": 5 }),
        ],
        Wire::Bedrock => vec![
            json!({ "messageStart": { "role": "assistant" } }),
            json!({ "contentBlockStart": { "contentBlockIndex": 0, "start": { "toolUse": { "toolUseId": "t", "name": "dom" } } } }),
            json!({ "contentBlockDelta": { "contentBlockIndex": 0, "delta": { "toolUse": { "input": "{\"html\":\"ü" } } } }),
            json!({ "contentBlockDelta": { "contentBlockIndex": 0, "delta": { "toolUse": { "input": "🐙\"}" } } } }),
            json!({ "contentBlockStop": { "contentBlockIndex": 0 } }),
            json!({ "messageStop": { "stopReason": "tool_use" } }),
            json!({ "metadata": { "usage": { "inputTokens": 9, "outputTokens": 5 } } }),
        ],
    }
}

/// As a body. The closing mark of a wire that has one comes only behind a whole reply.
pub fn framed(wire: Wire, lines: &[Value]) -> Vec<u8> {
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    let mut bytes = body(wire, &lines.join("\n"));
    if matches!(wire, Wire::OpenAiChat(_)) && lines.len() < reply(wire).len() {
        bytes.truncate(bytes.len() - "data: [DONE]\n\n".len());
    }
    bytes
}

/// An error within the stream, after the first event.
pub fn broken_by(wire: Wire) -> Vec<u8> {
    let line = match wire {
        Wire::Anthropic => {
            json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } })
        }
        Wire::OpenAiChat(_) => json!({ "error": { "message": "Overloaded", "code": 503 } }),
        Wire::OpenAiResponses => {
            json!({ "type": "error", "code": "server_is_overloaded", "message": "Overloaded" })
        }
        Wire::Gemini => json!({ "error": { "code": 503, "message": "Overloaded", "status": "UNAVAILABLE" } }),
        Wire::Ollama => json!({ "error": "Overloaded" }),
        Wire::Bedrock => json!({ "serviceUnavailableException": { "message": "Overloaded" } }),
    };
    let mut lines = reply(wire)[..1].to_vec();
    lines.push(line);
    framed(wire, &lines)
}

pub fn refusal(wire: Wire) -> Vec<u8> {
    framed(
        wire,
        &[match wire {
            Wire::Anthropic => {
                json!({ "type": "message_delta", "delta": { "stop_reason": "refusal" }, "usage": {} })
            }
            Wire::OpenAiChat(_) => json!({ "choices": [{ "delta": {}, "finish_reason": "content_filter" }] }),
            Wire::OpenAiResponses => {
                json!({ "type": "response.incomplete", "response": { "status": "incomplete", "incomplete_details": { "reason": "content_filter" } } })
            }
            Wire::Gemini => json!({ "candidates": [{ "finishReason": "SAFETY" }] }),
            // It knows none: what the model says is all there is.
            Wire::Ollama => {
                json!({ "message": { "content": "I can't." }, "done": true, "done_reason": "stop" })
            }
            Wire::Bedrock => json!({ "messageStop": { "stopReason": "content_filtered" } }),
        }],
    )
}

/// A call whose arguments end in the middle, within a reply that ends in order.
pub fn truncated_arguments(wire: Wire) -> Vec<u8> {
    let mut lines = reply(wire);
    match wire {
        Wire::Anthropic | Wire::OpenAiResponses | Wire::Bedrock => {
            lines.remove(3);
        }
        Wire::OpenAiChat(_) => {
            lines.remove(2);
            let mut bytes = framed(wire, &lines);
            bytes.extend(b"data: [DONE]\n\n");
            return bytes;
        }
        // Calls come whole.
        Wire::Gemini => lines[2] = json!({ "candidates": [{ "finishReason": "MALFORMED_FUNCTION_CALL" }] }),
        Wire::Ollama => {
            lines[1]["message"]["tool_calls"][0]["function"]["arguments"] = json!("{\"html\":\"ü")
        }
    }
    framed(wire, &lines)
}

/// Bytes of the wire's framing with nonsense in it.
pub fn garbage(wire: Wire) -> Vec<u8> {
    let good = framed(wire, &reply(wire)[..1]);
    let bad: Vec<u8> = match wire {
        Wire::Ollama => b"{\"message\": nonsense}\n".to_vec(),
        Wire::Bedrock => frame(&[200, 1], b"{}"),
        Wire::Anthropic | Wire::OpenAiChat(_) | Wire::OpenAiResponses | Wire::Gemini => {
            b"data: {nonsense\n\n".to_vec()
        }
    };
    [good, bad].concat()
}

/// What says nothing and keeps a connection awake.
pub fn pings(wire: Wire) -> Vec<u8> {
    match wire {
        Wire::Anthropic => b"event: ping\ndata: {\"type\":\"ping\"}\n\n".repeat(3),
        Wire::Ollama => b"\n".repeat(3),
        // It sends none; an event that nobody knows says as little.
        Wire::Bedrock => body(wire, r#"{"ping":{}}"#).repeat(3),
        Wire::OpenAiChat(_) | Wire::OpenAiResponses | Wire::Gemini => b": ping\n\n".repeat(3),
    }
}

/// An event of 17 MiB after the first one.
pub fn huge(wire: Wire) -> Vec<u8> {
    let filler = "x".repeat(17 * 1024 * 1024);
    let mut bytes = framed(wire, &reply(wire)[..1]);
    match wire {
        Wire::Bedrock => bytes.extend(frame(&[], filler.as_bytes())),
        Wire::Anthropic | Wire::OpenAiChat(_) | Wire::OpenAiResponses | Wire::Gemini | Wire::Ollama => {
            bytes.extend(format!("data: \"{filler}\"\n\n").into_bytes());
        }
    }
    bytes
}
