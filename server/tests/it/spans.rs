//! What a line of the log says of where it comes from: spans within spans, with their ids.

use crate::live::{agent, connect, hear, say};
use crate::world::{Endpoint, Program};
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
    let lines: Vec<Value> = log.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let spans_of = |message: &str| -> Vec<&Vec<Value>> {
        let says = |line: &&Value| line["fields"]["message"] == message;
        lines.iter().filter(says).map(|line| line["spans"].as_array().unwrap()).collect()
    };
    let (models, tools) = (spans_of("a model is called"), spans_of("a tool is called"));
    assert_eq!((models.len(), tools.len()), (2, 1), "{log}");
    let request = &models[0][0]["request.id"];
    assert!(request.is_string(), "{log}");
    for (spans, turn, call) in
        [(models[0], 0, "provider_call"), (tools[0], 0, "tool_call"), (models[1], 1, "provider_call")]
    {
        let names: Vec<_> = spans.iter().map(|span| span["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["request", "run", "turn", call], "{log}");
        assert_eq!(&spans[0]["request.id"], request);
        assert_eq!((&spans[1]["run.id"], &spans[1]["agent.id"]), (&run, &json!(agent)));
        assert_eq!(spans[2]["turn"], turn);
    }
    assert!(models[0][3]["provider.id"].is_string() && tools[0][3]["call.id"].is_string(), "{log}");
    assert_eq!(tools[0][3]["tool"], "state");
}
