//! Model calls in the product's own words.

use crate::golden::{check, every, section};
use crate::samples::{call, request, result, tool};
use protocol::model::{
    Block, BlockKind, ModelEvent, ModelFailure, ModelFailureKind, ModelMessage, Source, StopReason, ToolCall,
    ToolResult, Usage,
};
use serde_json::json;

#[test]
fn every_part_of_a_model_call_is_as_it_was() {
    let text = || "Hello".to_owned();
    check(
        "model",
        &[
            section("ModelRequest", &[request()]),
            every!(ModelMessage {
                ModelMessage::User { .. } => [ModelMessage::User { text: text(), media: Vec::new() }],
                ModelMessage::Assistant { .. } => [
                    ModelMessage::Assistant { blocks: vec![Block::Text { text: text() }, Block::ToolUse(call())] },
                ],
                ModelMessage::Tools { .. } => [ModelMessage::Tools { results: vec![result()] }],
            }),
            every!(Block {
                Block::Text { .. } => [Block::Text { text: text() }],
                Block::Reasoning { .. } => [
                    Block::Reasoning { text: "Hm.".to_owned(), signature: Some("anthropic:c2lnbmVk".to_owned()) },
                    Block::Reasoning { text: "Hm.".to_owned(), signature: None },
                ],
                Block::ToolUse(_) => [
                    Block::ToolUse(call()),
                    Block::ToolUse(ToolCall { input: json!("{\"code\": "), ..call() }),
                ],
            }),
            every!(ModelEvent {
                ModelEvent::BlockStarted { .. } => [ModelEvent::BlockStarted { index: 0, kind: BlockKind::Text }],
                ModelEvent::Delta { .. } => [ModelEvent::Delta { index: 0, text: text() }],
                ModelEvent::BlockFinished { .. } => [
                    ModelEvent::BlockFinished { index: 0, block: Block::Text { text: text() } },
                ],
                ModelEvent::Usage { .. } => [ModelEvent::Usage { usage: usage() }],
                ModelEvent::Stopped { .. } => [ModelEvent::Stopped { reason: StopReason::EndTurn }],
                ModelEvent::Failed { .. } => [ModelEvent::Failed { failure: failure(None) }],
                ModelEvent::Cited { .. } => [ModelEvent::Cited {
                    sources: vec![Source {
                        url: "https://moss.example/on".to_owned(),
                        title: "On moss".to_owned(),
                        text: "It grows.".to_owned(),
                        date: "2026-11-24".to_owned(),
                    }],
                    searches: 1,
                }],
                ModelEvent::Unknown { .. } => [ModelEvent::Unknown { what: "event: heartbeat".to_owned() }],
            }),
            every!(BlockKind {
                BlockKind::Text => [BlockKind::Text],
                BlockKind::Reasoning => [BlockKind::Reasoning],
                BlockKind::ToolUse { .. } => [
                    BlockKind::ToolUse { id: "call-1".into(), name: "runjs".to_owned() },
                ],
            }),
            every!(StopReason {
                StopReason::EndTurn => [StopReason::EndTurn],
                StopReason::ToolUse => [StopReason::ToolUse],
                StopReason::MaxTokens => [StopReason::MaxTokens],
                StopReason::StopSequence => [StopReason::StopSequence],
                StopReason::Refusal => [StopReason::Refusal],
                StopReason::ContextFull => [StopReason::ContextFull],
                StopReason::Other => [StopReason::Other],
            }),
            every!(ModelFailureKind {
                ModelFailureKind::NotConfigured => [ModelFailureKind::NotConfigured],
                ModelFailureKind::OverBudget => [ModelFailureKind::OverBudget],
                ModelFailureKind::BadKey => [ModelFailureKind::BadKey],
                ModelFailureKind::UnknownModel => [ModelFailureKind::UnknownModel],
                ModelFailureKind::RateLimited => [ModelFailureKind::RateLimited],
                ModelFailureKind::Overloaded => [ModelFailureKind::Overloaded],
                ModelFailureKind::ContextTooLong => [ModelFailureKind::ContextTooLong],
                ModelFailureKind::Refused => [ModelFailureKind::Refused],
                ModelFailureKind::BadRequest => [ModelFailureKind::BadRequest],
                ModelFailureKind::Unreachable => [ModelFailureKind::Unreachable],
                ModelFailureKind::Timeout => [ModelFailureKind::Timeout],
                ModelFailureKind::NotThisKind => [ModelFailureKind::NotThisKind],
                ModelFailureKind::Cut => [ModelFailureKind::Cut],
                ModelFailureKind::Malformed => [ModelFailureKind::Malformed],
                ModelFailureKind::Server => [ModelFailureKind::Server],
                ModelFailureKind::Aborted => [ModelFailureKind::Aborted],
            }),
            section("ModelFailure", &[failure(Some(2000)), failure(None)]),
            section("Usage", &[usage(), Usage::default()]),
            section("ToolCall", &[call()]),
            section("ToolResult", &[result(), ToolResult { is_error: true, ..result() }]),
            section("ToolSpec", &[tool()]),
        ],
    );
}

fn usage() -> Usage {
    Usage { input: 1200, output: 80, cache_read: 900, cache_write: 10, reasoning: 30 }
}

fn failure(retry_after_ms: Option<u64>) -> ModelFailure {
    ModelFailure {
        kind: ModelFailureKind::Overloaded,
        message: "The provider is overloaded.".to_owned(),
        retry_after_ms,
    }
}
