use super::*;
use futures_util::stream;
use protocol::model::{Block, BlockKind, ToolCall};
use serde_json::json;

const KEY: &str = "sk-canary-sk-can";

#[tokio::test]
async fn a_key_is_hidden_however_the_text_is_cut() {
    let table = [
        ("your key sk-canary-sk-can is odd", "your key [key] is odd"),
        ("sk-canary-sk-can", "[key]"),
        ("sk-canary-sk-cansk-canary-sk-can", "[key][key]"),
        ("sk-canary-sk-canary-sk-can", "[key]ary-sk-can"),
        ("sk-canary-sk-ca", "sk-canary-sk-ca"),
        ("schön: ssk-canary-sk-can", "schön: s[key]"),
        ("nothing to hide", "nothing to hide"),
    ];
    for (said, expected) in table {
        for size in 1..=said.chars().count() {
            assert_eq!(streamed(said, size).await, expected, "{said} in pieces of {size}");
        }
    }
}

#[tokio::test]
async fn a_key_is_hidden_wherever_an_event_can_hold_text() {
    let call = |text: &str| ToolCall {
        id: text.into(),
        name: text.to_owned(),
        input: json!({ text: [text, { "deep": text }], "n": 1 }),
    };
    let failed = |text: &str| ModelEvent::Failed {
        failure: ModelFailure {
            kind: ModelFailureKind::BadKey,
            message: text.to_owned(),
            retry_after_ms: Some(1),
        },
    };
    let reasoning = |text: &str| Block::Reasoning { text: text.to_owned(), signature: Some(text.to_owned()) };
    let make = |text: &str| {
        let call = call(text);
        let kind = BlockKind::ToolUse { id: call.id.clone(), name: call.name.clone() };
        vec![
            ModelEvent::BlockStarted { index: 0, kind },
            ModelEvent::BlockFinished { index: 0, block: Block::ToolUse(call) },
            ModelEvent::BlockFinished { index: 1, block: reasoning(text) },
            ModelEvent::Unknown { what: text.to_owned() },
            failed(text),
        ]
    };
    let found: Vec<_> = redacted(make(&format!("a {KEY} b"))).await;
    assert_eq!(found, make("a [key] b"));
    assert_eq!(redacted(make("fine")).await, make("fine"));
}

#[tokio::test]
async fn a_key_that_is_cut_short_is_hidden_all_the_same() {
    let key = "0123456789abcdef/ABCDEFGHIJKLMNOP";
    let table = [
        ("it is 0123456789abcdef/ABCD", "it is [key]"),
        ("it is 0123456789abcde.", "it is 0123456789abcde."),
        ("ends ABCDEFGHIJKLMNOP so", "ends [key] so"),
        (r"in JSON 0123456789abcdef\/ABCDEFGHIJKLMNOP", "in JSON [key]"),
        ("at ?key=0123456789abcdef%2FABCDEFGHIJKLMNOP&a=b", "at ?key=[key]&a=b"),
    ];
    for (said, expected) in table {
        let key = Secret::new(key.to_owned());
        assert_eq!(text(said.to_owned(), Some(&key)), expected);
        let piece = |text: &str| ModelEvent::Delta { index: 0, text: text.to_owned() };
        let (start, end) = said.split_at(said.len() - 3);
        let block = Block::Text { text: String::new() };
        let list = vec![piece(start), piece(end), ModelEvent::BlockFinished { index: 0, block }];
        let mut seen = String::new();
        for event in events(stream::iter(list).boxed(), Some(&key)).collect::<Vec<_>>().await {
            if let ModelEvent::Delta { text, .. } = event {
                seen.push_str(&text);
            }
        }
        let begins = expected.split("[key]").next().unwrap_or_default();
        assert!(seen.starts_with(begins) && !seen.contains("0123456789abcdef"), "{said}: {seen}");
    }
}

#[test]
fn each_text_of_a_key_that_has_several_is_hidden() {
    let key = Secret::new("ASIA0123456789ABCDEF:secret-0123456789:session-0123456789".to_owned());
    for part in ["secret-0123456789", "session-0123456789", "ASIA0123456789ABCDEF"] {
        assert_eq!(text(format!("a {part} b"), Some(&key)), "a [key] b");
    }
}

#[test]
fn a_placeholder_is_not_hidden() {
    let table = [("ollama", "ollama runs"), ("lm-studio", "lm-studio runs"), ("", "nothing")];
    for (key, said) in table {
        let key = Secret::new(key.to_owned());
        assert_eq!(text(said.to_owned(), Some(&key)), said);
    }
}

/// What a reader sees of a block whose text comes in pieces of `size` characters.
async fn streamed(said: &str, size: usize) -> String {
    let chars: Vec<char> = said.chars().collect();
    let pieces = chars.chunks(size).map(|piece| ModelEvent::Delta { index: 3, text: piece.iter().collect() });
    let block = Block::Text { text: said.to_owned() };
    let end = ModelEvent::BlockFinished { index: 3, block };
    let mut seen = String::new();
    let mut whole = None;
    for event in redacted(pieces.chain([end]).collect()).await {
        match event {
            ModelEvent::Delta { text, .. } => seen.push_str(&text),
            ModelEvent::BlockFinished { block: Block::Text { text }, .. } => whole = Some(text),
            other => panic!("{other:?}"),
        }
    }
    assert!(!seen.contains(KEY), "{seen}");
    assert_eq!(whole.as_deref().map(|whole| whole.contains(KEY)), Some(false));
    seen
}

async fn redacted(list: Vec<ModelEvent>) -> Vec<ModelEvent> {
    let key = Secret::new(KEY.to_owned());
    events(stream::iter(list).boxed(), Some(&key)).collect().await
}
