//! What can go wrong with a provider, for every wire: `fixtures/faults.expect.txt` declares what comes
//! of it. What only a connection can do (DNS, TLS, a stall) is the hub's.

use super::recording::{body, frame};
use super::reduction::{decode, reduce};
use super::{CHAT, WIRES, expect_file, fixtures};
use agent::providers::Wire;
use protocol::model::ModelEvent;
use serde_json::{Value, json};

/// An error as each provider words it.
fn error(wire: Wire, status: u16, code: &str, message: &str) -> String {
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

/// Makes the body of a streamed reply.
type Stream = fn(Wire) -> Vec<u8>;

/// The lines of a reply, from its first delta to its end.
fn reply(wire: Wire) -> Vec<Value> {
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

fn framed(wire: Wire, lines: &[Value]) -> Vec<u8> {
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    let mut bytes = body(wire, &lines.join("\n"));
    if wire == CHAT && lines.len() < reply(wire).len() {
        bytes.truncate(bytes.len() - "data: [DONE]\n\n".len());
    }
    bytes
}

/// An error within the stream, after the first event.
fn broken_by(wire: Wire) -> Vec<u8> {
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

fn refusal(wire: Wire) -> Vec<u8> {
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
fn truncated_arguments(wire: Wire) -> Vec<u8> {
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

fn garbage(wire: Wire) -> Vec<u8> {
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

fn pings(wire: Wire) -> Vec<u8> {
    match wire {
        Wire::Anthropic => b"event: ping\ndata: {\"type\":\"ping\"}\n\n".repeat(3),
        Wire::Ollama => b"\n".repeat(3),
        Wire::Bedrock => Vec::new(),
        Wire::OpenAiChat(_) | Wire::OpenAiResponses | Wire::Gemini => b": ping\n\n".repeat(3),
    }
}

fn huge(wire: Wire) -> Vec<u8> {
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

/// The end, without the blocks before it.
fn end(wire: Wire, bytes: &[u8]) -> String {
    let events = decode(wire.decoder(), [bytes]);
    // Checks that every reader can rely on the order.
    let usage = reduce(&events).lines().last().filter(|line| line.starts_with("used")).is_some();
    let booked = if usage { ", usage booked" } else { "" };
    let calls = events.iter().filter(|event| {
        matches!(event, ModelEvent::BlockFinished { block: protocol::model::Block::ToolUse(call), .. } if call.input.is_object())
    });
    let calls = match calls.count() {
        0 => "",
        _ => ", a whole call",
    };
    match events.last() {
        Some(ModelEvent::Stopped { reason }) => format!("stopped {reason:?}{calls}{booked}"),
        Some(ModelEvent::Failed { failure }) => format!("failed {:?}{calls}{booked}", failure.kind),
        other => panic!("{other:?} is no end"),
    }
}

#[test]
fn every_fault_has_its_declared_outcome() {
    let responses: [(&str, u16, Option<&str>, &str, &str); 11] = [
        ("429 with Retry-After", 429, Some("7"), "rate_limit_error", "Slow down"),
        ("429 without Retry-After", 429, None, "rate_limit_error", "Slow down"),
        ("500", 500, None, "api_error", "Internal error"),
        ("502", 502, None, "api_error", "Bad gateway"),
        ("503", 503, None, "UNAVAILABLE", "Unavailable"),
        ("529", 529, None, "overloaded_error", "Overloaded"),
        ("401", 401, None, "authentication_error", "Invalid key"),
        ("403", 403, None, "permission_error", "Not allowed"),
        ("context too long", 400, None, "invalid_request_error", "Input is too long for requested model."),
        ("refused", 400, None, "content_filter", "Filtered"),
        ("unknown model", 404, None, "not_found_error", "model 'x' not found"),
    ];
    let streams: [(&str, Stream); 12] = [
        ("whole", |wire| framed(wire, &reply(wire))),
        ("cut before the first delta", |wire| framed(wire, &[])),
        ("cut after the first delta", |wire| framed(wire, &reply(wire)[..2])),
        ("cut within an event", |wire| {
            let bytes = framed(wire, &reply(wire)[..2]);
            bytes[..bytes.len() - 9].to_vec()
        }),
        ("error event", broken_by),
        ("refusal", refusal),
        ("truncated tool arguments", truncated_arguments),
        ("malformed event", garbage),
        ("a page in place of a stream", |_| b"<!doctype html><title>Login</title>".to_vec()),
        ("JSON in place of a stream", |_| b"{\"hello\": 1}\n".to_vec()),
        ("pings only, then the end", pings),
        ("an event of 17 MiB", huge),
    ];
    let mut shown = String::new();
    for (wire, folder) in WIRES {
        shown.push_str(&format!("== {folder}\n"));
        for (name, status, retry_after, code, message) in responses {
            let body = error(wire, status, code, message);
            let failure = wire.decode_error(status, retry_after, body.as_bytes());
            let wait = failure.retry_after_ms.map_or(String::new(), |wait| format!(", wait {wait} ms"));
            shown.push_str(&format!("{name}: failed {:?}{wait}\n", failure.kind));
        }
        for (name, make) in streams {
            shown.push_str(&format!("{name}: {}\n", end(wire, &make(wire))));
        }
        shown.push('\n');
    }
    expect_file(&fixtures().join("faults.expect.txt"), &shown);
}

#[test]
fn text_split_in_any_character_and_any_line_ending_are_the_same_reply() {
    for (wire, _) in WIRES {
        let bytes = framed(wire, &reply(wire));
        let whole = decode(wire.decoder(), [bytes.as_slice()]);
        for cut in 0..bytes.len() {
            assert_eq!(
                decode(wire.decoder(), [&bytes[..cut], &bytes[cut..]]),
                whole,
                "{wire:?} cut at {cut}"
            );
        }
        let Ok(text) = String::from_utf8(bytes) else { continue };
        for ending in ["\r\n", "\r", "\n"] {
            for mark in ["", "\u{feff}"] {
                let other = format!("{mark}{}", text.replace('\n', ending));
                assert_eq!(decode(wire.decoder(), [other.as_bytes()]), whole, "{wire:?} {ending:?} {mark:?}");
            }
        }
    }
}

#[test]
fn a_cut_reply_never_has_a_call_that_could_run() {
    for (wire, _) in WIRES {
        let bytes = framed(wire, &reply(wire));
        for cut in 0..bytes.len() {
            let events = decode(wire.decoder(), [&bytes[..cut]]);
            if let Some(ModelEvent::Stopped { .. }) = events.last() {
                let whole = reduce(&decode(wire.decoder(), [bytes.as_slice()]));
                let call = whole.lines().find(|line| line.contains(" call ")).expect("the reply has a call");
                assert!(reduce(&events).contains(call), "{wire:?} cut at {cut}");
            }
        }
    }
}
