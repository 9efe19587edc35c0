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
