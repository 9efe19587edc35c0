//! `kill -9` during a turn: what was acknowledged is there, the run is interrupted, no tool ran twice.

use crate::live::{agent, connect, hear, say};
use crate::world::{Endpoint, Program};
use serde_json::{Value, json};

#[tokio::test]
async fn a_killed_hub_loses_nothing_acknowledged_and_does_nothing_twice() {
    let mut program = Program::start();
    let endpoint = Endpoint::start();
    let mut caller = program.caller("ada");
    let agent = agent(&caller, &endpoint).await;
    // At the first words, in the middle of a reply; and while tools run.
    for (script, point) in [("slow", "delta"), ("tools", "tool_started"), ("tools", "tool_finished")] {
        let before = entries(&caller, &agent).await.len() as u64;
        let mut socket = connect(&caller, "tab").await;
        say(&mut socket, &json!({ "type": "subscribe", "agent": agent, "after": before })).await;
        let text = format!("script: {script}");
        let sent = caller.call("/api/agents/send", &json!({ "agent": agent, "text": text })).await;
        loop {
            let frame = hear(&mut socket).await;
            if frame["type"] == point || frame["entry"]["body"]["type"] == point {
                break;
            }
        }
        program.restart();
        caller.url.clone_from(&program.url);

        let log = entries(&caller, &agent).await;
        let mine = &log[usize::try_from(before).unwrap()..];
        assert_eq!(mine[0]["seq"], sent["seq"]);
        assert_eq!(mine[0]["body"]["text"], json!(text));
        for (index, entry) in log.iter().enumerate() {
            assert_eq!(entry["seq"], json!(index + 1));
        }
        let end = &mine.last().unwrap()["body"];
        assert_eq!(
            (&end["type"], &end["outcome"]["type"]),
            (&json!("run_finished"), &json!("interrupted")),
            "{script}"
        );
        let started = kinds(mine, "tool_started");
        assert_eq!(started, kinds(mine, "tool_finished"), "{script} at {point}");
        let mut calls: Vec<_> =
            mine.iter().filter_map(|entry| entry["body"]["call"]["id"].as_str()).collect();
        let all = calls.len();
        calls.sort_unstable();
        calls.dedup();
        assert_eq!(calls.len(), all, "{script} at {point}: a call was started twice");
    }
}

fn kinds(entries: &[Value], kind: &str) -> usize {
    entries.iter().filter(|entry| entry["body"]["type"] == kind).count()
}

async fn entries(caller: &crate::world::Caller, agent: &str) -> Vec<Value> {
    let answer = caller.get(&format!("/api/agents/entries?agent={agent}&after=0")).await;
    answer.json().await.unwrap()
}
