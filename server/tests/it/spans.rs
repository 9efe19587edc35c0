//! What a line of the log says of where it comes from: spans within spans, with their ids.

use crate::live::{agent, connect, hear, say};
use crate::things::schedule;
use crate::world::{Endpoint, Program, a_moment};
use serde_json::{Value, json};
use std::fs;
use tempfile::TempDir;

#[tokio::test]
async fn a_message_is_a_request_with_a_run_with_turns_with_their_calls() {
    let logs = TempDir::new().unwrap();
    let log = logs.path().join("log");
    let environment = [("RUST_LOG", "vivarium=info,hub=debug"), ("VIVARIUM_LOG_FORMAT", "json")];
    let mut program = Program::start_logged(&environment, log.clone());
    let endpoint = Endpoint::start();
    let caller = program.caller("ada");
    let agent = agent(&caller, &endpoint).await;
    let mut tab = connect(&caller, "tab").await;
    say(&mut tab, &json!({ "type": "subscribe", "agent": agent, "after": 0 })).await;
    let turns = json!([[{ "tool": "state", "input": { "action": "set", "key": "a", "value": 1 } }], [{ "text": "Done." }]]);
    caller.call("/api/agents/send", &json!({ "agent": agent, "text": format!("turns: {turns}") })).await;
    let run = loop {
        let frame = hear(&mut tab).await;
        if frame["entry"]["body"]["type"] == "run_finished" {
            break frame["entry"]["run"].clone();
        }
    };
    program.kill();

    let log = fs::read_to_string(log).unwrap();
    let (models, tools) = (spans_of(&log, "a model is called"), spans_of(&log, "a tool is called"));
    assert_eq!((models.len(), tools.len()), (2, 1), "{log}");
    let request = &models[0][0]["request.id"];
    assert!(request.is_string(), "{log}");
    for (spans, turn, call) in
        [(&models[0], 0, "provider_call"), (&tools[0], 0, "tool_call"), (&models[1], 1, "provider_call")]
    {
        assert_eq!(names(spans), ["request", "run", "turn", call], "{log}");
        assert_eq!(&spans[0]["request.id"], request);
        assert_eq!((&spans[1]["run.id"], &spans[1]["agent.id"]), (&run, &json!(agent)));
        assert_eq!(spans[2]["turn"], turn);
    }
    assert!(models[0][3]["provider.id"].is_string() && tools[0][3]["call.id"].is_string(), "{log}");
    assert_eq!(tools[0][3]["tool"], "state");
}

#[tokio::test]
async fn what_follows_a_run_is_within_none_that_was_before_it() {
    let logs = TempDir::new().unwrap();
    let log = logs.path().join("log");
    let environment = [("RUST_LOG", "vivarium=info,hub=debug"), ("VIVARIUM_LOG_FORMAT", "json")];
    let program = Program::start_logged(&environment, log.clone());
    let endpoint = Endpoint::start();
    let caller = program.caller("ada");
    caller.call("/api/account/set_side_calls", &json!({ "titles": true })).await;
    let agent = agent(&caller, &endpoint).await;
    let id = caller.call("/api/schedules/create", &json!({ "agent": agent, "draft": schedule() })).await;
    let mut tab = connect(&caller, "tab").await;
    say(&mut tab, &json!({ "type": "subscribe", "agent": agent, "after": 0 })).await;
    let turns = json!([[{ "text": "The first words, and the last ones.", "gate": "and" }]]);
    caller.call("/api/agents/send", &json!({ "agent": agent, "text": format!("turns: {turns}") })).await;
    let run = loop {
        let frame = hear(&mut tab).await;
        if frame["entry"]["body"]["type"] == "run_started" {
            break frame["entry"]["run"].clone();
        }
    };
    // It waits for the end of the run that is under way.
    caller.call("/api/schedules/run", &json!({ "id": id })).await;
    let seen = async {
        loop {
            let models = spans_of(&fs::read_to_string(&log).unwrap(), "a model is called");
            let within = |span| models.iter().find(|spans| names(spans).contains(&span)).cloned();
            if let (Some(named), Some(scheduled)) = (within("side_calls"), within("schedule_firing")) {
                break (named, scheduled);
            }
            a_moment().await;
        }
    };
    let (named, scheduled) = endpoint.with_open_gates(seen).await;
    assert_eq!(names(&named), ["side_calls", "provider_call"]);
    assert_eq!(names(&scheduled), ["after_run", "schedule_firing", "run", "turn", "provider_call"]);
    for of_the_run in [&named[0], &scheduled[0]] {
        assert_eq!((&of_the_run["run.id"], &of_the_run["agent.id"]), (&run, &json!(agent)));
    }
    assert_eq!((&scheduled[1]["schedule.id"], &scheduled[1]["agent.id"]), (&id, &json!(agent)));
    assert_ne!(scheduled[2]["run.id"], run);
}

/// Within which spans this was said, each time.
fn spans_of(log: &str, message: &str) -> Vec<Vec<Value>> {
    let lines = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let says = |line: &Value| line["fields"]["message"] == message;
    lines.filter(says).map(|line| line["spans"].as_array().unwrap().clone()).collect()
}

fn names(spans: &[Value]) -> Vec<&str> {
    spans.iter().map(|span| span["name"].as_str().unwrap()).collect()
}
