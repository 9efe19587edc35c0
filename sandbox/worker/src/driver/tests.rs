use super::Driver;
use protocol::frame::FromWorker;
use protocol::hub::{Effect, RunAsk};
use serde_json::{Value, json};

#[test]
fn a_run_goes_from_its_start_to_its_end() {
    check(
        &[
            start(),
            model(0, json!({ "type": "block_started", "index": 0, "kind": { "type": "text" } })),
            model(0, json!({ "type": "delta", "index": 0, "text": "Hello" })),
            model(
                0,
                json!({ "type": "block_finished", "index": 0, "block": { "type": "text", "text": "Hello" } }),
            ),
            model(0, json!({ "type": "stopped", "reason": "end_turn" })),
        ],
        &["call 0", "append 0", "append 1", "finish 2"],
    );
}

#[test]
fn stop_ends_the_run() {
    check(&[start(), reply(json!({ "type": "stop" }))], &["call 0", "abort model", "finish 0"]);
}

#[test]
fn a_second_start_is_refused_while_a_run_goes_on() {
    check(&[start(), start()], &["call 0", "broken: A run cannot start here while another one is going on."]);
}

#[test]
fn a_run_may_start_after_one_that_ended() {
    check(
        &[start(), reply(json!({ "type": "stop" })), start()],
        &["call 0", "abort model", "finish 0", "call 0"],
    );
}

#[test]
fn a_lost_lease_drops_the_run() {
    check(
        &[start(), reply(json!({ "type": "lost" })), reply(json!({ "type": "stop" })), start()],
        &["call 0", "call 0"],
    );
}

#[test]
fn a_reply_without_a_run_is_ignored() {
    check(&[reply(json!({ "type": "stop" }))], &[]);
}

#[test]
fn what_is_no_message_is_answered_and_loses_nothing() {
    check(
        &[start(), "{".to_owned(), reply(json!({ "type": "stop" }))],
        &[
            "call 0",
            "broken: The shell sent something that is no message: EOF while parsing an object at line 1 column 1.",
            "abort model",
            "finish 0",
        ],
    );
}

#[test]
fn every_sixteen_model_events_are_credited() {
    let delta = model(0, json!({ "type": "delta", "index": 0, "text": "a" }));
    let mut messages =
        vec![start(), model(0, json!({ "type": "block_started", "index": 0, "kind": { "type": "text" } }))];
    messages.extend(std::iter::repeat_n(delta, 31));
    check(&messages, &["call 0", "credit 16", "credit 16"]);
}

#[test]
fn the_last_event_of_a_call_needs_no_credit() {
    let usage = json!({ "type": "usage", "usage": { "input": 1, "output": 1 } });
    let mut messages = vec![start()];
    messages.extend(std::iter::repeat_n(model(0, usage), 15));
    messages.push(model(0, json!({ "type": "stopped", "reason": "end_turn" })));
    check(&messages, &["call 0", "append 0", "append 1", "call 1"]);
}

fn check(messages: &[String], expected: &[&str]) {
    let mut driver = Driver::default();
    let mut said = Vec::new();
    for message in messages {
        driver.receive(message, &mut |out| said.push(summary(&out)));
    }
    assert_eq!(said, expected);
}

fn summary(message: &FromWorker) -> String {
    match message {
        FromWorker::Ready => "ready".to_owned(),
        FromWorker::Broken { message } => format!("broken: {message}"),
        FromWorker::Ask { ask } => match ask {
            RunAsk::Credit { count } => format!("credit {count}"),
            RunAsk::Effect { effect } => match effect {
                Effect::CallModel { turn, .. } => format!("call {turn}"),
                Effect::AbortModel => "abort model".to_owned(),
                Effect::RunTools { turn, .. } => format!("tools {turn}"),
                Effect::Prefetch { turn, .. } => format!("prefetch {turn}"),
                Effect::Arm { timer, .. } => format!("arm {timer}"),
                Effect::Aside { turn, .. } => format!("aside {turn}"),
                Effect::AbortTools => "abort tools".to_owned(),
                Effect::Append { ordinal, .. } => format!("append {ordinal}"),
                Effect::Finish { ordinal, .. } => format!("finish {ordinal}"),
            },
        },
    }
}

fn start() -> String {
    let message = |seq: u64, body: Value| json!({ "agent": "a", "seq": seq, "at": 0, "conversation": "c", "run": (seq > 1).then_some("r"), "body": body });
    json!({
        "type": "start",
        "now": 1,
        "grant": {
            "agent": "a",
            "conversation": "c",
            "run": "r",
            "spec": {
                "name": "Fern",
                "instructions": "",
                "model": "m",
                "tools": [],
                "max_output_tokens": 100,
                "round_limit": 5,
                "context_tokens": 32000,
                "native_tools": true,
            },
            "transcript": [
                message(1, json!({ "type": "message", "from": { "type": "person" }, "text": "Hi" })),
                message(2, json!({ "type": "run_started", "home": "browser" })),
            ],
        },
    })
    .to_string()
}

fn model(turn: u32, event: Value) -> String {
    reply(json!({ "type": "model", "turn": turn, "event": event }))
}

fn reply(reply: Value) -> String {
    json!({ "type": "reply", "now": 2, "reply": reply }).to_string()
}
