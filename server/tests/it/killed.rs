//! `kill -9` during a turn: what was acknowledged is there, the run is interrupted, no tool ran twice.

use crate::live::{agent, connect, hear, say};
use crate::world::{Endpoint, Program};
use serde_json::{Value, json};
use std::collections::BTreeSet;

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
        // A call that was refused finishes without having started.
        let (started, finished) = (started(mine), finished(mine));
        assert!(started.iter().all(|call| finished.contains(call)), "{script} at {point}");
        for calls in [started, finished] {
            let once: BTreeSet<_> = calls.iter().collect();
            assert_eq!(once.len(), calls.len(), "{script} at {point}: {calls:?}");
        }
    }
}

fn started(entries: &[Value]) -> Vec<&str> {
    entries.iter().filter_map(|entry| entry["body"]["call"]["id"].as_str()).collect()
}

fn finished(entries: &[Value]) -> Vec<&str> {
    entries.iter().filter_map(|entry| entry["body"]["result"]["call"].as_str()).collect()
}

async fn entries(caller: &crate::world::Caller, agent: &str) -> Vec<Value> {
    let answer = caller.get(&format!("/api/agents/entries?agent={agent}&after=0")).await;
    answer.json().await.unwrap()
}
