use super::Driver;
use protocol::frame::FromWorker;
use protocol::model::ModelEvent;
use protocol::run::{Effect, RunAsk};
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

#[test]
fn a_model_on_the_device_is_called_from_here_and_the_hub_is_told() {
    check(
        &[
            start_on_device(),
            fetched(1, json!({ "type": "head", "status": 200 })),
            fetched(1, chunk("Hel")),
            fetched(1, chunk("lo")),
            fetched(1, json!({ "type": "text", "text": END })),
            fetched(1, json!({ "type": "text", "text": "late" })),
        ],
        &[
            "fetch 1",
            "more 1",
            "told 0 block_started",
            "told 0 delta",
            "more 1",
            "told 0 delta",
            "more 1",
            "told 0 block_finished",
            "append 0",
            "told 0 stopped",
            "append 1",
            "finish 2",
        ],
    );
}

#[test]
fn of_a_model_with_a_key_the_run_takes_in_what_the_shell_gives_back() {
    let key =
        json!({ "provider": "p", "name": "P", "place": "https://example.org", "header": "authorization" });
    let on_device = json!({ "kind": "ollama", "address": "https://example.org/api/chat", "key": key });
    let cleared =
        |events: Value| json!({ "type": "cleared", "now": 2, "call": 1, "events": events }).to_string();
    let text = |text: &str| json!({ "type": "text", "text": text });
    check(
        &[
            start_with(Some(on_device)),
            fetched(1, json!({ "type": "head", "status": 200 })),
            fetched(1, chunk("sk-ca")),
            fetched(1, chunk("nary")),
            cleared(json!([{ "type": "block_started", "index": 0, "kind": { "type": "text" } }])),
            cleared(json!([{ "type": "delta", "index": 0, "text": "[key]" }])),
            fetched(1, json!({ "type": "text", "text": END })),
            cleared(json!([
                { "type": "block_finished", "index": 0, "block": text("[key]") },
                { "type": "stopped", "reason": "end_turn" },
            ])),
            cleared(json!([{ "type": "delta", "index": 0, "text": "late" }])),
        ],
        &[
            "fetch 1",
            "more 1",
            "decoded 1 block_started delta",
            "more 1",
            "decoded 1 delta",
            "more 1",
            "told 0 block_started",
            "told 0 delta",
            "decoded 1 block_finished stopped",
            "more 1",
            "told 0 block_finished",
            "append 0",
            "told 0 stopped",
            "append 1",
            "finish 2",
        ],
    );
}

#[test]
fn the_browsers_own_model_speaks_in_lines_of_json() {
    let line = |line: Value| fetched(1, json!({ "type": "text", "text": format!("{line}\n") }));
    check(
        &[
            start_with(Some(json!({ "kind": "in_browser", "address": "" }))),
            fetched(1, json!({ "type": "head", "status": 200 })),
            line(json!({ "progress": 0.5 })),
            line(json!({ "delta": "Hello there" })),
            line(json!({ "done": { "input": 7 } })),
        ],
        &[
            r#"prompt 1 "Hi""#,
            "more 1",
            "told 0 unknown",
            "more 1",
            "told 0 block_started",
            "told 0 delta",
            "more 1",
            "told 0 usage",
            "told 0 block_finished",
            "append 0",
            "told 0 stopped",
            "append 1",
            "finish 2",
        ],
    );
}

#[test]
fn a_call_that_is_given_up_is_told_no_more_of() {
    check(
        &[
            start_on_device(),
            fetched(1, chunk("Hel")),
            reply(json!({ "type": "stop" })),
            fetched(1, chunk("lo")),
        ],
        &[
            "fetch 1",
            "told 0 block_started",
            "told 0 delta",
            "more 1",
            "abort fetch 1",
            "abort model",
            "append 0",
            "finish 1",
        ],
    );
}

#[test]
fn a_lease_that_is_lost_ends_the_call_on_the_device() {
    check(&[start_on_device(), reply(json!({ "type": "lost" }))], &["fetch 1", "abort fetch 1"]);
}

#[test]
fn an_error_of_the_model_server_is_read_by_its_codec() {
    check(
        &[
            start_on_device(),
            fetched(1, json!({ "type": "head", "status": 404 })),
            fetched(1, json!({ "type": "text", "text": r#"{"error":"model 'm' not found"}"# })),
            fetched(1, json!({ "type": "end" })),
        ],
        &["fetch 1", "more 1", "more 1", "told 0 failed unknown_model", "finish 0"],
    );
}

#[test]
fn what_the_shell_could_not_fetch_fails_the_call() {
    let failure = json!({ "kind": "not_configured", "message": "No." });
    check(
        &[start_on_device(), fetched(1, json!({ "type": "failed", "failure": failure }))],
        &["fetch 1", "told 0 failed not_configured", "finish 0"],
    );
}

const END: &str =
    "{\"message\":{\"role\":\"assistant\",\"content\":\"\"},\"done\":true,\"done_reason\":\"stop\"}\n";

fn chunk(text: &str) -> Value {
    let line = json!({ "message": { "role": "assistant", "content": text }, "done": false });
    json!({ "type": "text", "text": format!("{line}\n") })
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
        FromWorker::Fetch { call, body, tokens: _, deadline_ms: _, pictures: _, texts: _ } => {
            let body: Value = serde_json::from_str(body).unwrap();
            if body.get("create").is_some() {
                return format!("prompt {call} {}", body["prompt"]);
            }
            assert_eq!((&body["model"], &body["stream"]), (&json!("m"), &json!(true)));
            format!("fetch {call}")
        }
        FromWorker::Decoded { call, events } => {
            let events = serde_json::to_value(events).unwrap();
            let kinds: Vec<_> =
                events.as_array().unwrap().iter().map(|event| event["type"].as_str().unwrap()).collect();
            format!("decoded {call} {}", kinds.join(" "))
        }
        FromWorker::More { call } => format!("more {call}"),
        FromWorker::AbortFetch { call } => format!("abort fetch {call}"),
        FromWorker::Ask { ask } => match ask {
            RunAsk::Told { turn, event: ModelEvent::Failed { failure } } => {
                let kind = serde_json::to_value(failure.kind).unwrap();
                format!("told {turn} failed {}", kind.as_str().unwrap())
            }
            RunAsk::Told { turn, event } => {
                let event = serde_json::to_value(event).unwrap();
                format!("told {turn} {}", event["type"].as_str().unwrap())
            }
            RunAsk::Hold { .. } | RunAsk::KeyWanted { .. } => panic!("only the shell asks for that"),
            RunAsk::AsideTold { turn, .. } => format!("told aside {turn}"),
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
    start_with(None)
}

fn start_on_device() -> String {
    start_with(Some(json!({ "kind": "ollama", "address": "http://localhost:11434/api/chat" })))
}

fn start_with(on_device: Option<Value>) -> String {
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
                "on_device": on_device,
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

fn fetched(call: u64, part: Value) -> String {
    json!({ "type": "fetched", "now": 2, "call": call, "part": part }).to_string()
}

fn reply(reply: Value) -> String {
    json!({ "type": "reply", "now": 2, "reply": reply }).to_string()
}
