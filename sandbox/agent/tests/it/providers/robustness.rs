use super::reduction::{decode, reduce};
use super::{WIRES, recording};
use agent::providers::Wire;
use proptest::prelude::*;
use serde_json::{Value, json};

/// Pieces that streams are made of, in an order that no server would send.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    let number = 0..4u64;
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..40),
        "[a-z:\\[\\]{}\"\r\n ]{0,30}".prop_map(String::into_bytes),
        (event(), number).prop_map(|(mut event, index)| {
            event["index"] = json!(index);
            format!("data: {event}\n\n").into_bytes()
        }),
    ]
}

fn event() -> impl Strategy<Value = Value> {
    let text = "[a-z{}\"]{0,6}";
    prop_oneof![
        prop::sample::select(vec![
            json!({ "type": "message_stop" }),
            json!({ "type": "content_block_stop" }),
            json!({ "type": "message_delta", "delta": { "stop_reason": "tool_use" }, "usage": { "output_tokens": 7 } }),
            json!({ "type": "content_block_start", "content_block": { "type": "text", "text": "" } }),
            json!({ "type": "content_block_start", "content_block": { "type": "thinking", "thinking": "x" } }),
            json!({ "type": "content_block_start", "content_block": { "type": "redacted_thinking", "data": "x" } }),
            json!({ "type": "content_block_start", "content_block": { "type": "server_tool_use" } }),
            json!({ "choices": [{ "delta": {}, "finish_reason": "stop" }], "usage": { "prompt_tokens": 1, "total_tokens": 5 } }),
            json!({ "choices": [{ "delta": null }, 3, null] }),
            json!({ "type": 5, "choices": 5, "usage": { "prompt_tokens": -1 } }),
        ]),
        text.prop_map(|text| json!({ "type": "content_block_start", "content_block": { "type": "tool_use", "id": "t", "name": "n", "input": { "a": text } } })),
        (prop::sample::select(vec!["text", "thinking", "signature", "citations"]), text)
            .prop_map(|(kind, text)| json!({ "type": "content_block_delta", "delta": { "type": format!("{kind}_delta"), kind: text } })),
        text.prop_map(|text| json!({ "type": "content_block_delta", "delta": { "type": "input_json_delta", "partial_json": text } })),
        (prop::sample::select(vec!["content", "reasoning", "reasoning_content", "refusal"]), text)
            .prop_map(|(key, text)| json!({ "choices": [{ "delta": { key: text } }] })),
        (prop::option::of(0..3u64), prop::option::of("[ab]"), prop::option::of("[mn]"), text)
            .prop_map(|(index, id, name, arguments)| {
                let call = json!({ "index": index, "id": id, "function": { "name": name, "arguments": arguments } });
                json!({ "choices": [{ "delta": { "tool_calls": [call] } }] })
            }),
    ]
}

/// Events of the other wires, with `"@"` for the place of a block.
fn own_events() -> [(Wire, Vec<&'static str>); 4] {
    [
        (
            Wire::OpenAiResponses,
            vec![
                r#"{"type":"response.output_item.added","output_index":"@","item":{"type":"message"}}"#,
                r#"{"type":"response.output_item.added","output_index":"@","item":{"type":"reasoning"}}"#,
                r#"{"type":"response.output_item.added","output_index":"@","item":{"type":"function_call","name":"n","call_id":"c"}}"#,
                r#"{"type":"response.output_item.added","output_index":"@","item":{"type":"web_search_call"}}"#,
                r#"{"type":"response.output_item.done","output_index":"@","item":{"type":"message","content":[{"type":"output_text","text":"ab"}]}}"#,
                r#"{"type":"response.output_item.done","output_index":"@","item":{"type":"reasoning","encrypted_content":"x","summary":[{"text":"a"}]}}"#,
                r#"{"type":"response.output_item.done","output_index":"@","item":{"type":"custom_tool_call","name":"n","input":"i"}}"#,
                r#"{"type":"response.output_text.delta","output_index":"@","content_index":"@","delta":"a"}"#,
                r#"{"type":"response.output_text.done","output_index":"@","text":"ab"}"#,
                r#"{"type":"response.reasoning_summary_text.delta","output_index":"@","summary_index":"@","delta":"a"}"#,
                r#"{"type":"response.reasoning_text.delta","output_index":"@","delta":"a"}"#,
                r#"{"type":"response.function_call_arguments.delta","output_index":"@","delta":"{"}"#,
                r#"{"type":"response.function_call_arguments.done","output_index":"@","arguments":"{}"}"#,
                r#"{"type":"response.completed","response":{"output":[{"type":"message","content":[{"text":"a"}]}]}}"#,
                r#"{"type":"response.incomplete","response":5}"#,
            ],
        ),
        (
            Wire::Gemini,
            vec![
                r#"{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}"#,
                r#"{"candidates":[{"content":{"parts":[{"text":"a","thought":true,"thoughtSignature":"s"}]}}]}"#,
                r#"{"candidates":[{"content":{"parts":[{"text":"","thoughtSignature":"s"}]}}]}"#,
                r#"{"candidates":[{"content":{"parts":[{"functionCall":{"name":"n","willContinue":true},"thoughtSignature":"s"}]}}]}"#,
                r#"{"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.a["@"]","stringValue":"x"}],"willContinue":true}}]}}]}"#,
                r#"{"candidates":[{"content":{"parts":[{"functionCall":{}}]}}]}"#,
                r#"{"candidates":[{"content":{"parts":[{"functionCall":{"name":"n","args":{"a":"@"}}}]}}]}"#,
                r#"{"candidates":[{"content":{"parts":[{"executableCode":{}}]},"index":"@"}]}"#,
                r#"{"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":"@","totalTokenCount":2}}"#,
                r#"{"candidates":5,"promptFeedback":{}}"#,
            ],
        ),
        (
            Wire::Ollama,
            vec![
                r#"{"message":{"content":"a","thinking":"b"},"done":false}"#,
                r#"{"message":{"tool_calls":[{"function":{"name":"n","arguments":{"a":"@"}}}]},"done":false}"#,
                r#"{"message":{"content":""},"done":true,"eval_count":"@"}"#,
                r#"{"other":"@"}"#,
            ],
        ),
        (
            Wire::Bedrock,
            vec![
                r#"{"messageStart":{}}"#,
                r#"{"contentBlockStart":{"contentBlockIndex":"@","start":{"toolUse":{"toolUseId":"t","name":"n"}}}}"#,
                r#"{"contentBlockStart":{"contentBlockIndex":"@","start":{"toolUse":{"name":"n","type":"server_tool_use"}}}}"#,
                r#"{"contentBlockDelta":{"contentBlockIndex":"@","delta":{"text":"a"}}}"#,
                r#"{"contentBlockDelta":{"contentBlockIndex":"@","delta":{"reasoningContent":{"text":"a","signature":"s"}}}}"#,
                r#"{"contentBlockDelta":{"contentBlockIndex":"@","delta":{"reasoningContent":{"redactedContent":"s"}}}}"#,
                r#"{"contentBlockDelta":{"contentBlockIndex":"@","delta":{"toolUse":{"input":"{}"}}}}"#,
                r#"{"contentBlockStop":{"contentBlockIndex":"@"}}"#,
                r#"{"messageStop":{"stopReason":"tool_use"}}"#,
                r#"{"metadata":{"usage":{"inputTokens":"@"}}}"#,
                r#"{"nothingException":{}}"#,
            ],
        ),
    ]
}

proptest! {
    /// `reduce` checks the order of events and the one end.
    #[test]
    fn any_bytes_end_in_one_end_and_are_the_same_in_pieces(
        pieces in prop::collection::vec(piece(), 0..20),
        size in 1..50usize,
    ) {
        let bytes = pieces.concat();
        for (wire, _) in WIRES {
            let whole = decode(wire.decoder(), [bytes.as_slice()]);
            reduce(&whole);
            prop_assert_eq!(&whole, &decode(wire.decoder(), bytes.chunks(size)));
        }
    }

    #[test]
    fn any_events_of_a_wire_end_in_one_end_and_are_the_same_in_pieces(
        chosen in prop::collection::vec((0..1000usize, 0..4u64), 0..20),
        size in 1..50usize,
    ) {
        for (wire, events) in own_events() {
            let lines: Vec<String> = chosen
                .iter()
                .map(|(at, place)| events[at % events.len()].replace("\"@\"", &place.to_string()))
                .collect();
            let bytes = recording::body(wire, &lines.join("\n"));
            let whole = decode(wire.decoder(), [bytes.as_slice()]);
            reduce(&whole);
            prop_assert_eq!(&whole, &decode(wire.decoder(), bytes.chunks(size)));
        }
    }

    #[test]
    fn any_body_is_a_list_of_models_or_a_failure(body in prop::collection::vec(any::<u8>(), 0..100), status in 0..700u16) {
        for (wire, _) in WIRES {
            let failure = wire.decode_error(status, std::str::from_utf8(&body).ok(), &body);
            prop_assert!(!failure.message.is_empty());
            if let Err(failure) = wire.decode_models(&body) {
                prop_assert!(!failure.message.is_empty());
            }
        }
    }
}
