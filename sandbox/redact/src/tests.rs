use super::*;
use proptest::prelude::*;
use proptest::sample::select;
use protocol::model::{Block, BlockKind, StopReason, ToolCall, Usage};
use serde_json::json;

const KEY: &str = "sk-canary-sk-can";

#[test]
fn a_key_is_hidden_however_the_text_is_cut() {
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
            let key = KEY;
            assert_eq!(shown(said, size, key, block()), expected, "{said} in pieces of {size}");
        }
    }
}

#[test]
fn a_key_is_hidden_wherever_an_event_can_hold_text() {
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
    let found: Vec<_> = redacted(make(&format!("a {KEY} b")));
    assert_eq!(found, make("a [key] b"));
    assert_eq!(redacted(make("fine")), make("fine"));
}

#[test]
fn a_key_that_is_cut_short_is_hidden_all_the_same() {
    let key = "0123456789abcdef/ABCDEFGHIJKLMNOP";
    let table = [
        ("it is 0123456789abcdef/ABCD", "it is [key]"),
        ("it is 0123456789abcde.", "it is 0123456789abcde."),
        ("ends ABCDEFGHIJKLMNOP so", "ends [key] so"),
        (r"in JSON 0123456789abcdef\/ABCDEFGHIJKLMNOP", "in JSON [key]"),
        ("at ?key=0123456789abcdef%2FABCDEFGHIJKLMNOP&a=b", "at ?key=[key]&a=b"),
    ];
    for (said, expected) in table {
        assert_eq!(hidden(said, key), expected);
        for size in 1..=said.len() {
            assert_eq!(shown(said, size, key, block()), expected, "in pieces of {size}");
        }
    }
}

#[test]
fn what_was_held_back_is_said_before_a_reply_ends_however_it_ends() {
    let failure =
        ModelFailure { kind: ModelFailureKind::Cut, message: "Cut.".to_owned(), retry_after_ms: None };
    let ends =
        [block(), ModelEvent::Stopped { reason: StopReason::MaxTokens }, ModelEvent::Failed { failure }];
    let key = KEY;
    for end in ends {
        let list = vec![
            ModelEvent::Delta { index: 0, text: "my sk-can".to_owned() },
            ModelEvent::Usage { usage: Usage::default() },
            end.clone(),
        ];
        let seen = redacted_with(list, key);
        assert_eq!(seen.last(), Some(&end));
        assert_eq!(deltas(&seen), "my sk-can");
        let counted = seen.iter().rposition(|event| matches!(event, ModelEvent::Usage { .. }));
        let said = seen.iter().rposition(|event| matches!(event, ModelEvent::Delta { .. }));
        assert!(said < counted, "what was counted is told before its count: {seen:?}");
    }
}

const ALPHABET: &str = "0123456789abcdef/ABCDEFGHIJKLMNOP";

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_split_of_any_text_shows_what_hiding_in_the_whole_would(
        key in select(vec![
            ALPHABET.to_owned(),
            "sk-sk-sk-sk-sk-sk-sk".to_owned(),
            "ASIA0123456789ABCDEF:secret/0123456789".to_owned(),
            "a \"quoted\" key/\u{e4}\u{f6}\u{e4}\u{f6}\u{e4}\u{f6}".to_owned(),
        ]),
        parts in prop::collection::vec((0..3_u8, 0..200_usize, 0..40_usize, "[a-z/ ä\\-]{0,6}"), 0..12),
        cuts in prop::collection::vec(1..24_usize, 1..12),
    ) {
        let text: String = parts.iter().map(|(what, from, length, word)| match what {
            0 => word.clone(),
            // A piece of the key, anywhere in it.
            _ => key.chars().cycle().skip(from % key.chars().count()).take(*length).collect(),
        }).collect();
        let needles = Needles::of(&key).unwrap();
        let longest = needles.longest();
        let mut redactor = Redactor { needles, held: BTreeMap::new(), counted: None };
        let mut seen = Vec::new();
        let mut chars = text.chars().peekable();
        for size in cuts.iter().cycle() {
            if chars.peek().is_none() {
                break;
            }
            let text = chars.by_ref().take(*size).collect();
            seen.extend(redactor.take(ModelEvent::Delta { index: 0, text }));
            prop_assert!(redactor.held.values().all(|held| held.len() < longest));
        }
        seen.extend(redactor.take(block()));
        let whole = hidden(&text, &key);
        prop_assert_eq!(deltas(&seen), whole);
    }
}

fn block() -> ModelEvent {
    ModelEvent::BlockFinished { index: 0, block: Block::Text { text: String::new() } }
}

fn deltas(events: &[ModelEvent]) -> String {
    let said = |event: &ModelEvent| match event {
        ModelEvent::Delta { text, .. } => Some(text.clone()),
        ModelEvent::BlockStarted { .. }
        | ModelEvent::BlockFinished { .. }
        | ModelEvent::Usage { .. }
        | ModelEvent::Stopped { .. }
        | ModelEvent::Failed { .. }
        | ModelEvent::Cited { .. }
        | ModelEvent::Unknown { .. } => None,
    };
    events.iter().filter_map(said).collect()
}

/// What a reader sees of a block whose text comes in pieces of `size` characters.
fn shown(said: &str, size: usize, key: &str, end: ModelEvent) -> String {
    let chars: Vec<char> = said.chars().collect();
    let pieces = chars.chunks(size).map(|piece| ModelEvent::Delta { index: 0, text: piece.iter().collect() });
    let list: Vec<_> = pieces.chain([end]).collect();
    deltas(&redacted_with(list, key))
}

#[test]
fn each_text_of_a_key_that_has_several_is_hidden() {
    let key = "ASIA0123456789ABCDEF:secret-0123456789:session-0123456789";
    for part in ["secret-0123456789", "session-0123456789", "ASIA0123456789ABCDEF"] {
        assert_eq!(hidden(&format!("a {part} b"), key), "a [key] b");
    }
}

#[test]
fn a_placeholder_is_not_hidden() {
    let table = [("ollama", "ollama runs"), ("lm-studio", "lm-studio runs"), ("", "nothing")];
    for (key, said) in table {
        assert_eq!(hidden(said, key), said);
    }
}

fn redacted(list: Vec<ModelEvent>) -> Vec<ModelEvent> {
    let key = KEY;
    redacted_with(list, key)
}

fn redacted_with(list: Vec<ModelEvent>, key: &str) -> Vec<ModelEvent> {
    let mut redactor = Redactor::of(key).expect("it is worth hiding");
    list.into_iter().flat_map(|event| redactor.take(event)).collect()
}

fn hidden(text: &str, key: &str) -> String {
    Needles::of(key).map_or(text.to_owned(), |needles| needles.hide(text).into_owned())
}
