//! Entries of the log. They are also what the store keeps: an old line has to be read for ever.

use crate::golden::{check, every, section};
use crate::samples::{agent, call, conversation, entry, message, page, result, run};
use protocol::Micros;
use protocol::log::{Entry, EntryBody, Outcome, Sender, Skin};
use protocol::model::{Block, ModelFailure, ModelFailureKind, StopReason, Usage};
use protocol::view::Home;
use serde_json::{Value, json};

#[test]
fn every_entry_is_as_it_was() {
    check(
        "log",
        &[
            section(
                "Entry",
                &[
                    entry(1, None, message()),
                    entry(2, Some(run()), EntryBody::RunStarted { home: Home::Hub }),
                    Entry {
                        agent: agent(),
                        seq: u64::MAX,
                        at: -1,
                        conversation: None,
                        run: None,
                        body: EntryBody::State { key: "score".to_owned(), value: json!(12) },
                    },
                ],
            ),
            every!(EntryBody {
                EntryBody::Message { .. } => [
                    message(),
                    EntryBody::Message {
                        from: Sender::PageNotify { name: "pressed".to_owned() },
                        text: "pressed: 3".to_owned(),
                    },
                ],
                EntryBody::RunStarted { .. } => [EntryBody::RunStarted { home: Home::Browser }],
                EntryBody::Block { .. } => [
                    EntryBody::Block { turn: 0, index: 0, block: Block::Text { text: "Hello".to_owned() } },
                    EntryBody::Block { turn: 0, index: 1, block: Block::ToolUse(call()) },
                ],
                EntryBody::TurnFinished { .. } => [
                    EntryBody::TurnFinished { turn: 0, stop: StopReason::ToolUse },
                ],
                EntryBody::ToolStarted { .. } => [EntryBody::ToolStarted { turn: 0, call: call() }],
                EntryBody::ToolFinished { .. } => [
                    EntryBody::ToolFinished { turn: 0, result: result(), millis: 12 },
                ],
                EntryBody::Used { .. } => [
                    EntryBody::Used {
                        turn: 0,
                        model: "model-1".to_owned(),
                        usage: Usage { input: 1200, output: 80, cache_read: 900, cache_write: 10, reasoning: 30 },
                        cost: Some(Micros(4321)),
                    },
                    EntryBody::Used { turn: 1, model: "model-1".to_owned(), usage: Usage::default(), cost: None },
                ],
                EntryBody::RunFinished { .. } => [EntryBody::RunFinished { outcome: Outcome::Completed }],
                EntryBody::Skin { .. } => [
                    EntryBody::Skin { version: 1, by: Some("tab-1".into()) },
                    EntryBody::Skin { version: 2, by: None },
                ],
                EntryBody::State { .. } => [
                    EntryBody::State { key: "score".to_owned(), value: json!({ "ada": 1, "ben": [true, null] }) },
                    EntryBody::State { key: "score".to_owned(), value: Value::Null },
                ],
            }),
            every!(Sender {
                Sender::Person => [Sender::Person],
                Sender::PageNotify { .. } => [Sender::PageNotify { name: "pressed".to_owned() }],
                Sender::PageAsk => [Sender::PageAsk],
            }),
            every!(Outcome {
                Outcome::Completed => [Outcome::Completed],
                Outcome::Stopped => [Outcome::Stopped],
                Outcome::RoundLimit => [Outcome::RoundLimit],
                Outcome::Failed { .. } => [Outcome::Failed {
                    failure: ModelFailure {
                        kind: ModelFailureKind::RateLimited,
                        message: "The provider asks to wait.".to_owned(),
                        retry_after_ms: Some(2000),
                    },
                }],
                Outcome::Interrupted { .. } => [Outcome::Interrupted { why: "The hub was stopped.".to_owned() }],
            }),
            section("Skin", &[Skin { version: 3, page: page() }]),
            section("ConversationId", &[conversation()]),
        ],
    );
}

#[test]
fn retry_makes_sense_after_every_end_but_an_answer() {
    let failure = ModelFailure {
        kind: ModelFailureKind::Cut,
        message: "The stream broke off.".to_owned(),
        retry_after_ms: None,
    };
    for (outcome, expected) in [
        (Outcome::Completed, false),
        (Outcome::Stopped, true),
        (Outcome::RoundLimit, true),
        (Outcome::Failed { failure }, true),
        (Outcome::Interrupted { why: "The hub was stopped.".to_owned() }, true),
    ] {
        assert_eq!(outcome.can_retry(), expected, "{outcome:?}");
    }
}
