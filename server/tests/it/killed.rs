//! `kill -9` during a turn: what was acknowledged is there, the run goes on by itself, and no call that changes
//! something is made twice. A run under which the hub crashes again and again is stopped.

use crate::live::{agent, connect, hear, say};
use crate::world::{Caller, Endpoint, Program, a_moment};
use serde_json::{Value, json};
use std::collections::BTreeSet;

#[tokio::test]
async fn a_killed_hub_loses_nothing_acknowledged_and_its_runs_go_on_and_do_nothing_twice() {
    let mut program = patient();
    let endpoint = Endpoint::start();
    let mut caller = program.caller("ada");
    let agent = agent(&caller, &endpoint).await;
    // At the first words, in the middle of a reply; and while tools run.
    for (script, point) in [("halves", "delta"), ("tools", "tool_started"), ("tools", "tool_finished")] {
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

        let log = endpoint.with_open_gates(ended(&caller, &agent, before)).await;
        let mine = &log[usize::try_from(before).unwrap()..];
        assert_eq!(mine[0]["seq"], sent["seq"]);
        assert_eq!(mine[0]["body"]["text"], json!(text));
        for (index, entry) in log.iter().enumerate() {
            assert_eq!(entry["seq"], json!(index + 1));
        }
        let end = &mine.last().unwrap()["body"];
        assert_eq!(end["outcome"]["type"], "completed", "{script} at {point}: {end}");
        let begun = mine.iter().filter(|entry| entry["body"]["type"] == "run_started").count();
        assert_eq!(begun, 1, "{script} at {point}: it is the same run");
        // A call that was refused finishes without having started.
        let (started, finished) = (started(mine), finished(mine));
        assert!(started.iter().all(|call| finished.contains(call)), "{script} at {point}");
        for calls in [started, finished] {
            let once: BTreeSet<_> = calls.iter().collect();
            assert_eq!(once.len(), calls.len(), "{script} at {point}: {calls:?}");
        }
    }
}

#[tokio::test]
async fn a_run_under_which_the_hub_crashes_again_and_again_is_stopped_and_says_so() {
    let mut program = patient();
    let endpoint = Endpoint::start();
    let mut caller = program.caller("ada");
    let agent = agent(&caller, &endpoint).await;
    caller.call("/api/agents/send", &json!({ "agent": agent, "text": "script: halves" })).await;
    for crash in 0..4 {
        // Each process asks the model before it goes.
        while endpoint.requests().await.len() <= crash {
            a_moment().await;
        }
        program.restart();
        caller.url.clone_from(&program.url);
    }
    let log = ended(&caller, &agent, 0).await;
    let end = &log.last().unwrap()["body"]["outcome"];
    assert_eq!(end["type"], "interrupted");
    assert!(end["why"].as_str().unwrap().starts_with("The hub crashed again and again"), "{end}");
    assert_eq!(endpoint.requests().await.len(), 4, "the model is not asked any more");
    caller.call("/api/agents/retry", &json!({ "agent": agent })).await;
    let log = endpoint.with_open_gates(ended(&caller, &agent, log.len() as u64)).await;
    assert_eq!(log.last().unwrap()["body"]["outcome"]["type"], "completed");
}

/// A hub that may be asked again and again how it stands.
fn patient() -> Program {
    patient_with(&[])
}

/// The same with these variables besides.
pub fn patient_with(environment: &[(&str, &str)]) -> Program {
    Program::start_with(&[&[("VIVARIUM_PERSON_REQUESTS", "0")], environment].concat())
}

/// The log, once a run has ended after the entry `before`.
async fn ended(caller: &Caller, agent: &str, before: u64) -> Vec<Value> {
    loop {
        let log = entries(caller, agent).await;
        let mut after = log.iter().filter(|entry| entry["seq"].as_u64() > Some(before));
        if after.any(|entry| entry["body"]["type"] == "run_finished") {
            return log;
        }
        a_moment().await;
    }
}

/// The calls that change something; what only looks may begin again.
fn started(entries: &[Value]) -> Vec<&str> {
    let calls = entries.iter().map(|entry| &entry["body"]["call"]);
    calls.filter(|call| call["input"]["action"] == "set").filter_map(|call| call["id"].as_str()).collect()
}

fn finished(entries: &[Value]) -> Vec<&str> {
    entries.iter().filter_map(|entry| entry["body"]["result"]["call"].as_str()).collect()
}

async fn entries(caller: &Caller, agent: &str) -> Vec<Value> {
    let answer = caller.get(&format!("/api/agents/entries?agent={agent}&after=0")).await;
    answer.json().await.unwrap()
}
