use super::WIRES;
use super::reduction::{decode, reduce};
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
