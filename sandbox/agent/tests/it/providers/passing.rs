//! What is read in passing, because it is like an event before it, says what it says when it is read as a whole.

use super::reduction::{decode, reduce};
use super::{CHAT, WIRES, recording, streams};
use agent::providers::Wire;
use proptest::prelude::*;
use proptest::sample::select;

/// The same stream, none of whose events is like another: white space that no other has changes nothing.
fn unlike(stream: &str) -> String {
    let lines = stream.split_inclusive('\n').enumerate();
    let unlike = lines.map(|(at, line)| match line.strip_prefix("data: {") {
        Some(rest) => format!("data: {{{}{rest}", " ".repeat(at)),
        None => line.to_owned(),
    });
    unlike.collect()
}

#[test]
fn an_event_that_is_like_another_one_says_what_it_says_when_it_is_like_none() {
    for (wire, folder) in WIRES {
        for (path, bytes) in streams(wire, folder) {
            let Ok(text) = String::from_utf8(bytes) else { continue };
            let expected = decode(wire.decoder(), [unlike(&text).as_bytes()]);
            let found = decode(wire.decoder(), [text.as_bytes()]);
            assert_eq!(found, expected, "{}", path.display());
        }
    }
}

/// Events as servers send them and as none would, with `@` for a text, which is JSON or nearly, and `#` for a number.
fn shapes() -> [(Wire, Vec<&'static str>); 3] {
    [
        (
            Wire::Anthropic,
            vec![
                r#"{"type":"content_block_start","index":#,"content_block":{"type":"text","text":"@"}}"#,
                r#"{"type":"content_block_start","index":#,"content_block":{"type":"thinking","thinking":""}}"#,
                r#"{"type":"content_block_start","index":#,"content_block":{"type":"tool_use","id":"c#","name":"n","input":{"a":#}}}"#,
                r#"{"type":"content_block_start","index":#,"content_block":{"type":"server_tool_use"}}"#,
                r#"{"type":"content_block_delta","index":#,"delta":{"type":"text_delta","text":"@"}}"#,
                r#"{ "index" : #, "type" : "content_block_delta", "delta" : { "text" : "@", "type" : "text_delta" } }"#,
                r#"{"type":"content_block_delta","index":#,"delta":{"type":"thinking_delta","thinking":"@"}}"#,
                r#"{"type":"content_block_delta","index":#,"delta":{"type":"input_json_delta","partial_json":"@"}}"#,
                r#"{"type":"content_block_delta","index":#,"delta":{"type":"signature_delta","signature":"@"}}"#,
                r#"{"type":"content_block_delta","index":#,"delta":{"type":"text_delta"},"more":{"text":"@"}}"#,
                r#"{"type":"content_block_delta","index":#,"delta":{"type":"text_delta","text" :"a"},"more":{"text":"@"}}"#,
                r#"{"type":"content_block_delta","index":#,"delta":{"type":"text_delta","te\u0078t":"a"},"more":{"text":"@"}}"#,
                r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"@"},"sequence_number":#}"#,
                r#"{"type":"content_block_stop","index":#}"#,
                r#"{"type":"message_delta","delta":{"stop_reason":null},"usage":{"output_tokens":#}}"#,
                r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"}}"#,
                r#"{"type":"error","error":{"type":"overloaded_error","message":"@"}}"#,
            ],
        ),
        (
            CHAT,
            vec![
                r#"{"id":"a","choices":[{"index":0,"delta":{"content":"@"},"finish_reason":null}],"usage":null}"#,
                r#"{"id":"a","choices":[{"index":0,"delta":{"content":"@"},"finish_reason":null}],"usage":{"prompt_tokens":9,"completion_tokens":#}}"#,
                r#"{"id":"a","choices":[{"index":0,"delta":{"content":"@"},"finish_reason":"stop"}],"usage":null}"#,
                r#"{"choices":[{"index":#,"delta":{"content":"@"}}]}"#,
                r#"{"choices":[{"delta":{"content":"@"}},{"index":#,"delta":{"content":"@"}}]}"#,
                r#"{"choices":[{"delta":{"role":"assistant","content":"","reasoning_content":"@"}}]}"#,
                r#"{"choices":[{"delta":{"reasoning":"@","content":"@"}}]}"#,
                r#"{"choices":[{"delta":{"content":"@","refusal":"@"}}]}"#,
                r#"{"choices":[{"delta":{"content":"@","tool_calls":[{"index":#,"function":{"name":"n","arguments":"@"}}]}}]}"#,
                r#"{"choices":[{"delta":{"tool_calls":[{"index":#,"function":{"name":"n","arguments":"@"}}]}}]}"#,
                r#"{"choices":[{"delta":{"content" :"a"}}],"content":"@"}"#,
                r#"{"choices":[{"delta":{"content":"@"}}],"obfuscation":"@","sequence_number":#}"#,
                r#"{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":#}}"#,
                r#"{"error":{"message":"@"}}"#,
            ],
        ),
        (
            Wire::OpenAiResponses,
            vec![
                r#"{"type":"response.output_item.added","output_index":#,"item":{"type":"message"}}"#,
                r#"{"type":"response.output_item.added","output_index":#,"item":{"type":"reasoning"}}"#,
                r#"{"type":"response.output_item.added","output_index":#,"item":{"type":"function_call","name":"n","call_id":"c"}}"#,
                r#"{"type":"response.output_text.delta","output_index":#,"content_index":0,"delta":"@","obfuscation":"@"}"#,
                r#"{"type":"response.output_text.delta","output_index":0,"content_index":#,"delta":"@","sequence_number":#}"#,
                r#"{"type":"response.refusal.delta","output_index":#,"content_index":0,"delta":"@"}"#,
                r#"{"type":"response.reasoning_summary_text.delta","output_index":#,"summary_index":0,"delta":"@"}"#,
                r#"{"type":"response.reasoning_text.delta","output_index":0,"content_index":#,"delta":"@"}"#,
                r#"{"type":"response.function_call_arguments.delta","output_index":#,"delta":"@"}"#,
                r#"{"type":"response.output_text.delta","output_index":#,"more":{"delta":"@"}}"#,
                r#"{"type":"response.output_text.done","output_index":#,"content_index":0,"text":"@"}"#,
                r#"{"type":"response.output_item.done","output_index":#,"item":{"type":"message"}}"#,
                r#"{"type":"response.completed","response":{"usage":{"input_tokens":9,"output_tokens":#}}}"#,
                r#"{"type":"response.failed","response":{"error":{"message":"@"}}}"#,
            ],
        ),
    ]
}

/// The inside of a text of JSON. What is none ends a stream, so there is little of it.
fn inside() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        20 => select(vec![
            "a", "b", " ", "{", "}", "two words", "Grüße 🐙", "text", "data: {", "",
            r"\u0041", r"\\", r#"\""#, r"\\u0041", r"\ud83d\ude00", r"\/", r"\n", r#"\"text\":\"b"#, "\u{7f}\u{2028}",
        ]),
        1 => select(vec![r"\", r"\x", r"\ud83d", "\t", r#"",text":"b"#, r#"","text":"b"#, r#"","content":"b"#]),
    ]
}

proptest! {
    /// Several in a row have the same shape and the same number, as in a reply.
    #[test]
    fn any_events_say_the_same_in_passing_and_as_a_whole(
        runs in prop::collection::vec((0..1000usize, 0..3u64, prop::collection::vec(inside(), 1..4)), 1..12),
        size in 1..50usize,
    ) {
        for (wire, shapes) in shapes() {
            let lines = runs.iter().flat_map(|(at, number, texts)| {
                let shape = shapes[at % shapes.len()].replace('#', &number.to_string());
                texts.iter().map(move |text| shape.replace('@', text))
            });
            let lines: Vec<String> = lines.collect();
            let stream = String::from_utf8(recording::body(wire, &lines.join("\n"))).expect("a text");
            let whole = decode(wire.decoder(), [unlike(&stream).as_bytes()]);
            reduce(&whole);
            prop_assert_eq!(&whole, &decode(wire.decoder(), [stream.as_bytes()]), "{}", stream);
            prop_assert_eq!(&whole, &decode(wire.decoder(), stream.as_bytes().chunks(size)), "{}", stream);
        }
    }
}
