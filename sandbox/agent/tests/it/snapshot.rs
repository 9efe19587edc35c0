//! A conversation that was kept half way and gone on with is the one that was read from its beginning.

use crate::providers::expect_file;
use crate::world::{World, spec, started};
use agent::context::Snapshot;
use agent::{Run, RunSpec};
use proptest::prelude::*;
use protocol::log::{Entry, EntryBody, Mark, NoticeKind, Outcome, Sender, Summariser};
use protocol::model::{Block, ModelFailure, ModelFailureKind, StopReason, ToolCall, ToolResult, Usage};
use protocol::{CallId, ContextSource, RunId};
use serde_json::json;
use std::path::Path;

/// After which a conversation begins anew, in milliseconds.
const REST_MS: u64 = 1_000;

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_run_from_a_snapshot_is_the_run_from_the_whole_log(
        story in prop::collection::vec(any::<(u8, u8)>(), 0..120),
        cut in any::<prop::sample::Index>(),
        rests in prop::bool::ANY,
    ) {
        let spec = RunSpec { clear_after_ms: rests.then_some(REST_MS), ..spec(25) };
        let log = log(&story, &spec);
        let cut = cut.index(log.len() + 1);
        let next = RunId::from("next");
        let kept = kept(&spec, &log[..cut]);
        let whole = Snapshot::new(spec.clear_after_ms).take_all(&log);
        let gone_on = Snapshot::parse(Some(&kept), &spec).expect("it was written just now").take_all(&log[cut..]);
        prop_assert_eq!(json(&gone_on), json(&whole));
        let past = Snapshot::parse(Some(&kept), &spec).expect("it was written just now");
        let from_snapshot = Run::resume_from(past, next.clone(), spec.clone(), &log[cut..]);
        prop_assert_eq!(from_snapshot.fingerprint(), Run::resume(next, spec, &log).fingerprint());
    }
}

/// Whoever changes the form raises its number, so that snapshots of the former one are made again.
#[test]
fn the_form_of_a_snapshot_is_the_one_that_its_number_stands_for() {
    let spec = spec(25);
    let steps = [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (6, 0), (8, 0), (0, 1), (5, 0), (9, 0), (10, 3)];
    let kept = kept(&spec, &log(&steps, &spec));
    assert_eq!(Snapshot::FORM, 1);
    expect_file(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/snapshot.json"), &format!("{kept}\n"));
}

fn kept(spec: &RunSpec, log: &[Entry]) -> String {
    json(&Snapshot::new(spec.clear_after_ms).take_all(log))
}

fn json(snapshot: &Snapshot) -> String {
    serde_json::to_string(snapshot).expect("a snapshot is JSON")
}

/// A log in which anything may follow on anything; each step is a kind and a detail.
fn log(story: &[(u8, u8)], spec: &RunSpec) -> Vec<Entry> {
    let mut world = World::default();
    let (mut number, mut turn) = (0_u32, 0_u32);
    for (kind, detail) in story {
        let run = RunId(format!("run-{number}"));
        let former = RunId(format!("run-{}", number.saturating_sub(u32::from(detail % 3))));
        let upto = Mark { run: former.clone(), turn: turn.saturating_sub(u32::from(detail % 2)) };
        let call = CallId(format!("call-{}", detail % 4));
        world.now += i64::from(*detail) * 8;
        let body = match kind % 16 {
            0 => EntryBody::said(sender(*detail), format!("said {detail}")),
            1 => {
                number += 1;
                turn = 0;
                world.write(Some(&RunId(format!("run-{number}"))), started(spec));
                continue;
            }
            2 => EntryBody::Block { turn, index: 0, block: Block::Text { text: format!("text {detail}") } },
            3 => {
                let input = json!({ "action": "create", "selector": "#a", "html": "<p>", "at": 0.1 });
                let block = Block::ToolUse(ToolCall { id: call, name: "dom".to_owned(), input });
                EntryBody::Block { turn, index: u32::from(*detail), block }
            }
            4 => {
                let content = format!("result {detail}");
                let is_error = detail % 2 == 0;
                let result =
                    ToolResult { call, name: "dom".to_owned(), content, media: Vec::new(), is_error };
                // It may come late, of a run that is over.
                let body = EntryBody::ToolFinished { turn, result, millis: 1, denied: detail % 5 == 0 };
                world.write(Some(&former), body);
                continue;
            }
            5 => EntryBody::Notice { turn, kind: NoticeKind::Hint, text: format!("hint {detail}") },
            6 | 7 => {
                turn += 1;
                EntryBody::TurnFinished { turn: turn - 1, stop: StopReason::ToolUse }
            }
            8 => EntryBody::finished(Outcome::Completed),
            9 => EntryBody::Steered {
                turn,
                seq: (world.entries.len() as u64).saturating_sub((detail % 3).into()),
            },
            10 => EntryBody::Summary { turn, by: Summariser::Model, upto, text: "in short".to_owned() },
            11 => EntryBody::Digested { turn, upto },
            12 => EntryBody::Clipped { turn, longest: 4_000 },
            13 => EntryBody::NotRun { turn, call, why: NoticeKind::Duplicate, text: "twice".to_owned() },
            14 => {
                let usage = Usage { input: (*detail).into(), output: 2, ..Usage::default() };
                EntryBody::Used { turn, model: "m".to_owned(), usage, cost: None, aside: None }
            }
            _ => {
                let (kind, message) = (ModelFailureKind::Overloaded, "busy".to_owned());
                EntryBody::Retrying { turn, failure: ModelFailure { kind, message, retry_after_ms: None } }
            }
        };
        let is_said = matches!(body, EntryBody::Message { .. });
        world.write((!is_said).then_some(&run), body);
    }
    world.entries
}

fn sender(detail: u8) -> Sender {
    match detail % 6 {
        0 => Sender::Person,
        5 => Sender::Context { source: ContextSource::Keys, untrusted: true },
        1 => Sender::Devices,
        2 => Sender::Todo,
        3 => Sender::PageEmit { name: "leaf".to_owned() },
        _ => Sender::PageNotify { name: "leaf".to_owned() },
    }
}
