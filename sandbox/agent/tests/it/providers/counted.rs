//! What a provider counts, told after all that it counts: whoever books it adds what was said since.

use super::CHAT;
use super::encoding::read_request;
use super::recording::body;
use super::reduction::decode;
use agent::providers::Wire;
use agent::text_lane::Lane;
use proptest::prelude::*;
use protocol::model::ModelEvent;
use serde_json::{Value, json};

/// What the provider counts in the end.
const COUNTED: u64 = 321;

#[derive(Clone, Debug)]
enum Said {
    Text(String),
    Thought(String),
    /// Pieces of its arguments, and whether its start gives an id.
    Call(Vec<String>, bool),
}

/// How the parts of a reply lie in events, and which of them count.
#[derive(Clone, Debug)]
struct Cut {
    sizes: Vec<usize>,
    counts: Vec<Option<u64>>,
    /// The last call, and the last block, are left without their end.
    is_open: bool,
    /// The last count comes with the last words, or after them.
    is_together: bool,
}

fn said() -> impl Strategy<Value = Vec<Said>> {
    let words = || "[a-z ]{1,200}";
    let text = prop_oneof![
        words().prop_map(String::from),
        // What a model without calls of its own writes is held back as long as it may be one.
        words().prop_map(|words| format!(
            "<tool_call>{{\"name\":\"look\",\"arguments\":{{\"a\":\"{words}\"}}}}"
        )),
        words().prop_map(|words| format!("{words}<tool_ca")),
    ];
    let call = (prop::collection::vec("[a-z ]{1,120}", 1..4), any::<bool>());
    let one = prop_oneof![
        text.prop_map(Said::Text),
        words().prop_map(Said::Thought),
        call.prop_map(|(pieces, has_id)| Said::Call(pieces, has_id)),
    ];
    prop::collection::vec(one, 1..6)
}

fn cut() -> impl Strategy<Value = Cut> {
    let count = prop_oneof![Just(None), (1..COUNTED).prop_map(Some), Just(Some(COUNTED))];
    let lists = (prop::collection::vec(1..4_usize, 1..4), prop::collection::vec(count, 1..8));
    (lists, any::<bool>(), any::<bool>()).prop_map(|((sizes, counts), is_open, is_together)| Cut {
        sizes,
        counts,
        is_open,
        is_together,
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_the_provider_counted_last_holds_however_its_reply_is_cut(said in said(), cut in cut()) {
        for wire in [Wire::Anthropic, CHAT, Wire::OpenAiResponses, Wire::Gemini, Wire::Ollama, Wire::Bedrock] {
            let lines: Vec<String> = lines(wire, &said, &cut).iter().map(Value::to_string).collect();
            let bytes = body(wire, &lines.join("\n"));
            let events = decode(wire.decoder(), [bytes.as_slice()]);
            let mut lane = Lane::answering(&read_request("rich.json"));
            prop_assert_eq!(booked(&lane.take(events.clone())), (COUNTED, 0), "{:?} in text: {:?}", wire, lines);
            prop_assert_eq!(booked(&events), (COUNTED, 0), "{:?}: {:?}", wire, lines);
        }
    }
}

/// The output that was counted last, and the bytes that were said after that.
fn booked(events: &[ModelEvent]) -> (u64, usize) {
    assert!(matches!(events.last(), Some(ModelEvent::Stopped { .. })), "{:?}", events.last());
    events.iter().fold((0, 0), |(counted, since), event| match event {
        ModelEvent::Usage { usage } => (usage.output, 0),
        ModelEvent::Delta { text, .. } => (counted, since + text.len()),
        ModelEvent::BlockStarted { .. }
        | ModelEvent::BlockFinished { .. }
        | ModelEvent::Stopped { .. }
        | ModelEvent::Failed { .. }
        | ModelEvent::Cited { .. }
        | ModelEvent::Unknown { .. } => (counted, since),
    })
}

fn lines(wire: Wire, said: &[Said], cut: &Cut) -> Vec<Value> {
    match wire {
        Wire::Anthropic => anthropic(said, cut),
        Wire::OpenAiChat(_) => chat(said, cut),
        Wire::OpenAiResponses => responses(said),
        Wire::Gemini => gemini(said, cut),
        Wire::Ollama => ollama(said, cut),
        Wire::Bedrock => bedrock(said, cut),
    }
}

fn input(pieces: &[String]) -> Value {
    json!({ "a": pieces.concat() })
}

fn anthropic(said: &[Said], cut: &Cut) -> Vec<Value> {
    let mut lines = vec![
        json!({ "type": "message_start", "message": { "id": "m", "usage": { "input_tokens": 9, "output_tokens": 1 } } }),
    ];
    for (index, said) in said.iter().enumerate() {
        let block = match said {
            Said::Text(text) => json!({ "type": "text", "text": text }),
            Said::Thought(text) => json!({ "type": "thinking", "thinking": text }),
            Said::Call(pieces, _) => {
                json!({ "type": "tool_use", "id": format!("t{index}"), "name": "look", "input": input(pieces) })
            }
        };
        lines.push(json!({ "type": "content_block_start", "index": index, "content_block": block }));
        if !cut.is_open {
            lines.push(json!({ "type": "content_block_stop", "index": index }));
        }
    }
    let usage = json!({ "output_tokens": COUNTED });
    lines.push(json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" }, "usage": usage }));
    lines.push(json!({ "type": "message_stop" }));
    lines
}

fn chat(said: &[Said], cut: &Cut) -> Vec<Value> {
    let mut deltas = Vec::new();
    for (index, said) in said.iter().enumerate() {
        match said {
            Said::Text(text) => deltas.push(json!({ "content": text })),
            Said::Thought(text) => deltas.push(json!({ "reasoning_content": text })),
            Said::Call(pieces, has_id) => {
                let id = has_id.then(|| format!("c{index}"));
                let start = json!({ "index": index, "id": id, "function": { "name": "look", "arguments": "{\"a\":\"" } });
                deltas.push(json!({ "tool_calls": [start] }));
                for piece in pieces.iter().map(String::as_str).chain(["\"}"]) {
                    let piece = json!({ "index": index, "function": { "arguments": piece } });
                    deltas.push(json!({ "tool_calls": [piece] }));
                }
            }
        }
    }
    let usage = |output: u64| json!({ "prompt_tokens": 9, "completion_tokens": output });
    let counts = cut.counts.iter().cycle();
    let mut lines: Vec<Value> = deltas
        .into_iter()
        .zip(counts)
        .map(|(delta, count)| json!({ "choices": [{ "index": 0, "delta": delta }], "usage": count.map(usage) }))
        .collect();
    if !cut.is_together {
        lines.push(json!({ "choices": [{ "index": 0, "delta": {} }] }));
    }
    let last = lines.last_mut().expect("something is said");
    last["choices"][0]["finish_reason"] = json!("stop");
    last["usage"] = usage(COUNTED);
    lines
}

fn responses(said: &[Said]) -> Vec<Value> {
    let item = |(index, said): (usize, &Said)| {
        let item = match said {
            Said::Text(text) => {
                json!({ "type": "message", "content": [{ "type": "output_text", "text": text }] })
            }
            Said::Thought(text) => json!({ "type": "reasoning", "summary": [{ "text": text }] }),
            Said::Call(pieces, _) => {
                let arguments = input(pieces).to_string();
                json!({ "type": "function_call", "call_id": format!("c{index}"), "name": "look", "arguments": arguments })
            }
        };
        json!({ "type": "response.output_item.done", "output_index": index, "item": item })
    };
    let mut lines: Vec<Value> = said.iter().enumerate().map(item).collect();
    let usage = json!({ "input_tokens": 9, "output_tokens": COUNTED });
    lines
        .push(json!({ "type": "response.completed", "response": { "status": "completed", "usage": usage } }));
    lines
}

fn gemini(said: &[Said], cut: &Cut) -> Vec<Value> {
    let mut parts = Vec::new();
    for (index, one) in said.iter().enumerate() {
        match one {
            Said::Text(text) => parts.push(json!({ "text": text })),
            Said::Thought(text) => parts.push(json!({ "text": text, "thought": true })),
            Said::Call(pieces, true) => {
                parts.push(json!({ "functionCall": { "name": "look", "args": input(pieces) } }));
            }
            Said::Call(pieces, false) => {
                parts.push(json!({ "functionCall": { "name": "look", "willContinue": true } }));
                for piece in pieces {
                    let piece = json!([{ "jsonPath": "$.a", "stringValue": piece, "willContinue": true }]);
                    parts.push(json!({ "functionCall": { "partialArgs": piece, "willContinue": true } }));
                }
                if !(cut.is_open && index + 1 == said.len()) {
                    parts.push(json!({ "functionCall": {} }));
                }
            }
        }
    }
    let usage = |output: &u64| json!({ "promptTokenCount": 9, "candidatesTokenCount": output });
    let (mut lines, mut sizes, mut counts) =
        (Vec::new(), cut.sizes.iter().cycle(), cut.counts.iter().cycle());
    while !parts.is_empty() {
        let size = sizes.next().map_or(1, |size| parts.len().min(*size));
        let some: Vec<Value> = parts.drain(..size).collect();
        let count = counts.next().and_then(Option::as_ref).map(usage);
        lines.push(json!({ "candidates": [{ "content": { "parts": some } }], "usageMetadata": count }));
    }
    if !cut.is_together {
        lines.push(json!({ "candidates": [{ "content": { "parts": [] } }] }));
    }
    let last = lines.last_mut().expect("something is said");
    last["candidates"][0]["finishReason"] = json!("STOP");
    last["usageMetadata"] = usage(&COUNTED);
    lines
}

fn ollama(said: &[Said], cut: &Cut) -> Vec<Value> {
    let message = |said: &Said| {
        let message = match said {
            Said::Text(text) => json!({ "content": text }),
            Said::Thought(text) => json!({ "content": "", "thinking": text }),
            Said::Call(pieces, _) => {
                json!({ "content": "", "tool_calls": [{ "function": { "name": "look", "arguments": input(pieces) } }] })
            }
        };
        json!({ "message": message, "done": false })
    };
    let mut lines: Vec<Value> = said.iter().map(message).collect();
    if !cut.is_together {
        lines.push(json!({ "message": { "content": "" } }));
    }
    let last = lines.last_mut().expect("something is said");
    last["done"] = json!(true);
    last["prompt_eval_count"] = json!(9);
    last["eval_count"] = json!(COUNTED);
    lines
}

fn bedrock(said: &[Said], cut: &Cut) -> Vec<Value> {
    let mut lines = vec![json!({ "messageStart": { "role": "assistant" } })];
    for (index, said) in said.iter().enumerate() {
        let deltas = match said {
            Said::Text(text) => vec![json!({ "text": text })],
            Said::Thought(text) => vec![json!({ "reasoningContent": { "text": text } })],
            Said::Call(pieces, _) => {
                let start = json!({ "toolUse": { "toolUseId": format!("t{index}"), "name": "look" } });
                lines.push(json!({ "contentBlockStart": { "contentBlockIndex": index, "start": start } }));
                vec![json!({ "toolUse": { "input": input(pieces).to_string() } })]
            }
        };
        let delta = |delta| json!({ "contentBlockDelta": { "contentBlockIndex": index, "delta": delta } });
        lines.extend(deltas.into_iter().map(delta));
        if !cut.is_open {
            lines.push(json!({ "contentBlockStop": { "contentBlockIndex": index } }));
        }
    }
    lines.push(json!({ "messageStop": { "stopReason": "end_turn" } }));
    lines.push(json!({ "metadata": { "usage": { "inputTokens": 9, "outputTokens": COUNTED } } }));
    lines
}
