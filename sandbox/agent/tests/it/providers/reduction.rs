//! Events as short text, after a check that they keep the order that every reader relies on.

use agent::providers::Decoder;
use protocol::model::{Block, BlockKind, ModelEvent, Source};
use std::collections::BTreeMap;

pub fn decode<'a>(decoder: Decoder, pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<ModelEvent> {
    let mut decoder = decoder;
    let mut events: Vec<ModelEvent> = Vec::new();
    for piece in pieces {
        events.extend(decoder.push(piece));
    }
    events.extend(decoder.finish());
    events
}

/// One line per finished block, unknown thing and end, and the last usage.
///
/// # Panics
///
/// When a block is not started once, when its deltas do not add up to it, when blocks do not
/// finish in the order of their index, or when there is not exactly one end, the last event.
pub fn reduce(events: &[ModelEvent]) -> String {
    let mut lines = Vec::new();
    let mut started: BTreeMap<u32, (BlockKind, String)> = BTreeMap::new();
    let mut finished = 0;
    let mut total = None;
    for (position, event) in events.iter().enumerate() {
        let is_last = position + 1 == events.len();
        match event {
            ModelEvent::BlockStarted { index, kind } => {
                let next = finished + started.len() as u32;
                assert_eq!(*index, next, "blocks start in order");
                started.insert(*index, (kind.clone(), String::new()));
            }
            ModelEvent::Delta { index, text } => {
                assert!(!text.is_empty(), "a delta is never empty");
                let (_, so_far) = started.get_mut(index).expect("a delta has an open block");
                so_far.push_str(text);
            }
            ModelEvent::BlockFinished { index, block } => {
                assert_eq!(*index, finished, "blocks finish in order");
                let (kind, streamed) = started.remove(index).expect("a block starts first");
                lines.push(format!("{index} {}", describe(&kind, &streamed, block)));
                finished += 1;
            }
            ModelEvent::Usage { usage } => total = Some(*usage),
            ModelEvent::Cited { sources, searches } => {
                lines.extend(sources.iter().map(|Source { url, title, text, date }| {
                    format!("cited {url} {title:?} {date:?} {text:?}")
                }));
                lines.push(format!("searched {searches}"));
            }
            ModelEvent::Unknown { what } => lines.push(format!("unknown {what}")),
            ModelEvent::Stopped { reason } => {
                assert!(is_last && started.is_empty(), "a stop is the end of all blocks");
                lines.push(format!("stopped {reason:?}"));
            }
            ModelEvent::Failed { failure } => {
                assert!(is_last, "a failure is the end");
                let wait = failure.retry_after_ms;
                let wait = wait.map(|wait| format!(" ({wait} ms)")).unwrap_or_default();
                lines.push(format!("failed {:?}{wait}: {}", failure.kind, failure.message));
            }
        }
    }
    assert!(
        matches!(events.last(), Some(ModelEvent::Stopped { .. } | ModelEvent::Failed { .. })),
        "the last event is an end"
    );
    if let Some(usage) = total {
        lines.push(format!(
            "used in {} out {} reasoning {} cache-read {} cache-write {}",
            usage.input, usage.output, usage.reasoning, usage.cache_read, usage.cache_write
        ));
    }
    lines.join("\n") + "\n"
}

fn describe(kind: &BlockKind, streamed: &str, block: &Block) -> String {
    match (kind, block) {
        (BlockKind::Text, Block::Text { text }) => {
            assert_eq!(streamed, text);
            format!("text {text:?}")
        }
        (BlockKind::Reasoning, Block::Reasoning { text, signature }) => {
            assert_eq!(streamed, text);
            match signature {
                Some(signature) => format!("reasoning {text:?} signed {signature:?}"),
                None => format!("reasoning {text:?}"),
            }
        }
        (BlockKind::ToolUse { id, name }, Block::ToolUse(call)) => {
            assert_eq!((id, name), (&call.id, &call.name));
            match serde_json::from_str(streamed) {
                Ok(streamed) if call.input.is_object() => {
                    let streamed: serde_json::Value = streamed;
                    assert!(streamed == call.input || streamed.is_null());
                }
                _ => assert_eq!(streamed.trim(), call.input.as_str().unwrap_or_default().trim()),
            }
            format!("call {} {} {}", call.id, call.name, call.input)
        }
        (kind, block) => panic!("{kind:?} became {block:?}"),
    }
}
