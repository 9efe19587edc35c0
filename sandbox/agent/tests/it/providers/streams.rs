use super::reduction::{decode, reduce};
use super::{CHAT, WIRES, expect_file, streams};
use agent::providers::{Decoder, Wire};
use protocol::model::{Block, ModelEvent, ModelMessage, ModelRequest, ToolCall, ToolChoice};

/// Replays one stream, whole and in pieces: always the same events, and those that were expected.
pub fn check(decoder: impl Fn() -> Decoder, bytes: &[u8], name: &str) -> String {
    let whole = decode(decoder(), [bytes]);
    for cut in 1..bytes.len() {
        let (head, tail) = bytes.split_at(cut);
        assert_eq!(decode(decoder(), [head, tail]), whole, "{name} cut at {cut}");
    }
    assert_eq!(decode(decoder(), bytes.chunks(1)), whole, "{name} byte by byte");
    reduce(&whole)
}

#[test]
fn a_stream_gives_the_same_events_however_it_is_cut() {
    for (wire, folder) in WIRES {
        for (path, bytes) in streams(wire, folder) {
            let reduction = check(|| wire.decoder(), &bytes, &path.display().to_string());
            expect_file(&path.with_extension("expect.txt"), &reduction);
        }
    }
}

#[test]
fn every_line_ending_gives_the_same_events() {
    for (wire, folder) in WIRES {
        for (path, bytes) in streams(wire, folder) {
            let Ok(text) = String::from_utf8(bytes) else { continue };
            if text.contains('\r') {
                continue;
            }
            let expected = decode(wire.decoder(), [text.as_bytes()]);
            for ending in ["\r\n", "\r"] {
                let other = text.replace('\n', ending);
                assert_eq!(decode(wire.decoder(), [other.as_bytes()]), expected, "{}", path.display());
            }
        }
    }
}

#[test]
fn a_stream_that_breaks_off_is_cut_and_never_malformed() {
    for (wire, file) in [
        (Wire::Anthropic, "anthropic/tools.sse"),
        (CHAT, "openai-chat/parallel-tools.sse"),
        (Wire::OpenAiResponses, "openai-responses/reasoning-and-tools.sse"),
        (Wire::Gemini, "gemini/thoughts-and-calls.sse"),
        (Wire::Ollama, "ollama/thinking-and-calls.ndjson"),
        (Wire::Bedrock, "bedrock/reasoning-and-tools.jsonl"),
    ] {
        let (_, bytes) = streams(wire, file.split('/').next().expect("a folder"))
            .into_iter()
            .find(|(path, _)| path.ends_with(file))
            .expect("the fixture");
        let marks = [
            "\"stop_reason\":\"",
            "\"finish_reason\":\"",
            "response.completed",
            "\"finishReason\":\"",
            "\"done\":true",
            "messageStop",
        ];
        let told = marks
            .iter()
            .find_map(|mark| bytes.windows(mark.len()).position(|w| w == mark.as_bytes()))
            .expect("the fixture ends in order");
        for cut in 0..told {
            let reduction = reduce(&decode(wire.decoder(), [&bytes[..cut]]));
            assert!(reduction.contains("failed Cut"), "{file} cut at {cut}: {reduction}");
        }
    }
}

#[test]
fn a_new_call_never_gets_the_id_of_an_earlier_one() {
    let earlier = ToolCall { id: "call_0".into(), name: "look".to_owned(), input: serde_json::json!({}) };
    let request = ModelRequest {
        model: "m".to_owned(),
        system: String::new(),
        tools: Vec::new(),
        messages: vec![ModelMessage::Assistant { blocks: vec![Block::ToolUse(earlier)] }].into(),
        tool_choice: ToolChoice::Auto,
        max_output_tokens: 10,
        effort: None,
        sampling: Box::default(),
    };
    let stream = br#"data: {"choices":[{"delta":{"tool_calls":[{"function":{"name":"look"}}]}}]}

data: [DONE]

"#;
    let decoder = CHAT.decoder().answering(&request);
    let reduction = reduce(&decode(decoder, [stream.as_slice()]));
    assert_eq!(reduction, "0 call call_0_2 look {}\nstopped ToolUse\n");
}

#[test]
fn nothing_follows_the_end() {
    for (wire, end) in
        [(Wire::Anthropic, "data: {\"type\":\"message_stop\"}\n\n"), (CHAT, "data: [DONE]\n\n")]
    {
        let mut decoder = wire.decoder();
        let twice = end.repeat(2);
        let events = decoder.push(twice.as_bytes());
        assert!(matches!(events.as_slice(), [ModelEvent::Stopped { .. }]));
        assert_eq!(decoder.push(b"data: x\n\n"), []);
        assert_eq!(decoder.finish(), []);
    }
}

#[test]
fn a_body_that_is_no_stream_says_what_it_is() {
    let table = [
        ("", "failed Cut"),
        (" \n", "failed Cut"),
        ("<!doctype html><title>Hi</title>", "failed NotThisKind"),
        ("{\"choices\":[{\"message\":{\"content\":\"hi\"}}]}", "failed NotThisKind"),
        ("{\"choi", "failed NotThisKind"),
        ("{\"error\":{\"message\":\"slow down\",\"code\":429}}", "failed RateLimited"),
        ("data: hello\n\n", "failed Malformed"),
        ("data: [1]\n\n", "failed Malformed"),
    ];
    for (wire, _) in WIRES {
        for (body, expected) in table {
            // A stream of lines may be cut in its first one.
            if wire == Wire::Ollama && body == "{\"choi" {
                continue;
            }
            let reduction = reduce(&decode(wire.decoder(), [body.as_bytes()]));
            assert!(reduction.starts_with(expected), "{body}: {reduction}");
        }
    }
}
